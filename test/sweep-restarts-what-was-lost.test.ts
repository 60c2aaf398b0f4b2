import { MockActivityEnvironment, type TestWorkflowEnvironment } from '@temporalio/testing';
import { NativeConnection } from '@temporalio/worker';
import pino from 'pino';
import { createSweepActivities } from '../src/activities/sweep';
import { OutboxSender } from '../src/api/outbox-sender';
import { workflowStarter } from '../src/api/workflow-starter';
import type { CaptureInput } from '../src/contracts/messages';
import {
  captureWorkflowId,
  embedWorkflowId,
  redistillWorkflowId,
  sweepScheduleId,
} from '../src/contracts/workflow-ids';
import { freePort } from '../src/embedded/free-port';
import { createOpenAiDistiller } from '../src/models/openai-distiller';
import { Database } from '../src/store/database';
import { Registration } from '../src/worker/registration';
import { ensureSchedules, hasSchedules } from '../src/worker/schedules';
import { Workers } from '../src/worker/workers';
import { CaptureLane, LANE_SECRET, recordAsRuntime } from './support/capture-lane';
import { createTestDatabase, type TestDatabase } from './support/database';
import { failedCall } from './support/distilling';
import { type FakeProvider, SAYS, startFakeProvider } from './support/fake-provider';
import { saveHistory } from './support/histories';
import { createSwitchableEmbedder } from './support/switchable-embedder';
import { createDevServerEnv, workflowBundlePath } from './support/temporal';

jest.setTimeout(120_000);

const log = pino({ level: 'silent' });
const clock = () => new Date();

async function until<T>(ask: () => Promise<T | null | undefined | false>): Promise<T> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const answer = await ask().catch(() => null);
    if (answer) return answer;
    if (Date.now() > deadline) throw new Error('what the test waits for did not come');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** What a server does besides answering. */
function sending(database: Database, env: TestWorkflowEnvironment): OutboxSender {
  const sender = new OutboxSender({
    database,
    clock,
    log,
    send: workflowStarter(env.client, false),
  });
  sender.start();
  return sender;
}

