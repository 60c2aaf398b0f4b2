import { EXTEND, MEASURE_NOW } from '../src/contracts/insight';
import { DAY_MS } from '../src/domain/durations';
import { saveHistory } from './support/histories';
import { InsightLane, type Saved } from './support/insight-lane';
import { until } from './support/proposal-lane';

jest.setTimeout(180_000);

/** Of a history, at which the server suggests to begin a new one; by default it is 4,096. */
const EVENTS = 60;

let lane: InsightLane;
beforeAll(async () => {
  lane = await InsightLane.start({
    extraArgs: ['--dynamic-config-value', `limit.historyCount.suggestContinueAsNew=${EVENTS}`],
  });
});
afterAll(() => lane?.stop());

const currentRun = async ({ handle }: Saved) => (await handle.describe()).runId;

test('each of many extensions is answered, and the last one holds', async () => {
  const saved = await lane.saved(await lane.workspace());
  const takenAt = Date.parse(await lane.take(saved));
  const times = Array.from({ length: 20 }, (_, n) =>
    new Date(takenAt + (n + 1) * DAY_MS).toISOString(),
  );
  await lane.push(saved, 28.9, { at: new Date(Date.now() + 5_000).toISOString() });
  const record = await lane.working(async () => {
    await lane.begun(saved);
    const first = await currentRun(saved);
    for (let round = 0; round < times.length; round += 5) {
      const some = times.slice(round, round + 5);
      const answers = await Promise.all(
        some.map((time) => lane.order(saved, EXTEND, { until: time })),
      );
      // Whoever comes after a later one finds that it is measured later already.
      for (const answer of answers) {
        expect(answer === 'not_later' || typeof answer === 'object').toBe(true);
      }
      await until(async () => (await lane.standing(saved)).measure_at === some.at(-1));
    }
    await until(async () => (await currentRun(saved)) !== first);
    await saveHistory(
      'insight.continued',
      lane.env.client.workflow.getHandle(saved.handle.workflowId, first),
    );
    await until(async () => Date.now() > takenAt - 14 * DAY_MS + 6_000);
    expect(await lane.order(saved, MEASURE_NOW)).toMatchObject({ result: 'improved' });
    return await saved.handle.result();
  });
  expect(record.actions).toMatchObject([{ status: 'measured', result: 'improved' }]);
  expect(await lane.standing(saved)).toMatchObject({ measure_at: times.at(-1) });
  const runs = await lane.rows(saved.workspace, "SELECT state FROM runs WHERE type = 'insight'");
  expect(runs).toEqual([{ state: 'completed' }]);
});
