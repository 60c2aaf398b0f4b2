import type { InsightActivities } from '../src/activities/insight';
import { CANCEL_FOLLOW_UP, EXTEND, MEASURE_NOW } from '../src/contracts/insight';
import { DAY_MS } from '../src/domain/durations';
import { describeNative } from './support/database';
import { ACTION, type AroundInsight, InsightLane, type Saved } from './support/insight-lane';
import { KilledWorkers } from './support/killed-workers';

jest.setTimeout(300_000);

const day = async (lane: InsightLane, days: number) =>
  new Date((await lane.now()).getTime() + days * DAY_MS);

/** Taken twenty days ago, so that its window is over; or yesterday. */
async function taken(lane: InsightLane, daysAgo: number): Promise<Saved> {
  const metrics = [{ at: (await day(lane, -30)).toISOString() }];
  const saved = await lane.saved(await lane.workspace(), { metrics });
  await lane.push(saved, 28.9, { at: (await day(lane, 0.5 - daysAgo)).toISOString() });
  await lane.take(saved, { at: await day(lane, -daysAgo), isDated: true });
  return saved;
}

async function once(lane: InsightLane, saved: Saved): Promise<void> {
  expect(await lane.rows(saved.workspace, 'SELECT result FROM action_outcomes')).toEqual([
    { result: 'improved' },
  ]);
  expect(await lane.outcomeCards(saved.workspace)).toHaveLength(1);
  expect(await lane.card(saved.workspace, saved.card)).toMatchObject({ version: 2 });
  expect(await lane.audit(saved)).toEqual([
    'insight.action_taken status',
    'insight.measured improved',
  ]);
  const runs = await lane.rows(saved.workspace, "SELECT state FROM runs WHERE type = 'insight'");
  expect(runs).toEqual([{ state: 'completed' }]);
}

describeNative('a worker that is killed', () => {
  let lane: InsightLane;
  let workers: KilledWorkers;
  beforeAll(async () => {
    lane = await InsightLane.start('dev');
    workers = await KilledWorkers.on(lane);
  });
  afterAll(async () => {
    workers?.stop();
    await lane?.stop();
  });

  /** A step stands before the row, with its transaction open, and its worker is killed. */
  async function killed(table: 'cards' | 'insights', id: string): Promise<void> {
    const worker = workers.start();
    await workers.whileHolding(
      `SELECT 1 FROM ${table} WHERE id = $1 FOR UPDATE`,
      async (stands) => {
        await stands();
        await workers.kill(worker);
      },
      [id],
    );
  }

  test('before it has looked, and again while it measures: the next one has one outcome', async () => {
    const saved = await taken(lane, 20);
    await killed('insights', saved.id);
    await killed('cards', saved.card);
    expect(await lane.standing(saved)).toMatchObject({ status: 'taken', result: null });
    const next = workers.start();
    const record = await saved.handle.result();
    expect(record.actions).toMatchObject([{ status: 'measured', result: 'improved' }]);
    await once(lane, saved);
    await workers.kill(next);
  });

  test('while somebody waits for the answer to an Update, which comes from the next one', async () => {
    const saved = await taken(lane, 1);
    const answer = lane.order(saved, MEASURE_NOW);
    await killed('cards', saved.card);
    workers.start();
    expect(await answer).toMatchObject({ status: 'measured', result: 'improved' });
    await saved.handle.result();
    await once(lane, saved);
  });
});

describe('a commit that its workflow never heard of', () => {
  let lane: InsightLane;
  beforeAll(async () => {
    lane = await InsightLane.start();
  });
  afterAll(() => lane?.stop());

  /** The first try of each step commits, and is lost. */
  const losing: AroundInsight = (activities) => {
    const lost = new Set<string>();
    const wrapped = Object.entries(activities).map(([name, step]) => {
      const losingOnce = async (input: object) => {
        const result = await (step as (said: object) => Promise<unknown>)(input);
        const key = JSON.stringify([name, { ...input, at: null }]);
        if (lost.has(key)) return result;
        lost.add(key);
        throw new Error('the worker went away after its commit');
      };
      return [name, losingOnce] as const;
    });
    return Object.fromEntries(wrapped) as unknown as InsightActivities;
  };

  test('of a measuring when its window is over: one outcome', async () => {
    const saved = await taken(lane, 20);
    await lane.working(() => saved.handle.result(), losing);
    await once(lane, saved);
  });

  test('of an early one: one outcome, and the answer is that of the first try', async () => {
    const saved = await taken(lane, 1);
    await lane.working(async () => {
      expect(await lane.order(saved, MEASURE_NOW)).toMatchObject({
        result: 'improved',
        code: null,
      });
      return await saved.handle.result();
    }, losing);
    await once(lane, saved);
  });

  test('of an extension and a cancelling: each once', async () => {
    const saved = await lane.saved(await lane.workspace(), { actions: [ACTION] });
    await lane.take(saved);
    const until = (await day(lane, 40)).toISOString();
    await lane.working(async () => {
      expect(await lane.order(saved, EXTEND, { until })).toMatchObject({ code: null });
      expect(await lane.order(saved, CANCEL_FOLLOW_UP)).toMatchObject({ status: 'cancelled' });
      return await saved.handle.result();
    }, losing);
    expect(await lane.audit(saved)).toEqual([
      'insight.action_taken status',
      'insight.extended measure_at',
      'insight.cancelled status',
    ]);
  });
});
