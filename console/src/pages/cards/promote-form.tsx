import { Alert, Button, Group, Select, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Card } from '../../../../src/contracts/card';
import type { AskedPromotion } from '../../../../src/contracts/proposal';
import { send } from '../../api/http';
import { useSession } from '../../app/session-context';
import { useDoing } from '../../components/doing';
import { ButtonLink } from '../../components/links';
import { TeamInput } from './name-inputs';
import { pathOf } from './wire';

const WAITS = [
  { value: '', label: 'As long as the policy says' },
  { value: 'P1D', label: 'A day' },
  { value: 'P7D', label: '7 days' },
  { value: 'P30D', label: '30 days' },
];

/** Proposes the card to a team or the workspace; somebody else decides. */
export function PromoteForm({ card, close }: { card: Card; close(): void }) {
  const { workspace } = useSession();
  const isOfTeam = card.scope.type === 'team';
  const [to, setTo] = useState<'team' | 'workspace'>(isOfTeam ? 'workspace' : 'team');
  const [team, setTeam] = useState('');
  const [reason, setReason] = useState('');
  const [waits, setWaits] = useState('');
  const promote = useDoing<void, AskedPromotion>({
    call: async () => {
      const body = {
        scope: { type: to, id: to === 'team' ? team.trim() : workspace.id },
        reason: reason.trim() === '' ? undefined : reason.trim(),
        expires_in: waits === '' ? undefined : waits,
      };
      const path = pathOf(card.id, '/promotion');
      return (await send<AskedPromotion>(path, { method: 'POST', body })).data;
    },
    touches: ['cards', 'proposals'],
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    promote.mutate();
  };
  if (promote.data !== undefined) {
    return (
      <Stack>
        <Alert color="lichen" title="It is proposed" role="status">
          Somebody who may decide, and did not propose it, says yes or no in the inbox.
        </Alert>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" size="xs" onClick={close}>
            Close
          </Button>
          <ButtonLink to="/inbox/$id" params={{ id: promote.data.proposal_id }} variant="filled">
            See it in the inbox
          </ButtonLink>
        </Group>
      </Stack>
    );
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm">
          The card is shown to more than its own {card.scope.type} once somebody has agreed. It
          keeps its origin, and a demotion takes it back.
        </Text>
        <Select
          label="To whom"
          data={[
            ...(isOfTeam ? [] : [{ value: 'team', label: 'A team' }]),
            { value: 'workspace', label: 'The whole workspace' },
          ]}
          value={to}
          onChange={(value) => setTo(value === 'team' ? 'team' : 'workspace')}
          allowDeselect={false}
        />
        {to === 'team' && <TeamInput label="Team" required value={team} onChange={setTeam} />}
        <Textarea
          label="Reason"
          description="Whoever decides reads it"
          autosize
          minRows={2}
          maxRows={6}
          maxLength={2_000}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Select
          label="The proposal waits"
          data={WAITS}
          value={waits}
          onChange={(value) => setWaits(value ?? '')}
          allowDeselect={false}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button
            type="submit"
            loading={promote.isPending}
            disabled={to === 'team' && team.trim() === ''}
          >
            Propose
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
