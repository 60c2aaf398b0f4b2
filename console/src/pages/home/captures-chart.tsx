import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import type { Disposition } from '../../../../src/contracts/names';
import type { Overview } from '../../../../src/contracts/overview';
import { DISPOSITION_COLORS, inWords } from './words';

/** One bar a day or hour. The same numbers stand in the table, for whom bars say nothing. */
export default function CapturesChart({
  series,
  shown,
  name,
}: {
  series: Overview['captures']['series'];
  shown: readonly Disposition[];
  name(at: string): string;
}) {
  const data = series.map(({ at, counts }) => ({
    at: name(at),
    ...Object.fromEntries(shown.map((one) => [one, counts[one] ?? 0])),
  }));
  return (
    <div
      role="img"
      aria-label="Captures over time, by what became of them; the table has the numbers"
    >
      <BarChart
        h={240}
        data={data}
        dataKey="at"
        type="stacked"
        series={shown.map((one) => ({
          name: one,
          label: inWords(one),
          color: DISPOSITION_COLORS[one],
        }))}
        maxBarWidth={48}
        tickLine="none"
        accessibilityLayer={false}
        valueFormatter={(value) => value.toLocaleString()}
        xAxisProps={{ minTickGap: 16 }}
        yAxisProps={{ allowDecimals: false, width: 44 }}
        barProps={{ isAnimationActive: false }}
      />
    </div>
  );
}
