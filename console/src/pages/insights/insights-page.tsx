import { Tabs } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useMay } from '../../app/session-context';
import { PageHead } from '../../components/page-head';
import { ActionsTab } from './actions-tab';
import { InsightsTab } from './insights-tab';
import { MetricsTab } from './metrics-tab';

const route = getRouteApi('/insights');

/** Findings by urgency, what they recommend over all of them, and the numbers that both rest on. */
export function InsightsPage() {
  const { tab } = route.useSearch();
  const navigate = route.useNavigate();
  const mayActions = useMay('GET /v1/actions');
  const mayMetrics = useMay('GET /v1/metrics');
  const at =
    (tab === 'actions' && mayActions) || (tab === 'metrics' && mayMetrics) ? tab : 'insights';
  return (
    <>
      <PageHead
        title="Insights"
        says="Findings with a number, an owner and a follow-up. Take an action; what comes of it changes what is recommended next."
      />
      <Tabs
        value={at}
        onChange={(value) =>
          void navigate({ search: value === 'insights' ? {} : { tab: value ?? undefined } })
        }
        keepMounted={false}
      >
        <Tabs.List aria-label="Insights" mb="md">
          <Tabs.Tab value="insights">Findings</Tabs.Tab>
          {mayActions && <Tabs.Tab value="actions">Actions</Tabs.Tab>}
          {mayMetrics && <Tabs.Tab value="metrics">Metrics</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="insights">
          <InsightsTab />
        </Tabs.Panel>
        <Tabs.Panel value="actions">
          <ActionsTab />
        </Tabs.Panel>
        <Tabs.Panel value="metrics">
          <MetricsTab />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
