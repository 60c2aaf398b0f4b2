import { Button, Checkbox, Group, SegmentedControl, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Card } from '../../../../src/contracts/card';
import type { CardStop, StopAction } from '../../../../src/contracts/stop';
import { send } from '../../api/http';
import { useDoing } from '../../components/doing';
import { Loaded } from '../../components/loaded';
import { StopPreview } from './stop-preview';
import { pathOf } from './wire';

/** The kill switch: what would go is shown first, then all of it goes at once. */
export function StopForm({ card, close }: { card: Card; close(): void }) {
  const [action, setAction] = useState<StopAction>('quarantine');
  const [derived, setDerived] = useState(true);
  const [reason, setReason] = useState('');
  const path = pathOf(card.id, '/stop');
  const ask = async (more: Record<string, unknown>) => {
    const body = { action, derived, ...more };
    return (await send<CardStop>(path, { method: 'POST', body })).data;
  };
  // A dry run changes nothing, so that it may be asked as often as the choice changes.
  const preview = useQuery({
    queryKey: ['cards', 'stop', card.id, action, derived],
    queryFn: () => ask({ dry_run: true }),
  });
  const stop = useDoing<void, CardStop>({
    call: () => ask({ reason: reason.trim() === '' ? undefined : reason.trim() }),
    done: ({ counts }) =>
      `${counts.changed} ${counts.changed === 1 ? 'card' : 'cards'} stopped. A release or a restore takes it back, card by card.`,
    touches: ['cards', 'proposals', 'agents'],
    then: close,
  });
  const changes = preview.data?.counts.changed ?? 0;
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label="Quarantine or delete"
        data={[
          { value: 'quarantine', label: 'Quarantine' },
          { value: 'delete', label: 'Delete' },
        ]}
        value={action}
        onChange={(value) => setAction(value === 'delete' ? 'delete' : 'quarantine')}
      />
      <Checkbox
        label="All that came of it too"
        description="What was derived from it, what took its place, and what came of those"
        checked={derived}
        onChange={(event) => setDerived(event.currentTarget.checked)}
      />
      <Loaded query={preview} lines={5}>
        {(found) => <StopPreview stop={found} />}
      </Loaded>
      <Textarea
        label="Reason"
        description="Kept with the audit, where it can be erased"
        autosize
        minRows={2}
        maxRows={6}
        maxLength={2_000}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed">
          Takes effect with the very next read.
        </Text>
        <Group gap="xs">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button
            color="red"
            disabled={changes === 0}
            loading={stop.isPending}
            onClick={() => stop.mutate()}
          >
            {changes === 1 ? 'Stop 1 card' : `Stop ${changes.toLocaleString()} cards`}
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}
