import '@mantine/charts/styles.css';
import { ChartTooltip, LineChart } from '@mantine/charts';
import type { MetricSnapshot } from '../../../../src/contracts/insight';
import { exact } from '../../components/when';
import { numberInWords } from './words';

/** A moment that is marked on the chart. */
export interface ChartMark {
  at: string;
  label: string;
  color: string;
  /** What it came to; marked by a dot. */
  value?: number;
}

export interface MetricChartProps {
  name: string;
  /** In any order. */
  points: readonly MetricSnapshot[];
  /** Where the metric stood when the insight was saved. */
  baseline: number | null;
  marks: readonly ChartMark[];
}

const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

/** A metric over time. The same numbers stand in the table, for whom lines say nothing. */
export default function MetricChart({ name, points, baseline, marks }: MetricChartProps) {
  const data = [...points]
    .map(({ at, value }) => ({ at: Date.parse(at), value }))
    .sort((a, b) => a.at - b.at);
  const unit = points[0]?.unit ?? null;
  const times = [...data.map(({ at }) => at), ...marks.map(({ at }) => Date.parse(at))];
  const middle = (Math.min(...times) + Math.max(...times)) / 2;
  const figures = [
    ...data.map(({ value }) => value),
    ...(baseline === null ? [] : [baseline]),
    ...marks.flatMap(({ value }) => value ?? []),
  ];
  const series = [{ name: 'value', label: name, color: 'lichen.5' }];
  const say = (value: number) => numberInWords(value, unit);
  return (
    <div role="img" aria-label={inWords(name, data, baseline, say)}>
      <LineChart
        h={260}
        data={data}
        dataKey="at"
        series={series}
        curveType="linear"
        accessibilityLayer={false}
        dotProps={{ r: 3 }}
        valueFormatter={(value) => value.toLocaleString(undefined, { maximumFractionDigits: 2 })}
        lineProps={{ isAnimationActive: false }}
        lineChartProps={{ margin: { top: 18, right: 24 } }}
        xAxisProps={{
          type: 'number',
          scale: 'time',
          domain: [Math.min(...times), Math.max(...times)],
          tickFormatter: (at: number) => DAY.format(new Date(at)),
          minTickGap: 24,
        }}
        yAxisProps={{ domain: around(figures), width: 56 }}
        tooltipProps={{
          content: ({ label, payload }) => (
            <ChartTooltip
              label={typeof label === 'number' ? exact(new Date(label).toISOString()) : null}
              payload={[...(payload ?? [])]}
              series={series}
              valueFormatter={say}
            />
          ),
        }}
        referenceLines={[
          ...(baseline === null
            ? []
            : [
                {
                  y: baseline,
                  label: `baseline ${say(baseline)}`,
                  color: 'orange.7',
                  labelPosition: 'insideBottomLeft' as const,
                },
              ]),
          ...marks.map(({ at, label, color }, n) => ({
            x: Date.parse(at),
            color,
            // Words stay within the chart, and those of neighbours below one another.
            label: {
              value: label,
              fill: 'var(--mantine-color-text)',
              fontSize: 12,
              position:
                Date.parse(at) > middle ? ('insideTopRight' as const) : ('insideTopLeft' as const),
              dy: (n % 3) * 15,
            },
          })),
        ]}
        referenceDots={marks.flatMap(({ at, value, color }) =>
          value === undefined ? [] : [{ x: Date.parse(at), y: value, r: 6, color }],
        )}
      />
    </div>
  );
}

/** A little air above and below, so that a change shows as one. */
function around(figures: readonly number[]): [number, number] {
  const low = Math.min(...figures);
  const high = Math.max(...figures);
  const air = (high - low) * 0.15 || Math.abs(high) * 0.1 || 1;
  return [neat(low - air, Math.floor), neat(high + air, Math.ceil)];
}

function neat(value: number, round: (value: number) => number): number {
  const step = 10 ** Math.floor(Math.log10(Math.abs(value) || 1) - 1);
  return Number((round(value / step) * step).toPrecision(4));
}

function inWords(
  name: string,
  data: readonly { at: number; value: number }[],
  baseline: number | null,
  say: (value: number) => string,
): string {
  const [first, last] = [data[0], data.at(-1)];
  if (first === undefined || last === undefined) return `${name}: no numbers`;
  const stood = baseline === null ? '' : `, baseline ${say(baseline)}`;
  return `${name}, ${data.length} numbers from ${say(first.value)} to ${say(last.value)}${stood}; the table has them all`;
}
