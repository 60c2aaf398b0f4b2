import { Group, Text } from '@mantine/core';
import type { ProposalDetail } from '../../../../src/contracts/proposal';
import { Facts } from '../../components/facts';
import { IdText } from '../../components/id-text';
import { AnchorLink } from '../../components/links';
import { Panel } from '../../components/panel';
import { When } from '../../components/when';
import { WorkflowLink } from '../../components/workflow-link';
import { waits } from './views';

const DRAFTED: Record<ProposalDetail['drafted_by'], string> = {
  model: 'by the model',
  fallback: 'by the built-in words, without a model',
  person: 'by a person',
  rule: 'by a rule',
};

export function ProposalFacts({ proposal }: { proposal: ProposalDetail }) {
  const { proposed_by: by, reminders, change } = proposal;
  const runId = 'run_id' in change && typeof change.run_id === 'string' ? change.run_id : null;
  return (
    <Panel title="How it came here">
      <Facts
        rows={[
          ['Proposed by', <Proposer key="by" by={by} />],
          ['Worded', DRAFTED[proposal.drafted_by]],
          ['Team', proposal.team],
          ['Version', proposal.version],
          ['Opened', <When key="opened" at={proposal.created_at} />],
          [
            waits(proposal) ? 'Expires' : 'Could be decided until',
            <When key="expires" at={proposal.expires_at} />,
          ],
          [
            'Reminded of',
            reminders === 0 ? 'not yet' : reminders === 1 ? 'once' : `${reminders} times`,
          ],
          [
            'Learned in',
            runId === null ? null : (
              <AnchorLink key="run" to="/runs/$id" params={{ id: runId }}>
                its run
              </AnchorLink>
            ),
          ],
          [
            'Lifecycle',
            <WorkflowLink key="workflow" id={proposal.workflow_id} runId={proposal.run_id} />,
          ],
          ['Id', <IdText key="id" id={proposal.id} />],
        ]}
      />
    </Panel>
  );
}

function Proposer({ by }: { by: ProposalDetail['proposed_by'] }) {
  if (by.kind === 'system') return <>Cairn itself</>;
  return (
    <Group gap={4}>
      <Text size="sm">{by.kind}</Text>
      {by.kind === 'agent' ? (
        <AnchorLink to="/agents/$id" params={{ id: by.id }}>
          {by.id}
        </AnchorLink>
      ) : (
        <Text size="sm" fw={500}>
          {by.id}
        </Text>
      )}
    </Group>
  );
}
