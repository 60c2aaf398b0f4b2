import { randomInt } from 'node:crypto';
import { startApi, type TestApi } from './support/api';
import { describeNative } from './support/database';
import { LANE_START, TestClock } from './support/filing';
import { runLeaks, type WrongRead } from './support/leaks/leak-run';
import { SURFACES } from './support/surfaces/table';

/** Hundreds of requests on every surface: half a minute each on an idle machine of two cores. */
jest.setTimeout(240_000);

/** The short lane of `npm run bench:leaks`. */
const READS = 400;
const FIXED = [1, 2];
/** Another each time; it stands in the test's name, so that what it found can be found again. */
const DRAWN = randomInt(1_000_000);

const clock = new TestClock(LANE_START);
let api: TestApi;
const read = new Set<string>();

describeNative('while grants, groups, trees, households, statuses and the clock change', () => {
  beforeAll(async () => {
    api = await startApi({ clock: clock.now });
  });
  afterAll(() => api.close());

  it.each([...FIXED, DRAWN])(
    `${READS} reads of seed %i leak nothing and miss nothing`,
    async (seed) => {
      const wrong: WrongRead[] = [];
      const stage = {
        door: api,
        database: api.database,
        now: clock.now,
        advance: (milliseconds: number) => clock.advance(milliseconds),
      };
      const result = await runLeaks(stage, {
        seed,
        reads: READS,
        onWrong: (one) => wrong.push(one),
      });
      expect(wrong).toEqual([]);
      expect(result).toMatchObject({ reads: READS, leaks: 0, missing: 0 });
      // Readers that see nothing, and ones that see everything, would agree with the model as well.
      expect(Math.min(result.shown, result.hidden)).toBeGreaterThan(READS);
      expect(result.changes).toBeGreaterThan(READS / 6);
      for (const name of Object.keys(result.surfaces)) read.add(name);
    },
  );

  it('are made on every surface there is', () => {
    expect([...read].sort()).toEqual(SURFACES.map(({ name }) => name).sort());
  });
});
