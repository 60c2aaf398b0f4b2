import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import type { CountAt } from '../../../../src/contracts/overview';

export default function RecallsChart({
  series,
  total,
  name,
}: {
  series: readonly CountAt[];
  total: number;
  name(at: string): string;
}) {
  const most = Math.max(...series.map(({ count }) => count));
  return (
    <div
      role="img"
      aria-label={`Recalls over time: ${total} in all, ${most} at most in one bar of ${series.length}`}
    >
      <BarChart
        h={110}
        mt="sm"
        data={series.map(({ at, count }) => ({ at: name(at), count }))}
        dataKey="at"
        series={[{ name: 'count', label: 'recalls', color: 'lichen.5' }]}
        maxBarWidth={36}
        tickLine="none"
        accessibilityLayer={false}
        xAxisProps={{ minTickGap: 16 }}
        yAxisProps={{ allowDecimals: false, width: 36, tickCount: 3 }}
        barProps={{ isAnimationActive: false }}
      />
    </div>
  );
}
