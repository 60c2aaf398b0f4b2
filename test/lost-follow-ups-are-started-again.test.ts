import { MockActivityEnvironment } from '@temporalio/testing';
import { createSweepActivities } from '../src/activities/sweep';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../src/domain/durations';
import { ACTION, InsightLane, type Saved } from './support/insight-lane';
import { createSwitchableEmbedder } from './support/switchable-embedder';

jest.setTimeout(60_000);

let lane: InsightLane;
beforeAll(async () => {
  lane = await InsightLane.start();
});
afterAll(() => lane?.stop());

/** The sweep's own step, as of that time. @returns what it put into the outbox for this follow-up */
async function sweep({ workspace, handle }: Saved, at: number): Promise<string[]> {
  const { sweepWorkspaces } = createSweepActivities({
    database: lane.database,
    clock: () => new Date(at),
    embedder: createSwitchableEmbedder(),
    hasModel: false,
  });
  const swept = await new MockActivityEnvironment().run(sweepWorkspaces, { after: '' });
  expect(swept).toMatchObject({ failed: 0 });
  const rows = await lane.rows<{ action: string }>(
    workspace,
    'SELECT action FROM outbox WHERE workflow_id = $1',
    [handle.workflowId],
  );
  return rows.map(({ action }) => action);
}

async function runs({ workspace }: Saved) {
  const rows = await lane.rows<{ state: string }>(
    workspace,
    "SELECT state FROM runs WHERE type = 'insight' ORDER BY created_at",
  );
  return rows.map(({ state }) => state);
}

test('one that was terminated is started once its window is over, and measures it', async () => {
  const saved = await lane.saved(await lane.workspace());
  const now = (await lane.now()).getTime();
  await lane.push(saved, 28.9, { at: new Date(now + DAY_MS).toISOString() });
  const due = Date.parse(await lane.take(saved));
  await lane.working(() => lane.begun(saved));
  await saved.handle.terminate('by an operator');
  expect(await sweep(saved, due + 10 * MINUTE_MS)).toEqual([]);
  await lane.until(due + HOUR_MS);
  expect(await sweep(saved, due + HOUR_MS)).toEqual(['start_insight']);
  // It is about to be sent: the next sweep adds none.
  expect(await sweep(saved, due + 2 * HOUR_MS)).toEqual(['start_insight']);
  await lane.deliver();
  const record = await lane.working(() => saved.handle.result());
  expect(record.actions).toMatchObject([{ status: 'measured', result: 'improved' }]);
  expect(await runs(saved)).toEqual(['completed']);
  expect(await sweep(saved, due + 300 * DAY_MS)).toEqual([]);
});

test('one whose start was lost is started after fifteen minutes, and waits out its window', async () => {
  const saved = await lane.saved(await lane.workspace());
  const { measureAt } = await lane.takeOnly(saved, {});
  await lane.rows(saved.workspace, "DELETE FROM outbox WHERE action = 'start_insight'");
  const now = (await lane.now()).getTime();
  expect(await sweep(saved, now + 10 * MINUTE_MS)).toEqual([]);
  expect(await sweep(saved, now + 20 * MINUTE_MS)).toEqual(['start_insight']);
  await lane.until(now + 21 * MINUTE_MS);
  await lane.deliver();
  await lane.working(() => saved.handle.result());
  expect(await lane.standing(saved)).toMatchObject({ status: 'unmeasured' });
  expect((await lane.now()).getTime()).toBeGreaterThanOrEqual(Date.parse(measureAt));
});

test('one whose run is no longer there has another', async () => {
  const saved = await lane.saved(await lane.workspace());
  const due = Date.parse(await lane.take(saved));
  await lane.working(() => lane.begun(saved));
  await saved.handle.terminate('by an operator');
  await lane.rows(saved.workspace, "UPDATE runs SET state = 'cancelled' WHERE type = 'insight'");
  await lane.until(due + HOUR_MS);
  expect(await sweep(saved, due + HOUR_MS)).toEqual(['start_insight']);
  await lane.deliver();
  await lane.working(() => saved.handle.result());
  expect(await runs(saved)).toEqual(['cancelled', 'completed']);
});

test('one that only waits is left alone, and so is one that runs when it is started again', async () => {
  const saved = await lane.saved(await lane.workspace(), { actions: [ACTION, 'PLANTED other'] });
  const due = Date.parse(await lane.take(saved));
  await lane.working(async () => {
    await lane.begun(saved);
    const { runId } = await saved.handle.describe();
    expect(await sweep(saved, due - HOUR_MS)).toEqual([]);
    // By that clock its window is over: nothing but its row tells, and another start changes nothing.
    expect(await sweep(saved, due + HOUR_MS)).toEqual(['start_insight']);
    await lane.rows(saved.workspace, 'UPDATE outbox SET next_at = now()');
    await lane.deliver();
    expect((await saved.handle.describe()).runId).toBe(runId);
    await saved.handle.result();
  });
  expect(await runs(saved)).toEqual(['completed']);
});
