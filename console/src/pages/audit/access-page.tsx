import { Select, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { AccessRow } from '../../../../src/contracts/audit';
import { VIAS } from '../../../../src/contracts/names';
import { useRows } from '../../api/paging';
import { Empty } from '../../components/empty';
import { AnchorLink } from '../../components/links';
import { PageHead } from '../../components/page-head';
import { type Column, RowsTable } from '../../components/rows-table';
import { When } from '../../components/when';
import { FilterBar } from './filter-bar';
import { Sections } from './sections';

const route = getRouteApi('/audit/access');

const FIELDS = [
  { name: 'agent', label: 'Agent' },
  { name: 'person', label: 'Person' },
  { name: 'card', label: 'Card' },
];
/** Of a row's cards, so many are named; a recall hands over five. */
const NAMED = 3;

const COLUMNS: Column<AccessRow>[] = [
  { name: 'When', width: '120px', cell: ({ at }) => <When at={at} /> },
  {
    name: 'Reader',
    width: 'minmax(0, 1fr)',
    cell: ({ agent, person, execution_mode }) => (
      <>
        {agent === null ? (
          <Text size="sm">{person ?? 'nobody named'}</Text>
        ) : (
          <AnchorLink to="/agents/$id" params={{ id: agent }}>
            {agent}
          </AnchorLink>
        )}
        <Text size="xs" c="dimmed">
          {agent !== null && person !== null ? `for ${person}, ` : ''}
          {execution_mode}
        </Text>
      </>
    ),
  },
  { name: 'Seen by', width: '110px', wideOnly: true, cell: ({ via }) => via.replace('_', ' ') },
  {
    name: 'Through',
    width: 'minmax(0, 0.8fr)',
    wideOnly: true,
    cell: ({ surface }) => (
      <Text size="xs" ff="monospace">
        {surface}
      </Text>
    ),
  },
  {
    name: 'Cards',
    width: 'minmax(0, 1.2fr)',
    cell: ({ card_ids, count }) => (
      <Text size="xs" component="div">
        {card_ids.slice(0, NAMED).map((id) => (
          <AnchorLink key={id} to="/cards/$id" params={{ id }} size="xs" ff="monospace" mr={6}>
            {id.slice(0, 14)}…
          </AnchorLink>
        ))}
        {count > NAMED && `and ${(count - NAMED).toLocaleString()} more`}
      </Text>
    ),
  },
];

/** Who read whose card, for what, through which door. */
export function AccessPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const rows = useRows<AccessRow>('access', '/v1/access-log', search);
  const set = (name: string, value: string | undefined) =>
    void navigate({ search: (now) => ({ ...now, [name]: value }), replace: true });
  return (
    <>
      <PageHead
        title="Access log"
        says="Every read of a card that is not the reader’s own. It outlives the card."
      />
      <Sections at="access" />
      <FilterBar
        fields={FIELDS}
        values={search}
        set={set}
        clear={() => void navigate({ search: {} })}
      >
        <Select
          label="Seen by"
          placeholder="all"
          data={VIAS.map((value) => ({ value, label: value.replace('_', ' ') }))}
          value={search.via ?? null}
          onChange={(value) => set('via', value ?? undefined)}
          clearable
          w={150}
        />
      </FilterBar>
      <RowsTable
        label="Reads"
        rows={rows}
        columns={COLUMNS}
        keyOf={({ id }) => String(id)}
        height="calc(100vh - 340px)"
        empty={<Empty title="No such read">Nothing fits these filters.</Empty>}
      />
    </>
  );
}
