import { Alert, Badge, Group, SimpleGrid, Stack, Tabs, Text } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import type { Run, RunDetail } from '../../../../src/contracts/run';
import { useOne, useRows } from '../../api/paging';
import { Facts } from '../../components/facts';
import { IdText } from '../../components/id-text';
import { JsonText } from '../../components/json-text';
import { AnchorLink } from '../../components/links';
import { Loaded } from '../../components/loaded';
import { PageHead } from '../../components/page-head';
import { Panel } from '../../components/panel';
import { RowsTable } from '../../components/rows-table';
import { lasted, When } from '../../components/when';
import { WorkflowLink } from '../../components/workflow-link';
import { countsInWords, RunStatus, tookMs } from './marks';
import { RunActions } from './run-actions';
import { RunChanges } from './run-changes';
import { RunDrafts } from './run-drafts';
import { Steps } from './steps';

const route = getRouteApi('/runs/$id');

/** One run: what it did card by card, how long each step took, and its undo. */
export function RunPage() {
  const { id } = route.useParams();
  const { tab = 'changes' } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useOne<RunDetail>('runs', `/v1/runs/${encodeURIComponent(id)}`);
  return (
    <Loaded page query={query} lines={8}>
      {(run) => (
        <Stack>
          <PageHead
            title={
              <Group gap="xs">
                {run.type}
                <RunStatus run={run} />
                {run.dry_run && (
                  <Badge variant="outline" color="gray" tt="none">
                    dry run
                  </Badge>
                )}
              </Group>
            }
            tab={`Run: ${run.type}`}
            says={<About run={run} />}
            actions={<RunActions run={run} />}
          />
          {run.dry_run && (
            <Alert color="blue" icon={<IconFlask size={18} />}>
              Nothing was changed: what stands below is what the pass would do.
            </Alert>
          )}
          {run.undone_at !== null && (
            <Alert color="gray">
              Taken back <When at={run.undone_at} />. What had moved on since stays, and is marked.
            </Alert>
          )}
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <Panel title="This run">
              <RunFacts run={run} />
            </Panel>
            <Panel title="In numbers">
              <Facts
                rows={Object.entries(run.counts)
                  .filter(([, value]) => typeof value !== 'object')
                  .map(([name, value]) => [
                    name.replaceAll('_', ' '),
                    typeof value === 'number' ? value.toLocaleString() : String(value),
                  ])}
              />
              {Object.keys(run.counts).length === 0 && (
                <Text size="sm" c="dimmed">
                  It has counted nothing yet.
                </Text>
              )}
            </Panel>
          </SimpleGrid>
          <Tabs
            value={tab}
            onChange={(to) => void navigate({ search: { tab: to ?? undefined }, replace: true })}
            keepMounted={false}
          >
            <Tabs.List aria-label="Of this run">
              <Tabs.Tab value="changes">Changes</Tabs.Tab>
              {run.drafts.length > 0 && <Tabs.Tab value="drafts">Texts</Tabs.Tab>}
              <Tabs.Tab value="timeline">Timeline</Tabs.Tab>
              <Tabs.Tab value="units">Parts</Tabs.Tab>
              {run.result !== null && <Tabs.Tab value="result">Result</Tabs.Tab>}
            </Tabs.List>
            <Tabs.Panel value="changes" pt="md">
              <RunChanges run={run} />
            </Tabs.Panel>
            <Tabs.Panel value="drafts" pt="md">
              <RunDrafts drafts={run.drafts} />
            </Tabs.Panel>
            <Tabs.Panel value="timeline" pt="md">
              <Steps workflowId={run.workflow_id} runId={run.run_id} />
            </Tabs.Panel>
            <Tabs.Panel value="units" pt="md">
              <Units parent={run.id} />
            </Tabs.Panel>
            <Tabs.Panel value="result" pt="md">
              <JsonText value={run.result} />
            </Tabs.Panel>
          </Tabs>
        </Stack>
      )}
    </Loaded>
  );
}

function About({ run }: { run: Run }) {
  const ms = tookMs(run, Date.now());
  return (
    <>
      {run.scope === null ? 'Over the whole workspace' : `Over ${run.scope.type} ${run.scope.id}`},{' '}
      {run.asked_by === null ? 'by its schedule or an event' : `asked for by ${run.asked_by}`};{' '}
      <When at={run.started_at} none="not begun" />
      {ms === null ? '' : `, ${lasted(ms)}`}
    </>
  );
}

function RunFacts({ run }: { run: Run }) {
  return (
    <Facts
      rows={[
        ['Id', <IdText key="id" id={run.id} />],
        ['Lifecycle', <WorkflowLink key="w" id={run.workflow_id} runId={run.run_id} />],
        ['Began', <When key="b" at={run.started_at} none="not yet" />],
        ['Ended', <When key="e" at={run.finished_at} none="not yet" />],
        ['Day', run.day],
        ['Cost', run.cost > 0 ? `${run.cost.toLocaleString()} tokens` : null],
        [
          'Held to',
          run.budget === null
            ? null
            : Object.entries(run.budget)
                .map(([name, most]) => `${most.toLocaleString()} ${name}`)
                .join(', '),
        ],
        ['Failed with', run.error],
        [
          'Part of',
          run.parent_id === null ? null : (
            <AnchorLink key="p" to="/runs/$id" params={{ id: run.parent_id }}>
              a larger pass
            </AnchorLink>
          ),
        ],
        [
          'Made with',
          Object.keys(run.versions).length === 0
            ? null
            : Object.entries(run.versions)
                .map(([name, version]) => `${name} ${String(version)}`)
                .join(', '),
        ],
      ]}
    />
  );
}

function Units({ parent }: { parent: string }) {
  const navigate = route.useNavigate();
  const rows = useRows<Run>('runs', '/v1/runs', { parent_id: parent });
  return (
    <RowsTable
      label="Parts of this pass"
      rows={rows}
      keyOf={({ id }) => id}
      open={({ id }) => void navigate({ to: '/runs/$id', params: { id } })}
      height={420}
      columns={[
        {
          name: 'Scope',
          width: 'minmax(0, 1fr)',
          cell: (run) => (
            <AnchorLink to="/runs/$id" params={{ id: run.id }}>
              {run.scope === null ? run.type : `${run.scope.type} ${run.scope.id}`}
            </AnchorLink>
          ),
        },
        { name: 'Status', width: '110px', cell: (run) => <RunStatus run={run} /> },
        {
          name: 'What it did',
          width: 'minmax(0, 2fr)',
          wideOnly: true,
          cell: (run) => run.error ?? (countsInWords(run.counts) || '—'),
        },
        { name: 'Began', width: '120px', cell: (run) => <When at={run.started_at} /> },
      ]}
      empty={
        <Text size="sm" c="dimmed">
          This run has no parts of its own.
        </Text>
      }
    />
  );
}
