import { Group, Text } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { Insight } from '../../../../src/contracts/insight';
import { useRows } from '../../api/paging';
import { Empty } from '../../components/empty';
import { AnchorLink, ButtonLink } from '../../components/links';
import { type Column, RowsTable } from '../../components/rows-table';
import { When } from '../../components/when';
import { FilterBar } from './filter-bar';
import { Score, SeverityMark } from './marks';
import { nameOf, standing, valuesOf } from './words';

const route = getRouteApi('/insights');

const COLUMNS: Column<Insight>[] = [
  { name: 'Urgency', width: '72px', cell: ({ urgency }) => <Score score={urgency.score} /> },
  {
    name: 'Finding',
    width: 'minmax(0, 2.2fr)',
    cell: (insight) => (
      <>
        <AnchorLink to="/insights/$id" params={{ id: insight.id }} fw={550} lineClamp={2}>
          {nameOf(insight)}
        </AnchorLink>
        {insight.title !== null && (
          <Text size="xs" c="dimmed" lineClamp={1}>
            {insight.finding}
          </Text>
        )}
      </>
    ),
  },
  {
    name: 'Severity',
    width: '140px',
    wideOnly: true,
    cell: ({ severity, domain }) => (
      <Group gap={6}>
        <SeverityMark severity={severity} />
        <Text size="xs" c="dimmed" truncate>
          {domain}
        </Text>
      </Group>
    ),
  },
  {
    name: 'Actions',
    width: 'minmax(0, 1fr)',
    wideOnly: true,
    cell: (insight) => (
      <Text size="xs" c="dimmed" lineClamp={2}>
        {standing(insight)}
      </Text>
    ),
  },
  {
    name: 'Owner',
    width: 'minmax(0, 110px)',
    wideOnly: true,
    cell: ({ owner }) => (
      <Text size="xs" truncate title={`${owner.kind} ${owner.id}`}>
        {owner.id}
      </Text>
    ),
  },
  { name: 'Saved', width: '96px', cell: ({ created_at }) => <When at={created_at} /> },
];

/** Findings, the most urgent first unless one says otherwise. */
export function InsightsTab() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const rows = useRows<Insight>('insights', '/v1/insights', {
    q: search.q,
    severity: valuesOf(search.severity),
    status: valuesOf(search.status),
    origin: valuesOf(search.origin),
    domain: search.domain,
    min_score: /^\d{1,3}(\.\d+)?$/.test(search.min ?? '') ? search.min : undefined,
    order: search.order === 'created' ? 'created' : 'score',
  });
  const isFiltered = Object.keys(search).some((name) => name !== 'order' && name !== 'tab');
  return (
    <>
      <FilterBar />
      <RowsTable
        label="Insights"
        rows={rows}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        open={({ id }) => void navigate({ to: '/insights/$id', params: { id } })}
        rowHeight={60}
        height="calc(100vh - 330px)"
        empty={
          isFiltered ? (
            <Empty title="No such insight">
              <ButtonLink to="/insights">Show all</ButtonLink>
            </Empty>
          ) : (
            <Empty title="No insight yet">
              An agent, a program or a person saves a finding by <code>POST /v1/insights</code>.{' '}
              <code>npm run sample:insights</code> tells three months of a group of restaurants.
            </Empty>
          )
        }
      />
    </>
  );
}
