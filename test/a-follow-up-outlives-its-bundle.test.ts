import { QueryNotRegisteredError } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { EXTEND, MEASURE_NOW } from '../src/contracts/insight';
import { STATE_QUERY } from '../src/contracts/proposal-messages';
import { DAY_MS } from '../src/domain/durations';
import { Deploys } from './support/deploys';
import { saveHistory } from './support/histories';
import { InsightLane, type Saved } from './support/insight-lane';
import { olderBundle } from './support/older-bundle';
import { until } from './support/proposal-lane';
import { workflowBundlePath } from './support/temporal';

jest.setTimeout(180_000);

const { EVENT_TYPE_TIMER_STARTED: TIMER_STARTED } = temporal.api.enums.v1.EventType;

let lane: InsightLane;
let older: string;
let deploys: Deploys | null = null;

beforeAll(async () => {
  [lane, older] = await Promise.all([
    InsightLane.start('dev'),
    // One that could not be asked how it stands yet.
    olderBundle('src/workflows/insight.ts', (text) =>
      text.replace('setHandler(state, () => desk.record());', ''),
    ),
  ]);
  deploys = new Deploys(lane);
});
afterAll(async () => {
  await deploys?.stop();
  await lane?.stop();
});

/** It has begun and waits for the end of a window. */
async function waits({ handle }: Saved): Promise<void> {
  await until(
    async () => (await handle.fetchHistory()).events?.at(-1)?.eventType === TIMER_STARTED,
  );
}

/** Shows which bundle it is that has it now. */
async function isAsked({ handle }: Saved): Promise<boolean> {
  try {
    await handle.query(STATE_QUERY);
    return true;
  } catch (error) {
    if (!(error instanceof QueryNotRegisteredError)) throw error;
    return false;
  }
}

test('a follow-up that an older bundle began is extended and measured on the newer one', async () => {
  await deploys?.deploy(older);
  const metrics = [{ at: new Date(Date.now() - 2 * DAY_MS).toISOString() }];
  const saved = await lane.saved(await lane.workspace(), { metrics });
  const takenAt = new Date(Date.now() - DAY_MS);
  const measureAt = await lane.take(saved, { at: takenAt, isDated: true });
  await waits(saved);
  expect(await isAsked(saved)).toBe(false);
  await saveHistory('insight.waiting', saved.handle);

  await deploys?.deploy(workflowBundlePath());
  expect(await isAsked(saved)).toBe(true);
  const later = new Date(Date.parse(measureAt) + DAY_MS).toISOString();
  expect(await lane.order(saved, EXTEND, { until: later })).toMatchObject({ measure_at: later });
  await lane.push(saved, 28.9);
  expect(await lane.order(saved, MEASURE_NOW)).toMatchObject({ result: 'improved' });
  expect((await saved.handle.result()).actions).toMatchObject([{ result: 'improved' }]);
});

test('a window that ends after a deploy is measured by the newer one', async () => {
  await deploys?.deploy(older);
  const metrics = [{ at: new Date(Date.now() - 2 * DAY_MS).toISOString() }];
  const saved = await lane.saved(await lane.workspace(), { metrics });
  await lane.push(saved, 40.8, { at: new Date(Date.now() - 60_000).toISOString() });
  await lane.take(saved, {
    at: new Date(Date.now() - DAY_MS),
    isDated: true,
    window: `PT${24 * 60 * 60 + 20}S`,
  });
  await waits(saved);
  await deploys?.deploy(workflowBundlePath());
  expect((await saved.handle.result()).actions).toMatchObject([{ result: 'worse' }]);
});
