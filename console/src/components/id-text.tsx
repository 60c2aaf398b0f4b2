import { ActionIcon, CopyButton, Group, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

/** An id as one reads and copies it. */
export function IdText({ id, short = false }: { id: string; short?: boolean }) {
  const shown = short && id.length > 14 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id;
  return (
    <Group gap={2} wrap="nowrap" display="inline-flex">
      <Text span ff="monospace" size="xs" style={{ overflowWrap: 'anywhere' }} title={id}>
        {shown}
      </Text>
      <CopyButton value={id}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? 'Copied' : 'Copy'}>
            <ActionIcon
              size="xs"
              variant="subtle"
              color="gray"
              onClick={copy}
              aria-label={`Copy ${shown}`}
            >
              {copied ? <IconCheck size={12} /> : <IconCopy size={12} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Group>
  );
}
