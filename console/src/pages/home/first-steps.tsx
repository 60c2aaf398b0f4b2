import { Button, Code, CopyButton, Group, List, Stack, Text } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useMay } from '../../app/session-context';
import { ButtonLink } from '../../components/links';
import { Panel } from '../../components/panel';

/** In place of what waits, where nothing was told yet: three ways to begin. */
export function FirstSteps() {
  const mayKeys = useMay('POST /v1/keys');
  const mayWrite = useMay('POST /v1/cards');
  return (
    <Panel
      title="First steps"
      says="This workspace remembers nothing yet. Any of these begins it; this page changes as soon as something comes."
    >
      <List type="ordered" spacing="md" listStyleType="decimal">
        <List.Item>
          <Stack gap={6}>
            <Text size="sm" fw={550}>
              Have a small fleet tell its day
            </Text>
            <Command text="npm run sample" name="the command of the sample" />
          </Stack>
        </List.Item>
        <List.Item>
          <Stack gap={6}>
            <Text size="sm" fw={550}>
              Report settled work of your own, with the key of a runtime
            </Text>
            <Command text={reportOf(window.location.origin)} name="the call" />
            {mayKeys && (
              <Group>
                <ButtonLink to="/settings" search={{ tab: 'keys' }}>
                  Make a key for a runtime
                </ButtonLink>
              </Group>
            )}
          </Stack>
        </List.Item>
        {mayWrite && (
          <List.Item>
            <Stack gap={6}>
              <Text size="sm" fw={550}>
                Write down what you know yourself
              </Text>
              <Group>
                <ButtonLink to="/cards" search={{ new: '1' }}>
                  Write a card
                </ButtonLink>
              </Group>
            </Stack>
          </List.Item>
        )}
      </List>
    </Panel>
  );
}

/** Of now, so that it is neither too old nor to come. */
function reportOf(origin: string): string {
  return [
    `curl -s '${origin}/v1/events?wait_ms=5000' \\`,
    `  -H "Authorization: Bearer $CAIRN_KEY" -H 'Content-Type: application/json' -d '{`,
    `  "event_id": "first-1", "kind": "service_call", "agent": "newsletter-writer",`,
    `  "service": "mailer", "operation": "send_batch", "outcome": "failed",`,
    `  "occurred_at": "${new Date().toISOString()}",`,
    `  "input": {"recipients": 250}, "error": "429: daily limit of 100 recipients exceeded"}'`,
  ].join('\n');
}

function Command({ text, name }: { text: string; name: string }) {
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', flex: '1 1 auto' }}>
        {text}
      </Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button
            size="xs"
            variant="default"
            onClick={copy}
            aria-label={copied ? 'Copied' : `Copy ${name}`}
            style={{ flex: 'none' }}
          >
            {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
          </Button>
        )}
      </CopyButton>
    </Group>
  );
}