describe('a sweep', () => {
  let lane: CaptureLane;
  let sender: OutboxSender;
  let provider: FakeProvider;
  beforeAll(async () => {
    [lane, provider] = await Promise.all([CaptureLane.start('dev'), startFakeProvider()]);
    sender = sending(lane.database, lane.env);
  });
  afterAll(async () => {
    await sender?.stop();
    await lane?.stop();
    await provider?.close();
  });

  /** Recorded and started, with no worker there to do it; then made to look as old as it would be. */
  async function waiting(workspace: string, event_id: string): Promise<CaptureInput> {
    const [input] = await lane.record(workspace, [
      failedCall({ event_id, input: { channel: event_id } }),
    ]);
    if (input === undefined) throw new Error('nothing was recorded');
    await until(async () => (await outboxOf(workspace)).length === 0);
    await lane.rows(workspace, "UPDATE captures SET created_at = now() - interval '6 minutes'");
    return input;
  }

  const outboxOf = (workspace: string) =>
    lane.rows<{ action: string; workflow_id: string }>(
      workspace,
      'SELECT * FROM outbox ORDER BY id',
    );
  const cardOf = async (workspace: string, event: string) =>
    (
      await lane.rows<{ id: string; distilled_by: string }>(
        workspace,
        'SELECT * FROM cards WHERE event_id = $1',
        [event],
      )
    )[0];
  const sweepNow = async (more: object = {}) => {
    const handle = await lane.env.client.workflow.start('sweep', {
      workflowId: `sweep/test-${Math.random()}`,
      taskQueue: 'cairn-workflows',
      args: [more],
    });
    return { handle, counts: (await handle.result()) as Record<string, number> };
  };
  const models = { embedder: createSwitchableEmbedder(), distiller: null };

  it('starts a terminated capture once more, and only that one', async () => {
    const workspace = await lane.workspace();
    await waiting(workspace, 'terminated');
    await waiting(workspace, 'running');
    const lost = lane.env.client.workflow.getHandle(captureWorkflowId(workspace, 'terminated'));
    const running = lane.env.client.workflow.getHandle(captureWorkflowId(workspace, 'running'));
    const { runId } = await running.describe();
    await lost.terminate('by an operator');
    const { sweepWorkspaces } = createSweepActivities({
      database: lane.database,
      clock,
      embedder: createSwitchableEmbedder(),
      hasModel: false,
    });
    const swept = await new MockActivityEnvironment().run(sweepWorkspaces, { after: '' });
    expect(swept).toMatchObject({ restarted: 2, failed: 0 });
    await until(async () => (await outboxOf(workspace)).length === 0);

    const restarted = await lost.describe();
    expect(restarted.status.name).toBe('RUNNING');
    expect(restarted.searchAttributes.CairnStuck).toEqual(['restarted']);
    const left = await running.describe();
    expect(left.runId).toBe(runId);
    expect(left.searchAttributes.CairnStuck).toBeUndefined();
    await lane.working(models, async () => {
      await until(() => cardOf(workspace, 'terminated'));
      await until(() => cardOf(workspace, 'running'));
    });
  });

  it('leaves a capture alone that is young, about to be sent, or was restarted a moment ago', async () => {
    const workspace = await lane.workspace();
    await sender.stop();
    const [young, unsent, again] = await lane.record(
      workspace,
      ['young', 'unsent', 'again'].map((event_id) =>
        failedCall({ event_id, input: { channel: event_id } }),
      ),
    );
    expect([young, unsent, again]).not.toContain(undefined);
    await lane.rows(workspace, "DELETE FROM outbox WHERE workflow_id NOT LIKE '%/unsent'");
    await lane.rows(
      workspace,
      "UPDATE captures SET created_at = now() - interval '6 minutes' WHERE event_id <> 'young'",
    );
    await lane.rows(
      workspace,
      "UPDATE captures SET swept_at = now() - interval '9 minutes' WHERE event_id = 'again'",
    );
    await lane.working(models, () => sweepNow());
    expect((await outboxOf(workspace)).map(({ action }) => action)).toEqual(['start_capture']);
    await lane.rows(workspace, "UPDATE captures SET swept_at = now() - interval '11 minutes'");
    await lane.working(models, () => sweepNow());
    expect((await outboxOf(workspace)).map(({ action }) => action)).toEqual([
      'start_capture',
      'restart_capture',
    ]);
    sender = sending(lane.database, lane.env);
  });

  it('starts embed and redistill where cards wait, and both do their work', async () => {
    const workspace = await lane.workspace();
    const embedder = createSwitchableEmbedder();
    const distiller = createOpenAiDistiller({
      apiKey: 'none',
      baseUrl: provider.baseUrl,
      model: 'small',
      clock,
      callTimeoutMs: 2_000,
    });
    provider.script({ status: 400 });
    await lane.working({ embedder, distiller }, async () => {
      embedder.down = true;
      const [input] = await lane.record(workspace, [failedCall({ event_id: 'waits' })]);
      if (input === undefined) throw new Error('nothing was recorded');
      await until(() => cardOf(workspace, 'waits'));
      // As after a wipe: what was to start is gone, and no new traffic comes.
      await until(async () => (await outboxOf(workspace)).length === 0);
      await lane.env.client.workflow.getHandle(embedWorkflowId(workspace)).terminate();
      embedder.down = false;
      provider.script(SAYS.valid);
      const { counts } = await sweepNow();
      expect(counts.embeds).toBeGreaterThanOrEqual(1);
      expect(counts.redistills).toBeGreaterThanOrEqual(1);
      await until(async () => (await cardOf(workspace, 'waits'))?.distilled_by === 'model');
      await until(
        async () => (await lane.rows(workspace, 'SELECT 1 FROM card_embeddings')).length === 1,
      );
      await until(async () => {
        const runs = await lane.rows<{ state: string }>(
          workspace,
          "SELECT state FROM runs WHERE type IN ('embed', 'redistill')",
        );
        return runs.every(({ state }) => state !== 'running') && runs.length >= 2;
      });
    });
  });

  it('does not ask a model again that was away a moment ago, nor where none is configured', async () => {
    const workspace = await lane.workspace();
    await lane.working(models, async () => {
      await lane.record(workspace, [failedCall({ event_id: 'waits' })]);
      await until(() => cardOf(workspace, 'waits'));
    });
    await sender.stop();
    await lane.rows(workspace, 'UPDATE captures SET needs_distill = true');
    const asks = async (hasModel: boolean) => {
      const distiller = hasModel
        ? createOpenAiDistiller({ apiKey: 'none', baseUrl: provider.baseUrl, model: 'm', clock })
        : null;
      await lane.rows(workspace, 'DELETE FROM outbox');
      await lane.working({ ...models, distiller }, () => sweepNow());
      return (await outboxOf(workspace)).some(({ action }) => action === 'start_redistill');
    };
    expect(await asks(false)).toBe(false);
    expect(await asks(true)).toBe(true);
    const ended = (minutes: number) =>
      lane.rows(
        workspace,
        `INSERT INTO runs (workspace_id, id, type, state, result, workflow_id, created_at, finished_at)
         VALUES ($1, 'op_' || $2::int, 'redistill', 'completed', '{"status": "partial"}', $3, now(),
                 now() - make_interval(mins => $2::int))`,
        [workspace, minutes, redistillWorkflowId(workspace)],
      );
    await ended(16);
    expect(await asks(true)).toBe(true);
    await ended(14);
    expect(await asks(true)).toBe(false);
    sender = sending(lane.database, lane.env);
  });

  it('forgets idempotency keys after a day', async () => {
    const workspace = await lane.workspace();
    await lane.rows(
      workspace,
      `INSERT INTO idempotency (workspace_id, principal, key, request_hash, status, resource, created_at)
       SELECT $1, 'person:owner', age, ''::bytea, 201, '{}', now() - age::interval
         FROM unnest(ARRAY['23 hours', '25 hours', '40 days']) AS age`,
      [workspace],
    );
    await lane.working(models, async () => {
      const { handle } = await sweepNow();
      await saveHistory('sweep.swept', handle);
    });
    expect(await lane.rows(workspace, 'SELECT key FROM idempotency')).toEqual([
      { key: '23 hours' },
    ]);
  });

  it('goes through more workspaces than one batch holds, also in further runs', async () => {
    await lane.asOwner(
      `INSERT INTO workspaces (workspace_id, name, created_at)
       SELECT 'many-' || n, 'Many', now() FROM generate_series(1, 120) n`,
    );
    await lane.working(models, async () => {
      const { counts } = await sweepNow();
      const { handle, counts: continued } = await sweepNow({ batches_a_run: 1 });
      expect(counts.workspaces).toBeGreaterThanOrEqual(120);
      expect(continued).toEqual(counts);
      const { workflowId, firstExecutionRunId } = handle;
      const first = lane.env.client.workflow.getHandle(workflowId, firstExecutionRunId);
      await saveHistory('sweep.continued', first);
    });
  });
});

