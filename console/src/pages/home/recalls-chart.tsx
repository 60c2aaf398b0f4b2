import type { CountAt } from '../../../../src/contracts/overview';
import Bars from './bars';

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
    <Bars
      height={120}
      says={`Recalls over time: ${total} in all, ${most} at most in one bar of ${series.length}`}
      names={series.map(({ at }) => name(at))}
      series={[{ label: 'recalls', color: 'lichen.5', values: series.map(({ count }) => count) }]}
    />
  );
}
