import { Alert, Group, ScrollArea, SegmentedControl, Select, Table, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { Insight, MetricSnapshot } from '../../../../src/contracts/insight';
import { useRows } from '../../api/paging';
import { useMay } from '../../app/session-context';
import { AnchorLink } from '../../components/links';
import { Panel } from '../../components/panel';
import { When } from '../../components/when';
import { LazyMetricChart } from './lazy-chart';
import type { ChartMark } from './metric-chart';
import { PushNumber } from './push-number';
import { numberInWords, RESULTS } from './words';

const route = getRouteApi('/insights/$id');

/** More than anybody looks at; the list of metrics has all of them. */
const MOST_POINTS = 500;

const RESULT_COLORS = { improved: 'green.8', unchanged: 'gray.6', worse: 'red.8' } as const;

/** Where the metric stood, when something was done, and what came of it. */
export function MetricPanel({ insight }: { insight: Insight }) {
  const { metric, show } = route.useSearch();
  const navigate = route.useNavigate();
  const mayRead = useMay('GET /v1/metrics');
  const mayPush = useMay('POST /v1/metrics');
  const names = [...new Set(insight.baseline.map(({ name }) => name))];
  const name = names.find((one) => one === metric) ?? names[0];
  const baseline = insight.baseline.find((one) => one.name === name);
  const rows = useRows<MetricSnapshot>(
    'metrics insights',
    '/v1/metrics',
    { name },
    { enabled: mayRead && name !== undefined, pageSize: MOST_POINTS },
  );
  if (name === undefined || baseline === undefined) {
    return (
      <Panel title="Metric">
        <Text size="sm" c="dimmed">
          Saved without a metric: what an action comes to is told by a person or a runtime.
        </Text>
      </Panel>
    );
  }
  const points = withBaseline(rows.items, baseline);
  const asTable = show === 'table';
  const change = (changes: { metric?: string | undefined; show?: string | undefined }) =>
    void navigate({ search: (now) => ({ ...now, ...changes }), replace: true });
  return (
    <Panel
      title="Metric"
      says={
        <>
          {name}: baseline {numberInWords(baseline.value, baseline.unit)}, <When at={baseline.at} />
        </>
      }
      actions={
        <SegmentedControl
          aria-label="How to show the metric"
          size="xs"
          data={[
            { value: 'chart', label: 'Chart' },
            { value: 'table', label: 'Table' },
          ]}
          value={asTable ? 'table' : 'chart'}
          onChange={(value) => change({ show: value === 'table' ? 'table' : undefined })}
        />
      }
    >
      {names.length > 1 && (
        <Select
          label="Which metric"
          data={names}
          value={name}
          onChange={(value) => change({ metric: value ?? undefined })}
          allowDeselect={false}
          mb="sm"
          maw={360}
        />
      )}
      {rows.error !== null && (
        <Alert color="gray" mb="sm">
          {rows.error.message}
        </Alert>
      )}
      {asTable ? (
        <Numbers points={points} />
      ) : (
        <LazyMetricChart
          name={name}
          points={points}
          baseline={baseline.value}
          marks={marksOf(insight, name)}
        />
      )}
      <Group gap="xs" mt="sm">
        {mayRead && (
          <AnchorLink to="/insights" search={{ tab: 'metrics', metric: name }}>
            All its numbers
          </AnchorLink>
        )}
        {mayPush && <PushNumber name={name} unit={baseline.unit} />}
      </Group>
    </Panel>
  );
}

/** An insight's own number may never have been pushed. */
function withBaseline(points: readonly MetricSnapshot[], baseline: MetricSnapshot) {
  const isThere = points.some(({ at }) => Date.parse(at) === Date.parse(baseline.at));
  return isThere ? points : [...points, baseline];
}

function marksOf({ actions }: Insight, name: string): ChartMark[] {
  return actions.flatMap(({ taken_at, measure_at, outcome, status }) => {
    const marks: ChartMark[] = [];
    if (taken_at !== null) marks.push({ at: taken_at, label: 'action taken', color: 'blue.7' });
    if (outcome !== null && outcome.metric === name && outcome.value !== null) {
      const { at, value, result } = outcome;
      marks.push({ at, value, label: RESULTS[result], color: RESULT_COLORS[result] });
    } else if (status === 'taken' && measure_at !== null) {
      marks.push({ at: measure_at, label: 'to be measured', color: 'gray.6' });
    }
    return marks;
  });
}

function Numbers({ points }: { points: readonly MetricSnapshot[] }) {
  const sorted = [...points].sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
  return (
    <ScrollArea.Autosize
      mah={260}
      type="auto"
      viewportProps={{ tabIndex: 0, 'aria-label': 'Numbers of the metric' }}
    >
      <Table fz="sm" verticalSpacing={4} className="numbers">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Of</Table.Th>
            <Table.Th ta="right">Number</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sorted.map(({ at, value, unit }) => (
            <Table.Tr key={at}>
              <Table.Td>
                <When at={at} />
              </Table.Td>
              <Table.Td ta="right">{numberInWords(value, unit)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  );
}
