import {
  Button,
  Group,
  SegmentedControl,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Card } from '../../../../src/contracts/card';
import { send } from '../../api/http';
import { useDoing } from '../../components/doing';
import { fromField } from '../../components/local-time';
import { AgentInput, GroupInput } from './name-inputs';
import { pathOf } from './wire';

const DAY_MS = 86_400_000;
const ENDS = [
  { value: 'never', label: 'Until it is taken back' },
  { value: '1', label: 'For a day' },
  { value: '7', label: 'For 7 days' },
  { value: '30', label: 'For 30 days' },
  { value: 'own', label: 'Until a time' },
];

/** Shows the card to one more agent or group, for a purpose and until a time. */
export function ShareForm({ card, close }: { card: Card; close(): void }) {
  const [whom, setWhom] = useState<'agent' | 'group'>('agent');
  const [name, setName] = useState('');
  const [purpose, setPurpose] = useState('');
  const [end, setEnd] = useState('never');
  const [time, setTime] = useState('');
  const share = useDoing<void>({
    call: () => {
      const kind = whom === 'agent' ? 'grants' : 'group-grants';
      const body = {
        purpose: purpose.trim() === '' ? undefined : purpose.trim(),
        expires_at: endOf(end, time),
      };
      const path = pathOf(card.id, `/${kind}/${encodeURIComponent(name.trim())}`);
      return send(path, { method: 'PUT', body });
    },
    done: `${name} sees this card from the next read on.`,
    touches: ['cards'],
    then: close,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    share.mutate();
  };
  const Name = whom === 'agent' ? AgentInput : GroupInput;
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          Sharing with one whom it is shared with already replaces purpose and end.
        </Text>
        <SegmentedControl
          aria-label="With an agent or a group"
          data={[
            { value: 'agent', label: 'An agent' },
            { value: 'group', label: 'A group of agents' },
          ]}
          value={whom}
          onChange={(value) => {
            setWhom(value === 'group' ? 'group' : 'agent');
            setName('');
          }}
        />
        <Name
          key={whom}
          label={whom === 'agent' ? 'Agent' : 'Group'}
          required
          value={name}
          onChange={setName}
          data-autofocus
        />
        <Textarea
          label="Purpose"
          description="Optional; whoever looks at the grants reads it"
          autosize
          minRows={2}
          maxRows={6}
          maxLength={2_000}
          value={purpose}
          onChange={(event) => setPurpose(event.currentTarget.value)}
        />
        <Select
          label="How long"
          data={ENDS}
          value={end}
          onChange={(value) => setEnd(value ?? 'never')}
          allowDeselect={false}
        />
        {end === 'own' && (
          <TextInput
            type="datetime-local"
            label="Until"
            required
            value={time}
            onChange={(event) => setTime(event.currentTarget.value)}
          />
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={share.isPending} disabled={name.trim() === ''}>
            Share
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function endOf(end: string, time: string): string | undefined {
  if (end === 'never') return undefined;
  if (end === 'own') return fromField(time) ?? undefined;
  return new Date(Date.now() + Number(end) * DAY_MS).toISOString();
}
