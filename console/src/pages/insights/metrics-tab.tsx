import { Group, Stack, Text, TextInput } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { MetricSnapshot } from '../../../../src/contracts/insight';
import { useRows } from '../../api/paging';
import { useMay } from '../../app/session-context';
import { Empty } from '../../components/empty';
import { AnchorLink } from '../../components/links';
import { Panel } from '../../components/panel';
import { type Column, RowsTable } from '../../components/rows-table';
import { When } from '../../components/when';
import { LazyMetricChart } from './lazy-chart';
import { PushNumber } from './push-number';
import { numberInWords } from './words';

const route = getRouteApi('/insights');

const GOALS = { up: 'more is better', down: 'less is better' } as const;

const COLUMNS: Column<MetricSnapshot>[] = [
  {
    name: 'Metric',
    width: 'minmax(0, 2fr)',
    cell: ({ name }) => (
      <AnchorLink to="/insights" search={{ tab: 'metrics', metric: name }}>
        {name}
      </AnchorLink>
    ),
  },
  {
    name: 'Number',
    width: 'minmax(0, 1fr)',
    align: 'right',
    cell: ({ value, unit }) => numberInWords(value, unit),
  },
  {
    name: 'Goal',
    width: '150px',
    wideOnly: true,
    cell: ({ goal }) => (
      <Text size="xs" c="dimmed">
        {goal === null ? 'by its name' : GOALS[goal]}
      </Text>
    ),
  },
  { name: 'Of', width: '110px', cell: ({ at }) => <When at={at} /> },
];

/** Numbers of the business, by which insights are scored and measured. */
export function MetricsTab() {
  const { metric } = route.useSearch();
  const navigate = route.useNavigate();
  const mayPush = useMay('POST /v1/metrics');
  const rows = useRows<MetricSnapshot>('metrics insights', '/v1/metrics', { name: metric });
  const name = (value: string) =>
    void navigate({
      search: (now) => ({ ...now, metric: value === '' ? undefined : value }),
      replace: true,
    });
  return (
    <Stack gap="md">
      <Group align="flex-end" justify="space-between">
        <TextInput
          label="Metric"
          description="Its whole name"
          placeholder="all"
          defaultValue={metric ?? ''}
          key={metric ?? ''}
          onBlur={(event) => name(event.currentTarget.value.trim())}
          onKeyDown={(event) => {
            if (event.key === 'Enter') name(event.currentTarget.value.trim());
          }}
          data-page-search
          w={{ base: '100%', xs: 320 }}
        />
        {mayPush && <PushNumber name={metric} unit={rows.items[0]?.unit ?? null} />}
      </Group>
      {metric !== undefined && rows.items.length > 1 && (
        <Panel title={metric} says={`${rows.total.toLocaleString()} numbers`}>
          <LazyMetricChart name={metric} points={rows.items} baseline={null} marks={[]} />
        </Panel>
      )}
      <RowsTable
        label="Metrics"
        rows={rows}
        columns={COLUMNS}
        keyOf={({ name: of, at }) => `${of} ${at}`}
        rowHeight={42}
        height={metric === undefined ? 'calc(100vh - 340px)' : 420}
        empty={
          <Empty title={metric === undefined ? 'No number was pushed yet' : 'No such metric'}>
            A runtime or a person pushes numbers by <code>POST /v1/metrics</code>.
          </Empty>
        }
      />
    </Stack>
  );
}
