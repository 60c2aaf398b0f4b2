import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { modals } from '@mantine/modals';
import { type FormEvent, type ReactNode, useState } from 'react';

/** Asks for the reason of a decision before it is made; the server redacts and keeps it. */
export function askReason(options: {
  title: string;
  says: ReactNode;
  yes: string;
  danger?: boolean;
  /** Undefined where nothing was written. */
  onYes(reason: string | undefined): void;
}): void {
  const id = modals.open({
    title: options.title,
    centered: true,
    children: <ReasonForm {...options} close={() => modals.close(id)} />,
  });
}

function ReasonForm({
  says,
  yes,
  danger = false,
  onYes,
  close,
}: {
  says: ReactNode;
  yes: string;
  danger?: boolean;
  onYes(reason: string | undefined): void;
  close(): void;
}) {
  const [reason, setReason] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    close();
    onYes(reason.trim() === '' ? undefined : reason.trim());
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text component="div" size="sm">
          {says}
        </Text>
        <Textarea
          label="Reason"
          description="Optional; shown to whoever looks back"
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          maxLength={2_000}
          autosize
          minRows={2}
          maxRows={8}
          data-autofocus
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" color={danger ? 'red' : 'lichen'}>
            {yes}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
