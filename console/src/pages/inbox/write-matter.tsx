import { Alert, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { PendingWrite } from '../../../../src/contracts/pending-write';
import { send } from '../../api/http';
import { useOne } from '../../api/paging';
import { useMay } from '../../app/session-context';
import { CardById } from '../../components/card-by-id';
import { useDoing } from '../../components/doing';
import { Facts } from '../../components/facts';
import { IdText } from '../../components/id-text';
import { JsonText } from '../../components/json-text';
import { AnchorLink } from '../../components/links';
import { Loaded } from '../../components/loaded';
import { Panel } from '../../components/panel';
import { When } from '../../components/when';
import { DecideBox, Refused, type Verdict } from './decide-box';
import classes from './inbox-page.module.css';
import { StandBadge } from './marks';

const TYPES: Record<PendingWrite['type'], string> = {
  card: 'A card',
  note: 'A note',
  memory: 'A memory',
  insight: 'An insight',
};

/** What a restricted agent wants to write, where it would stand, and the decision. */
export function WriteMatter({ id, goOn }: { id: string; goOn(): void }) {
  const query = useOne<PendingWrite>(
    'pending_writes',
    `/v1/pending-writes/${encodeURIComponent(id)}`,
  );
  return (
    <Loaded query={query} lines={8}>
      {(pending) => <Shown pending={pending} goOn={goOn} />}
    </Loaded>
  );
}

function Shown({ pending, goOn }: { pending: PendingWrite; goOn(): void }) {
  const { status, type, agent, write, card_id } = pending;
  const { summary, ...rest } = write ?? { summary: '' };
  const isWaiting = status === 'waiting';
  const [refusal, setRefusal] = useState<Error | null>(null);
  return (
    <Stack gap="md">
      <Stack gap={6}>
        <Group gap={6}>
          <StandBadge status={status} />
          <Text size="sm" c="dimmed">
            {isWaiting ? (
              <>
                dropped <When at={pending.expires_at} />
              </>
            ) : (
              <When at={pending.decided_at} none="" />
            )}
          </Text>
        </Group>
        <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
          {TYPES[type]} of {agent}
        </Title>
      </Stack>
      {!isWaiting && refusal !== null && <Refused error={refusal} />}
      <Panel title={isWaiting ? 'What it would say' : 'What became of it'}>
        <Stack gap="sm">
          {write !== null && <Text className={`told ${classes.quote}`}>{summary}</Text>}
          {Object.keys(rest).length > 0 && (
            <div>
              <Text size="xs" c="dimmed" mb={4}>
                And with it
              </Text>
              <JsonText value={rest} />
            </div>
          )}
          {card_id !== null && <CardById id={card_id} lines={12} />}
          {write === null && card_id === null && (
            <Text size="sm">Nothing was written. Its text is gone.</Text>
          )}
        </Stack>
      </Panel>
      <Panel title="Where it comes from, and where it would stand">
        <Facts
          rows={[
            ['Posted by', <AgentLink key="agent" id={agent} />],
            ['Would stand with', <AgentLink key="parent" id={pending.parent ?? agent} />],
            ['Session', pending.session],
            ['Posted', <When key="posted" at={pending.created_at} />],
            [
              'Decided by',
              pending.decided_by === null
                ? null
                : `${pending.decided_by.kind} ${pending.decided_by.id}`,
            ],
            ['Reason', pending.reason],
            ['Id', <IdText key="id" id={pending.id} />],
          ]}
        />
      </Panel>
      {isWaiting && <Deciding {...{ pending, goOn, refusal, setRefusal }} />}
    </Stack>
  );
}

function AgentLink({ id }: { id: string }) {
  return (
    <AnchorLink to="/agents/$id" params={{ id }}>
      {id}
    </AnchorLink>
  );
}

function Deciding({
  pending,
  goOn,
  refusal,
  setRefusal,
}: {
  pending: PendingWrite;
  goOn(): void;
  refusal: Error | null;
  setRefusal(error: Error | null): void;
}) {
  const { id, agent, parent } = pending;
  const may = useMay('POST /v1/pending-writes/:id');
  const deciding = useDoing<Verdict, { card?: PendingWrite['card'] }>({
    call: async ({ approve, reason }) => {
      setRefusal(null);
      const body = { accept: approve, ...(reason === '' ? {} : { reason }) };
      const path = `/v1/pending-writes/${encodeURIComponent(id)}`;
      return (await send<PendingWrite>(path, { method: 'POST', body })).data;
    },
    touches: ['pending_writes', 'cards', 'insights'],
    done: ({ card }, { approve }) => {
      if (!approve) return 'Rejected';
      return card?.status === 'quarantined'
        ? 'Accepted, and held in quarantine: it reads like an instruction'
        : 'Accepted';
    },
    refused: (error) => {
      setRefusal(error);
      return true;
    },
    then: goOn,
  });
  if (!may) {
    return (
      <Alert color="gray" title="For others to decide">
        Its parent decides, or a person who may edit.
      </Alert>
    );
  }
  return (
    <DecideBox
      approve={{
        label: 'Accept',
        effect: `It becomes a card of ${parent ?? agent}, written by ${agent} and unconfirmed.`,
      }}
      reject={{ label: 'Reject', effect: 'Nothing is written, and its text is gone for good.' }}
      version={1}
      busy={deciding.isPending}
      refusal={refusal}
      decide={(verdict) => deciding.mutate(verdict)}
    />
  );
}
