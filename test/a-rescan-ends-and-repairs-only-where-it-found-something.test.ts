import fc from 'fast-check';
import { RESCAN_PLACES, type RescanAt, type RescanPlace } from '../src/contracts/rescan';
import { beginning, leftOf, MOST_ROUNDS, nextAt } from '../src/domain/rescan';

/** Of each round: the batches of each place, and the places in which its look finds something. */
const rounds = fc.array(
  fc.record({
    batches: fc.array(fc.integer({ min: 1, max: 3 }), {
      minLength: RESCAN_PLACES.length,
      maxLength: RESCAN_PLACES.length,
    }),
    dirty: fc.subarray([...RESCAN_PLACES]),
  }),
  { minLength: MOST_ROUNDS, maxLength: MOST_ROUNDS },
);

function walk(
  plan: { batches: number[]; dirty: RescanPlace[] }[],
  dryRun: boolean,
): { visited: RescanAt[]; left: number } {
  const progress = beginning(dryRun);
  const visited: RescanAt[] = [];
  while (progress.at !== null) {
    const { at } = progress;
    visited.push(at);
    expect(visited.length).toBeLessThan(2 * MOST_ROUNDS * 3 * RESCAN_PLACES.length + 1);
    const round = plan[at.round - 1];
    if (at.step === 'look' && round?.dirty.includes(at.place)) {
      progress.dirty[at.place] = (progress.dirty[at.place] ?? 0) + 1;
    }
    progress.at = nextAt(
      progress,
      at.batch < (round?.batches[RESCAN_PLACES.indexOf(at.place)] ?? 1),
    );
    if (at.step === 'repair' && progress.at?.step === 'look') progress.dirty = {};
  }
  return { visited, left: leftOf(progress) };
}

const placesOf = (visited: readonly RescanAt[], round: number, step: RescanAt['step']) => [
  ...new Set(
    visited.filter((at) => at.round === round && at.step === step).map(({ place }) => place),
  ),
];

it('looks at every place in order, repairs those where it found something, and ends', () => {
  fc.assert(
    fc.property(rounds, (plan) => {
      const { visited, left } = walk(plan, false);
      const last = visited.at(-1)?.round ?? 0;
      for (let round = 1; round <= last; round += 1) {
        expect(placesOf(visited, round, 'look')).toEqual([...RESCAN_PLACES]);
        const found = RESCAN_PLACES.filter((place) => plan[round - 1]?.dirty.includes(place));
        const isLast = round === last;
        expect(placesOf(visited, round, 'repair')).toEqual(isLast ? [] : found);
        // It goes on exactly as long as a look finds something, and no longer than its rounds.
        if (!isLast) expect(found).not.toEqual([]);
        else expect(found.length === 0 || round === MOST_ROUNDS).toBe(true);
      }
      const least = plan[last - 1]?.dirty.length ?? 0;
      expect(left).toBeGreaterThanOrEqual(least);
      expect(left === 0).toBe(least === 0);
    }),
  );
});

it('only looks, and once, as a dry run', () => {
  fc.assert(
    fc.property(rounds, (plan) => {
      const { visited } = walk(plan, true);
      expect(visited.every(({ step, round }) => step === 'look' && round === 1)).toBe(true);
    }),
  );
});
