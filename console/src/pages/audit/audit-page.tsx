import { Drawer, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { AuditRow } from '../../../../src/contracts/audit';
import { useRows } from '../../api/paging';
import { Empty } from '../../components/empty';
import { Facts } from '../../components/facts';
import { JsonText } from '../../components/json-text';
import { PageHead } from '../../components/page-head';
import { type Column, RowsTable } from '../../components/rows-table';
import { exact, When } from '../../components/when';
import { WorkflowLink } from '../../components/workflow-link';
import { ExportButton } from './export-button';
import { FilterBar } from './filter-bar';
import { Sections } from './sections';
import { TargetLink } from './target-link';

const route = getRouteApi('/audit');

const FIELDS = [
  { name: 'actor', label: 'Who' },
  { name: 'action', label: 'Did', placeholder: 'card.corrected' },
  { name: 'target_type', label: 'To what kind', placeholder: 'card' },
  { name: 'target', label: 'To which' },
];

const COLUMNS: Column<AuditRow>[] = [
  {
    name: 'No.',
    width: '72px',
    align: 'right',
    wideOnly: true,
    cell: ({ seq }) => seq.toLocaleString(),
  },
  { name: 'When', width: '120px', cell: ({ at }) => <When at={at} /> },
  {
    name: 'Who',
    width: 'minmax(0, 0.9fr)',
    cell: ({ actor }) => (
      <>
        <Text size="sm" truncate title={actor.id}>
          {actor.id}
        </Text>
        <Text size="xs" c="dimmed">
          {actor.kind}
        </Text>
      </>
    ),
  },
  {
    name: 'Did',
    width: 'minmax(0, 1.1fr)',
    cell: ({ action, changed }) => (
      <>
        <Text size="sm" fw={550}>
          {action}
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {changed.join(', ')}
        </Text>
      </>
    ),
  },
  {
    name: 'To',
    width: 'minmax(0, 1.4fr)',
    wideOnly: true,
    cell: ({ target }) => (
      <>
        <TargetLink type={target.type} id={target.id} />
        <Text size="xs" c="dimmed">
          {target.type}
        </Text>
      </>
    ),
  },
  { name: 'By', width: '90px', wideOnly: true, cell: ({ channel }) => channel },
];

/** Who changed what, row by row; no content stands in it. */
export function AuditPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { row, ...filters } = search;
  const rows = useRows<AuditRow>('audit', '/v1/audit', filters);
  const shown = rows.items.find(({ seq }) => String(seq) === row);
  const change = (changes: Partial<typeof search>, replace = true) =>
    void navigate({ search: (now) => ({ ...now, ...changes }), replace });
  return (
    <>
      <PageHead
        title="Audit"
        says="Every change, by whom and through which door: names of fields, versions and hashes, no content."
        actions={<ExportButton />}
      />
      <Sections at="audit" />
      <FilterBar
        fields={FIELDS}
        values={filters}
        set={(name, value) => change({ [name]: value })}
        clear={() => void navigate({ search: {} })}
      />
      <RowsTable
        label="Changes"
        rows={rows}
        columns={COLUMNS}
        keyOf={({ seq }) => String(seq)}
        open={({ seq }) => change({ row: String(seq) }, false)}
        selected={row}
        height="calc(100vh - 340px)"
        empty={<Empty title="No such change">Nothing fits these filters.</Empty>}
      />
      <Drawer
        opened={row !== undefined}
        onClose={() => change({ row: undefined })}
        position="right"
        title={shown === undefined ? 'Row' : `Row ${shown.seq}: ${shown.action}`}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {shown === undefined ? (
          <Text size="sm">This row is further down the list, or outside of these filters.</Text>
        ) : (
          <Stack>
            <Facts
              rows={[
                ['When', exact(shown.at)],
                ['Who', `${shown.actor.kind} ${shown.actor.id}`],
                ['By', shown.channel],
                [
                  `To ${shown.target.type}`,
                  <TargetLink key="t" type={shown.target.type} id={shown.target.id} />,
                ],
                ['Changed', shown.changed.join(', ')],
                ['Versions', shown.versions.join(' → ')],
                ['Reason', shown.reason_id],
                [
                  'Lifecycle',
                  shown.workflow_id === null ? null : (
                    <WorkflowLink key="w" id={shown.workflow_id} />
                  ),
                ],
              ]}
            />
            {Object.keys(shown.hashes).length > 0 && <JsonText value={shown.hashes} />}
          </Stack>
        )}
      </Drawer>
    </>
  );
}
