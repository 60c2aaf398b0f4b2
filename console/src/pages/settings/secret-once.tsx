import { Alert, Button, Checkbox, Code, CopyButton, Group, Modal, Stack } from '@mantine/core';
import { IconCheck, IconCopy, IconKey } from '@tabler/icons-react';
import { useState } from 'react';

export interface Secret {
  /** What it is, for the heading. */
  title: string;
  /** What to do with it. */
  says: string;
  value: string;
}

/** A secret that nothing can show again: closes only when whoever reads it says that it is kept. */
export function SecretOnce({ secret, close }: { secret: Secret; close(): void }) {
  const [kept, setKept] = useState(false);
  return (
    <Modal
      opened
      onClose={close}
      title={secret.title}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      centered
    >
      <Stack>
        <Alert color="orange" icon={<IconKey size={18} />} title="Shown this once">
          {secret.says}
        </Alert>
        <Group gap="xs" wrap="nowrap">
          <Code
            block
            style={{ flex: 1, overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}
            data-secret
          >
            {secret.value}
          </Code>
          <CopyButton value={secret.value}>
            {({ copied, copy }) => (
              <Button
                variant="default"
                onClick={copy}
                leftSection={
                  copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />
                }
              >
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
        </Group>
        <Checkbox
          label="I have put it where it is safe"
          checked={kept}
          onChange={(event) => setKept(event.currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button disabled={!kept} onClick={close}>
            Done
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
