import fc from 'fast-check';
import { DRIFT_BY, DRIFT_LEAST, driftOf, type Outcomes } from '../src/domain/drift';
import { DAY, type RecallLane, startRecallLane } from './support/filing';
import { upkeep } from './support/upkeep';

jest.setTimeout(60_000);

const span = fc
  .tuple(fc.nat(40), fc.nat(40))
  .map(([worked, failed]) => ({ worked, n: worked + failed }));
const work: fc.Arbitrary<Outcomes> = fc.record({
  service: fc.constantFrom('crane', 'dock'),
  operation: fc.constantFrom('lift', 'park', 'turn'),
  kind: fc.constant(null),
  before: span,
  now: span,
});

it('names exactly what has enough in both spans and changed by more than chance, the most changed first', () => {
  fc.assert(
    fc.property(fc.array(work, { maxLength: 12 }), (outcomes) => {
      const found = driftOf(outcomes);
      const wanted = outcomes.filter(
        ({ before, now }) =>
          before.n >= DRIFT_LEAST &&
          now.n >= DRIFT_LEAST &&
          Math.abs(before.worked / before.n - now.worked / now.n) > DRIFT_BY,
      );
      expect(found).toHaveLength(wanted.length);
      const changes = found.map(({ before, now }) => Math.abs(now.share - before.share));
      expect(changes).toEqual([...changes].sort((a, b) => b - a));
    }),
  );
});

describe('a recalibration', () => {
  let lane: RecallLane;
  beforeAll(async () => {
    lane = await startRecallLane();
  });
  afterAll(() => lane.close());

  it('says which operation fails more than it did, by its labels, and how many cards have faded', async () => {
    const calls = async (operation: string, worked: number, failed: number) => {
      for (let at = 0; at < worked + failed; at += 1) {
        const outcome = at < worked ? 'worked' : 'failed';
        const input = { load: `crate ${at} of ${lane.clock.text()}` };
        await lane.filing.card({
          service: 'crane',
          operation,
          outcome,
          input,
          ...(outcome === 'failed' ? { error: 'too windy' } : {}),
        });
      }
    };
    await calls('lift', 11, 1);
    await calls('park', 12, 0);
    await calls('turn', 9, 0);
    lane.clock.advance(40 * DAY);
    await calls('lift', 2, 10);
    await calls('park', 10, 2);
    await calls('turn', 0, 9);
    lane.clock.advance(DAY);

    const { drift, counts } = await upkeep(lane, 'recalibration');

    const named = { service: 'crane', operation: 'lift', kind: null };
    expect(drift).toEqual([
      { ...named, before: { share: 11 / 12, n: 12 }, now: { share: 2 / 12, n: 12 } },
    ]);
    expect(counts).toMatchObject({ drifted: 1, faded: 0 });
    expect(JSON.stringify(drift)).not.toContain('windy');

    lane.clock.advance(100 * DAY);
    expect((await upkeep(lane, 'recalibration')).counts).toMatchObject({ drifted: 0, faded: 66 });
  });
});
