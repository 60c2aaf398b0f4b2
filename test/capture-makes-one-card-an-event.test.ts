import type { CaptureEnding, CaptureInput, CaptureResult } from '../src/contracts/messages';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { CaptureLane } from './support/capture-lane';
import { failedCall } from './support/distilling';
import { saveHistory } from './support/histories';

const models = { embedder: createHashedEmbedder(), distiller: null };

let lane: CaptureLane;
beforeAll(async () => {
  lane = await CaptureLane.start('dev');
});
afterAll(() => lane.stop());

async function captured(inputs: readonly CaptureInput[]): Promise<CaptureEnding[]> {
  return await lane.working(models, async () => {
    const handles = await Promise.all(inputs.map((input) => lane.startCapture(input)));
    return await Promise.all(handles.map((handle) => handle.result()));
  });
}

const countCards = 'SELECT count(*)::int AS count FROM cards';

test('one event becomes one active card whose result reads as its record', async () => {
  const workspace = await lane.workspace();
  const [input] = await lane.record(workspace, [failedCall()]);
  const result = await lane.working(models, async () => {
    const handle = await lane.startCapture(input as CaptureInput);
    const record = await handle.result();
    await saveHistory('capture.carded', handle);
    return record;
  });
  expect(result).toMatchObject({
    event_id: 'call-1',
    disposition: 'carded',
    kind: 'constraint',
    sign: 'failed',
    distilled_by: 'fallback',
    embedded: true,
    model: { outcome: 'none', tries: 0 },
  });
  const [card] = await lane.rows<Record<string, unknown>>(
    workspace,
    'SELECT id, status, trust, confidence, scope_type, scope_id, event_id, workflow_id FROM cards',
  );
  expect(card).toEqual({
    id: result.card_id,
    status: 'active',
    trust: 'runtime',
    confidence: 0.8,
    scope_type: 'agent',
    scope_id: 'scout',
    event_id: 'call-1',
    workflow_id: `capture/${workspace}/call-1`,
  });
});

test('a second start while it runs, and one after it has ended, change nothing', async () => {
  const workspace = await lane.workspace();
  const [input] = await lane.record(workspace, [failedCall()]);
  const twice = [input as CaptureInput, { ...(input as CaptureInput) }];
  const results = await lane.working(models, async () => {
    const first = await lane.startCapture(twice[0] as CaptureInput);
    const again = await lane.startCapture(twice[1] as CaptureInput).catch(() => first);
    const records = [await first.result(), await again.result()];
    const late = await lane.env.client.workflow.start('capture', {
      workflowId: `${first.workflowId}/again`,
      taskQueue: 'cairn-workflows',
      args: [input],
    });
    return [...records, (await late.result()) as CaptureResult];
  });
  expect(results[1]).toEqual(results[0]);
  expect(results[2]).toMatchObject({ disposition: 'carded', card_id: results[0]?.card_id });
  expect(await lane.rows(workspace, countCards)).toEqual([{ count: 1 }]);
});

test('the same work under another id is one card, and the other says why it has none', async () => {
  const workspace = await lane.workspace();
  const inputs = await lane.record(workspace, [failedCall(), failedCall({ event_id: 'call-2' })]);
  const results = await captured(inputs);
  expect(results.map((one) => one.disposition).sort()).toEqual(['carded', 'duplicate_content']);
  expect(await lane.rows(workspace, countCards)).toEqual([{ count: 1 }]);
});

test('the same work at another time is its own card', async () => {
  const workspace = await lane.workspace();
  const inputs = await lane.record(workspace, [
    failedCall(),
    failedCall({ event_id: 'call-2', occurred_at: '2026-03-03T08:24:15Z' }),
  ]);
  const results = await captured(inputs);
  expect(results.map((one) => one.disposition)).toEqual(['carded', 'carded']);
});

test('a policy that tightened after the event was taken is obeyed, and its payload goes', async () => {
  const workspace = await lane.workspace();
  const [input] = await lane.record(workspace, [failedCall()]);
  await lane.rows(workspace, "UPDATE agents SET memory_mode = 'off'");
  const result = await lane.working(models, async () => {
    const handle = await lane.startCapture(input as CaptureInput);
    const record = await handle.result();
    await saveHistory('capture.mode-off', handle);
    return record;
  });
  expect(result).toMatchObject({ disposition: 'mode_off', reason: 'agent_off', card_id: null });
  expect(await lane.rows(workspace, 'SELECT payload FROM events')).toEqual([{ payload: null }]);
  expect(await lane.rows(workspace, countCards)).toEqual([{ count: 0 }]);
  expect(await lane.rows(workspace, 'SELECT state, result FROM runs')).toEqual([
    {
      state: 'completed',
      result: { event_id: 'call-1', disposition: 'mode_off', reason: 'agent_off' },
    },
  ]);
});

test('a success after the writer’s own failure resolves it and says what changed', async () => {
  const workspace = await lane.workspace();
  const first = await lane.record(workspace, [failedCall()]);
  await captured(first);
  const { error: _error, ...call } = failedCall();
  const second = await lane.record(workspace, [
    {
      ...call,
      event_id: 'call-2',
      outcome: 'worked',
      occurred_at: '2026-03-02T09:00:00Z',
      input: { channel: 'External_0' },
      output: ['Eve'],
    },
  ]);
  const [result] = await captured(second);
  expect(result?.edges.map((edge) => edge.type)).toContain('satisfies');
  const [edge] = await lane.rows<{ reason: string }>(
    workspace,
    "SELECT reason FROM edges WHERE type = 'satisfies'",
  );
  expect(edge?.reason).toContain('External → External_0');
});

test('a filing whose commit was not heard of is answered with its record when it is tried again', async () => {
  const workspace = await lane.workspace();
  const [input] = await lane.record(workspace, [failedCall()]);
  const [first] = await captured([input as CaptureInput]);
  const again = await lane.fileAgain(input as CaptureInput);
  // What the model did only the workflow knows.
  expect({ ...again, model: first?.model }).toEqual(first);
  expect(await lane.rows(workspace, countCards)).toEqual([{ count: 1 }]);
});

test('a capture that an operator cancelled before it ran is settled with that reason', async () => {
  const workspace = await lane.workspace();
  const [input] = await lane.record(workspace, [failedCall()]);
  const handle = await lane.startCapture(input as CaptureInput);
  await handle.cancel();
  const result = await lane.working(models, () => handle.result());
  expect(result).toMatchObject({ disposition: 'failed', reason: 'cancelled', card_id: null });
  expect(await lane.rows(workspace, 'SELECT state, error FROM runs')).toEqual([
    { state: 'failed', error: 'cancelled' },
  ]);
});

test('a pending capture whose workflow is gone is started again when its event is reported again', async () => {
  const workspace = await lane.workspace();
  await lane.record(workspace, [failedCall()]);
  const startsLeft = () => lane.rows<{ id: number }>(workspace, 'SELECT id FROM outbox');
  await lane.rows(workspace, 'DELETE FROM outbox');
  await expect(lane.record(workspace, [failedCall()])).rejects.toThrow('not accepted');
  expect(await startsLeft()).toHaveLength(0);
  await lane.rows(workspace, "UPDATE captures SET created_at = created_at - interval '2 minutes'");
  await expect(lane.record(workspace, [failedCall()])).rejects.toThrow('not accepted');
  await expect(lane.record(workspace, [failedCall()])).rejects.toThrow('not accepted');
  expect(await startsLeft()).toHaveLength(1);
});
