import { Badge, Group, Select, Text, TextInput } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { RUN_TYPES } from '../../../../src/contracts/names';
import type { Run } from '../../../../src/contracts/run';
import { useRows } from '../../api/paging';
import { useMay } from '../../app/session-context';
import { Empty } from '../../components/empty';
import { AnchorLink } from '../../components/links';
import { PageHead } from '../../components/page-head';
import { type Column, RowsTable } from '../../components/rows-table';
import { lasted, When } from '../../components/when';
import { countsInWords, RunStatus, tookMs } from './marks';
import { Sections } from './sections';
import { StartPass } from './start-pass';

const route = getRouteApi('/runs');
const STATUSES = ['running', 'completed', 'partial', 'failed'];

const COLUMNS: Column<Run>[] = [
  {
    name: 'Run',
    width: 'minmax(0, 1.2fr)',
    cell: (run) => (
      <>
        <AnchorLink to="/runs/$id" params={{ id: run.id }} fw={550}>
          {run.type}
        </AnchorLink>
        {run.dry_run && (
          <Badge ml={6} size="xs" variant="outline" color="gray" tt="none">
            dry run
          </Badge>
        )}
        <Text size="xs" c="dimmed" truncate>
          {run.scope === null ? 'whole workspace' : `${run.scope.type} ${run.scope.id}`}
          {run.day === null ? '' : ` · ${run.day}`}
        </Text>
      </>
    ),
  },
  { name: 'Status', width: '110px', cell: (run) => <RunStatus run={run} /> },
  {
    name: 'What it did',
    width: 'minmax(0, 2fr)',
    wideOnly: true,
    cell: (run) => (
      <Text size="sm" lineClamp={2}>
        {run.error ?? (countsInWords(run.counts) || '—')}
      </Text>
    ),
  },
  { name: 'Started', width: '120px', cell: (run) => <When at={run.started_at} none="waits" /> },
  {
    name: 'Took',
    width: '84px',
    wideOnly: true,
    align: 'right',
    cell: (run) => {
      const ms = tookMs(run, Date.now());
      return ms === null ? '—' : lasted(ms);
    },
  },
];

/** Everything that changed memory by itself, newest first; passes are started here. */
export function RunsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayStart = useMay('POST /v1/runs/:type');
  const rows = useRows<Run>('runs', '/v1/runs', {
    type: search.type,
    status: search.status,
    scope: search.scope,
    parent_id: search.parent,
  });
  const set = (name: keyof typeof search) => (value: string | null) =>
    void navigate({ search: (now) => ({ ...now, [name]: value || undefined }), replace: true });
  return (
    <>
      <PageHead
        title="Runs"
        says="What changed memory by itself: each run, what it did, and how to take it back."
        actions={mayStart && <StartPass />}
      />
      <Sections at="runs" />
      <Group mb="sm" align="flex-end">
        <Select
          label="Type"
          placeholder="all"
          data={[...RUN_TYPES]}
          value={search.type ?? null}
          onChange={set('type')}
          clearable
          searchable
          w={170}
        />
        <Select
          label="Status"
          placeholder="all"
          data={STATUSES}
          value={search.status ?? null}
          onChange={set('status')}
          clearable
          w={140}
        />
        <TextInput
          label="Scope"
          placeholder="team:support"
          defaultValue={search.scope ?? ''}
          key={search.scope ?? ''}
          onBlur={(event) => set('scope')(event.currentTarget.value.trim())}
          onKeyDown={(event) => {
            if (event.key === 'Enter') set('scope')(event.currentTarget.value.trim());
          }}
          data-page-search
          w={170}
        />
      </Group>
      <RowsTable
        label="Runs"
        rows={rows}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        open={({ id }) => void navigate({ to: '/runs/$id', params: { id } })}
        height="calc(100vh - 330px)"
        empty={
          <Empty title="No such run">
            Captures, passes and erasures stand here as soon as they begin.
          </Empty>
        }
      />
    </>
  );
}
