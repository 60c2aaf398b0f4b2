import { MockActivityEnvironment } from '@temporalio/testing';
import { createSweepActivities } from '../src/activities/sweep';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../src/domain/durations';
import { ProposalLane, until, type Waiting } from './support/proposal-lane';
import { createSwitchableEmbedder } from './support/switchable-embedder';

jest.setTimeout(25_000);

const APPROVE = { decision: 'approve', by: 'reviewer', version: 1 } as const;

let lane: ProposalLane;
beforeAll(async () => {
  lane = await ProposalLane.start();
});
afterAll(() => lane?.stop());

/** The sweep's own step, as of that time. @returns what it put into the outbox for this proposal */
async function sweep({ workspace, handle }: Waiting, at: number): Promise<string[]> {
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

const begun = async ({ workspace, id }: Waiting) =>
  (
    await lane.rows<{ run_id: string | null }>(
      workspace,
      'SELECT run_id FROM proposals WHERE id = $1',
      [id],
    )
  )[0]?.run_id !== null;

test('one that was terminated is started once its expiry is late, and ends expired', async () => {
  const waiting = await lane.promotion(await lane.workspace());
  await lane.working(() => until(() => begun(waiting)));
  await waiting.handle.terminate('by an operator');
  const deadline = Date.parse((await lane.standing(waiting)).expires_at);
  await lane.rows(waiting.workspace, 'UPDATE proposals SET reminded_for = expires_at');
  expect(await sweep(waiting, deadline + 10 * MINUTE_MS)).toEqual([]);
  await lane.until(deadline + HOUR_MS);
  expect(await sweep(waiting, deadline + HOUR_MS)).toEqual(['start_proposal']);
  // It is about to be sent: the next sweep adds none.
  expect(await sweep(waiting, deadline + 2 * HOUR_MS)).toEqual(['start_proposal']);

  await lane.deliver();
  const record = await lane.working(() => waiting.handle.result());
  expect(record).toMatchObject({ status: 'expired', version: 1, channel: null });
  expect(await lane.standing(waiting)).toMatchObject({ status: 'expired' });
  expect(await sweep(waiting, deadline + 30 * DAY_MS)).toEqual([]);
});

test('one that was terminated is started once its reminder is late, and reminds', async () => {
  const waiting = await lane.promotion(await lane.workspace());
  await lane.working(() => until(() => begun(waiting)));
  await waiting.handle.terminate('by an operator');
  const opened = (await lane.now()).getTime();
  expect(await sweep(waiting, opened + 3 * DAY_MS)).toEqual([]);
  await lane.until(opened + 3 * DAY_MS + HOUR_MS);
  expect(await sweep(waiting, opened + 3 * DAY_MS + HOUR_MS)).toEqual(['start_proposal']);
  await lane.deliver();
  const record = await lane.working(() => waiting.handle.result());
  // The first is sent late, and the second at its time.
  expect(record).toMatchObject({ status: 'expired', reminders: 2 });
});

test('one whose start was lost is started after ten minutes, and waits for its decision', async () => {
  const waiting = await lane.promotion(await lane.workspace());
  await lane.working(() => until(() => begun(waiting)));
  await waiting.handle.terminate('by an operator');
  // As where Temporal lost it before its first step: the row is all that there is.
  await lane.rows(waiting.workspace, 'UPDATE proposals SET run_id = NULL');
  const opened = (await lane.now()).getTime();
  expect(await sweep(waiting, opened + 9 * MINUTE_MS)).toEqual([]);
  await lane.until(opened + 11 * MINUTE_MS);
  expect(await sweep(waiting, opened + 11 * MINUTE_MS)).toEqual(['start_proposal']);
  await lane.deliver();
  const record = await lane.working(async () => {
    expect(await lane.decide(waiting, APPROVE)).toEqual({ status: 'applied', version: 1 });
    return await waiting.handle.result();
  });
  expect(record).toMatchObject({ status: 'applied', decisions: { taken: 1, refused: 0 } });
  // A promotion that was applied is over, however long ago.
  expect(await sweep(waiting, opened + 400 * DAY_MS)).toEqual([]);
});

test('one that only waits is left alone, and so is one that runs when it is started again', async () => {
  const waiting = await lane.promotion(await lane.workspace());
  const { runId } = await waiting.handle.describe();
  await lane.rows(
    waiting.workspace,
    "UPDATE proposals SET created_at = created_at - interval '11 minutes'",
  );
  const now = (await lane.now()).getTime();
  // Its workers are away: nothing in its row says that it runs, and another start changes nothing.
  expect(await sweep(waiting, now)).toEqual(['start_proposal']);
  await lane.deliver();
  expect((await waiting.handle.describe()).runId).toBe(runId);
  await lane.working(() => until(() => begun(waiting)));
  expect(await sweep(waiting, now + 2 * DAY_MS)).toEqual([]);
  await waiting.handle.terminate('nobody waits for it');
});

test('a fix whose workflow was lost while it was waited for lapses after its ninety days', async () => {
  const workspace = await lane.workspace();
  for (let n = 0; n < 3; n += 1) await lane.file(workspace);
  const waiting = await lane.proposed(workspace);
  await lane.working(async () => {
    expect(await lane.decide(waiting, APPROVE)).toEqual({ status: 'approved', version: 1 });
  });
  await waiting.handle.terminate('by an operator');
  const approved = (await lane.now()).getTime();
  expect(await sweep(waiting, approved + 89 * DAY_MS)).toEqual([]);
  await lane.until(approved + 92 * DAY_MS);
  expect(await sweep(waiting, approved + 92 * DAY_MS)).toEqual(['start_proposal']);
  await lane.deliver();
  const record = await lane.working(() => waiting.handle.result());
  expect(record).toMatchObject({ status: 'lapsed' });
  expect(await lane.standing(waiting)).toMatchObject({ status: 'lapsed' });
});