describe('a Temporal that comes back empty under running workers', () => {
  let database: Database;
  let testDatabase: TestDatabase;
  let env: TestWorkflowEnvironment;
  let port: number;
  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    port = await freePort();
    env = await createDevServerEnv({ port });
    database = new Database({
      url: testDatabase.url,
      connections: testDatabase.kind === 'native' ? 8 : 1,
      acquireTimeoutMs: 20_000,
      onIdleError: () => undefined,
    });
    await database.inWorkspace('default', (tx) =>
      tx.query(
        "INSERT INTO workspaces (workspace_id, name, created_at) VALUES ('default', 'D', now())",
      ),
    );
  });
  afterAll(async () => {
    await env?.teardown();
    await database?.close();
    await testDatabase?.drop();
  });

  it('is told of the Schedules again, and cards what it lost', async () => {
    const connection = await NativeConnection.connect({ address: env.address });
    const namespace = env.namespace ?? 'default';
    const registration = await Registration.start({
      connection,
      namespace,
      log,
      database,
      everyMs: 200,
    });
    const workers = await Workers.start({
      connection,
      namespace,
      workflowBundle: workflowBundlePath(),
      database,
      clock,
      log,
      embedder: createSwitchableEmbedder(),
      distiller: null,
      drafter: null,
      secretKey: LANE_SECRET,
      connections: 8,
    });
    try {
      expect(await hasSchedules(env.client.schedule)).toBe(true);
      // A start that Temporal had acknowledged, and that went with its data.
      await recordAsRuntime(database, 'default', [failedCall({ event_id: 'lost' })]);
      await database.inWorkspace('default', async (tx) => {
        await tx.query('DELETE FROM outbox');
        await tx.query("UPDATE captures SET created_at = now() - interval '6 minutes'");
      });
      await env.teardown();
      env = await createDevServerEnv({ port });

      await until(() => hasSchedules(env.client.schedule));
      const sender = sending(database, env);
      await until(async () => {
        const rows = await database.inWorkspace('default', (tx) => tx.query('SELECT 1 FROM cards'));
        return rows.length === 1;
      });
      await sender.stop();
    } finally {
      await registration.stop();
      await workers.stop();
      await connection.close();
    }
  });

  it('keeps one Schedule however often it is told, and an operator’s pause', async () => {
    const handle = env.client.schedule.getHandle(sweepScheduleId());
    await ensureSchedules(env.client.schedule);
    await handle.pause('maintenance');
    await ensureSchedules(env.client.schedule);
    // What a Schedule says of itself follows what it was told after a moment.
    await until(async () => (await handle.describe()).state.paused);
    await ensureSchedules(env.client.schedule);
    const { state, spec, policies } = await handle.describe();
    expect(state).toMatchObject({ paused: true, note: 'maintenance' });
    expect(spec.intervals).toMatchObject([{ every: 300_000 }]);
    expect(policies).toMatchObject({ overlap: 'SKIP', catchupWindow: 300_000 });
  });

  it('brings a Schedule of another version to what it is in this one, pause and all', async () => {
    const handle = env.client.schedule.getHandle(sweepScheduleId());
    await handle.update((before) => ({ ...before, spec: { intervals: [{ every: '1h' }] } }));
    await until(async () => (await handle.describe()).spec.intervals?.[0]?.every === 3_600_000);
    await ensureSchedules(env.client.schedule);
    await until(async () => (await handle.describe()).spec.intervals?.[0]?.every === 300_000);
    expect((await handle.describe()).state).toMatchObject({ paused: true });
  });
});
