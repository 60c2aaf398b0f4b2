import { Grid, Group, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { Insight } from '../../../../src/contracts/insight';
import { useOne } from '../../api/paging';
import { Facts } from '../../components/facts';
import { IdText } from '../../components/id-text';
import { AnchorLink, ButtonLink } from '../../components/links';
import { Loaded } from '../../components/loaded';
import { PageHead } from '../../components/page-head';
import { Panel } from '../../components/panel';
import { When } from '../../components/when';
import { WorkflowLink } from '../../components/workflow-link';
import { ActionsPanel } from './actions-panel';
import { EvidencePanel } from './evidence-panel';
import { Score, SeverityMark } from './marks';
import { MetricPanel } from './metric-panel';
import { ScorePanel } from './score-panel';
import { nameOf, ORIGINS, windowInWords } from './words';

const route = getRouteApi('/insights/$id');

/** One finding: why it is urgent, what to do about it, and what came of what was done. */
export function InsightPage() {
  const { id } = route.useParams();
  const insight = useOne<Insight>('insights', `/v1/insights/${encodeURIComponent(id)}`);
  return (
    <>
      <PageHead
        title={insight.data === undefined ? 'Insight' : nameOf(insight.data)}
        tab="Insight"
        says={insight.data !== undefined && <Beside insight={insight.data} />}
        actions={
          insight.data !== undefined && (
            <>
              <ButtonLink to="/cards/$id" params={{ id: insight.data.card_id }}>
                Open its card
              </ButtonLink>
              <ButtonLink to="/graph" search={{ center: insight.data.card_id }}>
                In the graph
              </ButtonLink>
            </>
          )
        }
      />
      <Loaded query={insight} lines={8}>
        {(data) => (
          <Grid gap="md">
            <Grid.Col span={{ base: 12, md: 7 }}>
              <Stack gap="md">
                <Panel title="Finding">
                  <Text className="told">{data.finding}</Text>
                </Panel>
                <ActionsPanel insight={data} />
                <MetricPanel insight={data} />
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 5 }}>
              <Stack gap="md">
                <ScorePanel urgency={data.urgency} severity={data.severity} />
                <EvidencePanel insight={data} />
                <FollowUp insight={data} />
              </Stack>
            </Grid.Col>
          </Grid>
        )}
      </Loaded>
    </>
  );
}

function Beside({ insight }: { insight: Insight }) {
  return (
    <Group gap="xs">
      <Score score={insight.urgency.score} />
      <SeverityMark severity={insight.severity} />
      <span>
        {insight.domain} · {ORIGINS[insight.origin]} · saved <When at={insight.created_at} />
      </span>
    </Group>
  );
}

function FollowUp({ insight }: { insight: Insight }) {
  const { owner, scope } = insight;
  return (
    <Panel title="Who and how it is followed">
      <Facts
        rows={[
          [
            'Owner',
            owner.kind === 'agent' ? (
              <AnchorLink key="owner" to="/agents/$id" params={{ id: owner.id }}>
                {owner.id}
              </AnchorLink>
            ) : (
              `${owner.kind} ${owner.id}`
            ),
          ],
          ['Scope', scope.type === 'workspace' ? 'workspace' : `${scope.type} ${scope.id}`],
          ['Measured after', `${windowInWords(insight.window)} from when an action is taken`],
          [
            'Follow-up',
            insight.workflow_id === null ? (
              'begins once an action is taken'
            ) : (
              <WorkflowLink key="workflow" id={insight.workflow_id} />
            ),
          ],
          ['Id', <IdText key="id" id={insight.id} />],
        ]}
      />
    </Panel>
  );
}
