import { Group, Select, Text, TextInput } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { EventRecord } from '../../../../src/contracts/event';
import { DISPOSITIONS } from '../../../../src/contracts/names';
import { useRows } from '../../api/paging';
import { Empty } from '../../components/empty';
import { AnchorLink } from '../../components/links';
import { PageHead } from '../../components/page-head';
import { type Column, RowsTable } from '../../components/rows-table';
import { When } from '../../components/when';
import { DispositionBadge } from './marks';
import { Sections } from './sections';

const route = getRouteApi('/captures');

const word = (record: EventRecord, name: string) => {
  const value = record.event?.[name];
  return typeof value === 'string' ? value : null;
};

const COLUMNS: Column<EventRecord>[] = [
  {
    name: 'Event',
    width: 'minmax(0, 1.6fr)',
    cell: (record) => (
      <>
        <AnchorLink to="/captures/$id" params={{ id: record.event_id }} fw={550}>
          {[word(record, 'service'), word(record, 'operation')].filter(Boolean).join('.') ||
            record.kind ||
            'event'}
        </AnchorLink>
        <Text size="xs" c="dimmed" truncate ff="monospace">
          {record.event_id}
        </Text>
      </>
    ),
  },
  {
    name: 'Agent',
    width: 'minmax(0, 1fr)',
    wideOnly: true,
    cell: ({ agent }) => (
      <AnchorLink to="/agents/$id" params={{ id: agent }}>
        {agent}
      </AnchorLink>
    ),
  },
  { name: 'Outcome', width: '90px', wideOnly: true, cell: ({ outcome }) => outcome ?? '—' },
  {
    name: 'Became',
    width: '140px',
    cell: ({ disposition }) => <DispositionBadge disposition={disposition} />,
  },
  { name: 'Reported', width: '120px', cell: (record) => <When at={record.recorded_at} /> },
];

/** What runtimes reported, and what became of each. */
export function CapturesPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const rows = useRows<EventRecord>('events', '/v1/events', {
    disposition: search.disposition,
    agent: search.agent,
    since: search.since,
  });
  const set = (name: keyof typeof search) => (value: string | null) =>
    void navigate({ search: (now) => ({ ...now, [name]: value || undefined }), replace: true });
  return (
    <>
      <PageHead
        title="Captures"
        says="Settled work as it was reported, redacted before anything was kept, and what became of it."
      />
      <Sections at="captures" />
      <Group mb="sm" align="flex-end">
        <Select
          label="What became of it"
          placeholder="all"
          data={DISPOSITIONS.map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
          value={search.disposition ?? null}
          onChange={set('disposition')}
          clearable
          w={200}
        />
        <TextInput
          label="Agent"
          placeholder="all"
          defaultValue={search.agent ?? ''}
          key={search.agent ?? ''}
          onBlur={(event) => set('agent')(event.currentTarget.value.trim())}
          onKeyDown={(event) => {
            if (event.key === 'Enter') set('agent')(event.currentTarget.value.trim());
          }}
          data-page-search
          w={200}
        />
      </Group>
      <RowsTable
        label="Captures"
        rows={rows}
        columns={COLUMNS}
        keyOf={({ event_id }) => event_id}
        open={({ event_id }) => void navigate({ to: '/captures/$id', params: { id: event_id } })}
        height="calc(100vh - 330px)"
        empty={
          <Empty title="Nothing was reported">
            A runtime reports settled work by <code>POST /v1/events</code>.
          </Empty>
        }
      />
    </>
  );
}
