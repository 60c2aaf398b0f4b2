import { Alert, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type {
  ConfigFix,
  ContradictionChange,
  ProposalDetail,
} from '../../../../src/contracts/proposal';
import { send } from '../../api/http';
import { useOne } from '../../api/paging';
import { useMay, useSession } from '../../app/session-context';
import { useDoing } from '../../components/doing';
import { Loaded } from '../../components/loaded';
import { Panel } from '../../components/panel';
import { When } from '../../components/when';
import { ChangedMeanwhile } from './changed-meanwhile';
import { DecideBox, Refused, type Verdict } from './decide-box';
import { Decisions } from './decisions';
import { FixFollowUp } from './fix-follow-up';
import { StandBadge, TypeBadge } from './marks';
import { ProposalFacts } from './proposal-facts';
import { ProposalWorld } from './proposal-world';
import { waits } from './views';
import { EFFECTS, OUTCOMES } from './words';

/** One proposal: what it would change, what it rests on, and the decision. */
export function ProposalMatter({ id, goOn }: { id: string; goOn(): void }) {
  const query = useOne<ProposalDetail>('proposals', `/v1/proposals/${encodeURIComponent(id)}`);
  return (
    <Loaded query={query} lines={8}>
      {(proposal) => <Shown proposal={proposal} goOn={goOn} />}
    </Loaded>
  );
}

function Shown({ proposal, goOn }: { proposal: ProposalDetail; goOn(): void }) {
  const { type, status, title, summary, expires_at, decisions } = proposal;
  const [looked, setLooked] = useState(proposal);
  const [winner, setWinner] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<Error | null>(null);
  const isWaiting = waits(proposal);
  return (
    <Stack gap="md">
      <Stack gap={6}>
        <Group gap={6}>
          <TypeBadge type={type} />
          <StandBadge status={status} ofFix={type === 'config_fix'} />
          <Text size="sm" c="dimmed">
            {isWaiting ? (
              <>
                expires <When at={expires_at} />
              </>
            ) : (
              <When at={proposal.closed_at ?? decisions.at(-1)?.at} none="" />
            )}
          </Text>
        </Group>
        <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        {!isWaiting && refusal !== null && <Refused error={refusal} />}
        {!isWaiting && <Text size="sm">{OUTCOMES[status]}</Text>}
        {isWaiting && looked.version !== proposal.version && (
          <ChangedMeanwhile before={looked} now={proposal} seen={() => setLooked(proposal)} />
        )}
      </Stack>
      {summary === null && <Hidden />}
      {type === 'config_fix' && <FixOf proposal={proposal} />}
      {decisions.length > 0 && <Decisions of={decisions} />}
      <ProposalWorld
        proposal={proposal}
        winner={winner}
        {...(isWaiting ? { choose: setWinner } : {})}
      />
      <ProposalFacts proposal={proposal} />
      {isWaiting && <Deciding {...{ proposal, winner, goOn, refusal, setRefusal }} />}
    </Stack>
  );
}

function Hidden() {
  return (
    <Alert color="gray" title="Made from cards that you may not see">
      What it says and what it would change is shown to those who see its evidence.
    </Alert>
  );
}

/** What became of an approved fix; of a reopened one, the fix before. */
function FixOf({ proposal: { id, status, decisions } }: { proposal: ProposalDetail }) {
  const may = useMay('GET /v1/config-fixes/:id');
  const isThere =
    status !== 'open' && decisions.some(({ decision }) => decision === 'approve') && may;
  const query = useOne<ConfigFix>(
    'config_fixes',
    `/v1/config-fixes/${encodeURIComponent(id)}`,
    {},
    { enabled: isThere },
  );
  if (!isThere) return null;
  return (
    <Panel title="Follow-up" says="What its runtime did with it, and what happened since">
      <Loaded query={query}>{(fix) => <FixFollowUp fix={fix} />}</Loaded>
    </Panel>
  );
}

function Deciding({
  proposal,
  winner,
  goOn,
  refusal,
  setRefusal,
}: {
  proposal: ProposalDetail;
  winner: string | null;
  goOn(): void;
  /** Kept by the matter: it is said also where nothing is left to decide. */
  refusal: Error | null;
  setRefusal(error: Error | null): void;
}) {
  const { id, type, version, proposed_by } = proposal;
  const { principal } = useSession();
  const may = useMay('POST /v1/proposals/:id/decision');
  const change = proposal.change as Partial<ContradictionChange>;
  const other = type === 'contradiction' && winner !== null && winner === change.loser;
  const deciding = useDoing<Verdict, unknown>({
    call: ({ approve, reason }) => {
      setRefusal(null);
      const body = {
        decision: approve ? 'approve' : 'reject',
        version,
        ...(reason === '' ? {} : { reason }),
        ...(approve && other ? { winner } : {}),
      };
      const path = `/v1/proposals/${encodeURIComponent(id)}/decision`;
      return send(path, { method: 'POST', body });
    },
    touches: ['proposals', 'config_fixes', 'cards', 'skills', 'runs'],
    done: (_answer, { approve }) => (approve ? 'Approved' : 'Rejected'),
    // It is said where the decision is made, and the matter is read again.
    refused: (error) => {
      setRefusal(error);
      return true;
    },
    then: goOn,
  });
  if (!may) {
    return (
      <Alert color="gray" title="For others to decide">
        An owner or a reviewer decides this. You may read it as {principal.role}.
      </Alert>
    );
  }
  if (proposed_by.kind === 'person' && proposed_by.id === principal.id) {
    return (
      <Alert color="gray" title="For others to decide">
        You proposed it, so another owner or reviewer has to decide.
      </Alert>
    );
  }
  const { approve, reject } = EFFECTS[type];
  const isPair = type === 'contradiction';
  return (
    <DecideBox
      approve={{
        label: isPair ? `Keep ${other ? 'the second' : 'the first'}` : 'Approve',
        effect: approve,
      }}
      reject={{ label: isPair ? 'Both may stand' : 'Reject', effect: reject }}
      version={version}
      busy={deciding.isPending}
      refusal={refusal}
      decide={(verdict) => deciding.mutate(verdict)}
    />
  );
}
