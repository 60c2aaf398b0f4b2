import type { Disposition } from '../../../../src/contracts/names';
import type { Overview } from '../../../../src/contracts/overview';
import Bars from './bars';
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
  return (
    <Bars
      height={240}
      says="Captures over time, by what became of them; the table has the numbers"
      names={series.map(({ at }) => name(at))}
      series={shown.map((one) => ({
        label: inWords(one),
        color: DISPOSITION_COLORS[one],
        values: series.map(({ counts }) => counts[one] ?? 0),
      }))}
    />
  );
}
