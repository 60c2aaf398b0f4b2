import { MockActivityEnvironment } from '@temporalio/testing';
import { Client } from 'pg';
import { createSweepActivities } from '../src/activities/sweep';
import { workflowStarter } from '../src/api/workflow-starter';
import type { SealResult } from '../src/contracts/messages';
import { TASK_QUEUES } from '../src/contracts/task-queues';
import { sealWorkflowId } from '../src/contracts/workflow-ids';
import { writeAudit } from '../src/store/audit';
import { askForSeal } from '../src/store/audit-seal-starts';
import { readOperation } from '../src/store/operations';
import type { OutboxItem } from '../src/store/outbox';
import { listRuns } from '../src/store/runs';
import type { SealRun, seal } from '../src/workflows/seal';
import { startApi } from './support/api';
import { CaptureLane } from './support/capture-lane';
import { describeNative } from './support/database';
import { saveHistory } from './support/histories';
import { historyText } from './support/history-text';
import { createSwitchableEmbedder } from './support/switchable-embedder';
import { until } from './support/until';

jest.setTimeout(60_000);

let lane: CaptureLane;
beforeAll(async () => {
  lane = await CaptureLane.start();
});
afterAll(() => lane?.stop());

const models = { embedder: createSwitchableEmbedder(), distiller: null };

/** Rows of the audit log, as old as said. */
async function writeRows(workspace: string, count: number, at = new Date()): Promise<void> {
  await lane.database.inWorkspace(workspace, async (tx) => {
    for (let row = 0; row < count; row += 1) {
      await writeAudit(tx, {
        at,
        actor: { kind: 'person', id: 'quokka' },
        action: 'team.changed',
        target: { type: 'team', id: `team-${row}` },
        channel: 'test',
      });
    }
  });
}

const start = (workspace: string, more: Partial<SealRun> = {}) =>
  lane.env.client.workflow.start<typeof seal>('seal', {
    workflowId: sealWorkflowId(workspace, '1'),
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    taskQueue: TASK_QUEUES.workflows,
    args: [{ workspace, n: 1, ...more }],
  });

const headsOf = async (workspace: string) =>
  (await lane.rows<{ head: string }>(workspace, 'SELECT head FROM audit_chain ORDER BY n')).map(
    ({ head }) => head,
  );

const outboxOf = (workspace: string) =>
  lane.rows<OutboxItem>(
    workspace,
    "SELECT workspace_id, id, action, workflow_id, arguments, attempts FROM outbox WHERE action = 'start_seal'",
  );

const sweepNow = async () => {
  const { sweepWorkspaces } = createSweepActivities({
    database: lane.database,
    clock: () => new Date(),
    embedder: models.embedder,
    hasModel: false,
  });
  return await new MockActivityEnvironment().run(sweepWorkspaces, { after: '' });
};

it('ends with the head of the chain, its number and counts, and no content', async () => {
  const workspace = await lane.workspace();
  await writeRows(workspace, 3);
  await lane.working(models, async () => {
    const handle = await start(workspace);
    const result: SealResult = await handle.result();
    const [head] = await headsOf(workspace);
    expect(head).toMatch(/^[0-9a-f]{64}$/);
    const counts = { n: 1, head, seals: 1, audit_rows: 3, access_rows: 0 };
    expect(result).toEqual({ status: 'completed', ...counts });
    await saveHistory('seal.sealed', handle);

    const described = await handle.describe();
    expect(described.memo).toMatchObject(counts);
    const text = historyText(await handle.fetchHistory());
    expect(text).toContain(head);
    expect(text).not.toMatch(/quokka|team-|sur_/);
    const filter = { type: 'seal', status: null, agent: null };
    const { rows } = await lane.database.inWorkspace(workspace, (tx) =>
      listRuns(tx, filter, { after: null, limit: 10 }),
    );
    expect(rows).toMatchObject([{ status: 'completed', workflow_id: handle.workflowId, counts }]);
  });
});

it('ends where there is nothing to seal, with the head that stands', async () => {
  const workspace = await lane.workspace();
  await lane.working(models, async () => {
    const none = { status: 'completed', n: null, head: null, seals: 0 };
    expect(await (await start(workspace)).result()).toMatchObject(none);
    await writeRows(workspace, 1);
    await (await start(workspace)).result();
    const [head] = await headsOf(workspace);
    const again = await (await start(workspace, { n: 2 })).result();
    expect(again).toMatchObject({ n: 1, head, seals: 0, audit_rows: 0 });
  });
});

it('goes on in further runs, and counts what all of them sealed', async () => {
  const workspace = await lane.workspace();
  await writeRows(workspace, 1_001);
  await lane.working(models, async () => {
    const handle = await start(workspace, { steps_a_run: 1 });
    const first = lane.env.client.workflow.getHandle(handle.workflowId, handle.firstExecutionRunId);
    const result: SealResult = await handle.result();
    const heads = await headsOf(workspace);
    expect(result).toMatchObject({ n: 3, head: heads[2], seals: 3, audit_rows: 1_001 });
    const events = (await first.fetchHistory()).events ?? [];
    expect(events.at(-1)?.workflowExecutionContinuedAsNewEventAttributes).toBeTruthy();
    await saveHistory('seal.continued', first);
  });
});

describeNative('while a transaction is open', () => {
  it('waits, and seals its row with the others once it has ended', async () => {
    const workspace = await lane.workspace();
    const late = new Client({ connectionString: lane.databaseUrl });
    await late.connect();
    await late.query('BEGIN');
    await late.query('SELECT pg_current_xact_id()');
    await writeRows(workspace, 1);
    await lane.working(models, async () => {
      const handle = await start(workspace);
      const result = handle.result();
      const hasWaited = async () =>
        (await handle.fetchHistory()).events?.some((event) => event.timerStartedEventAttributes);
      await until('the pass waits for the transaction', hasWaited, { pause: 50 });
      expect(await headsOf(workspace)).toEqual([]);
      await late.query('COMMIT');
      expect(await result).toMatchObject({ seals: 1, audit_rows: 1 });
      await saveHistory('seal.waited', handle);
    });
    await late.end();
  });
});

describe('a sweep', () => {
  it('starts it where rows of either log are older than a minute, once', async () => {
    const [old, young, read] = [
      await lane.workspace(),
      await lane.workspace(),
      await lane.workspace(),
    ];
    const past = new Date(Date.now() - 61_000);
    await writeRows(old, 1, past);
    await writeRows(young, 1);
    await lane.database.inWorkspace(read, (tx) =>
      tx.query(
        `INSERT INTO access_log (workspace_id, at, execution_mode, via, surface, count, card_ids)
         VALUES ($1, $2, 'headless', 'team', 'test', 1, '{card}')`,
        [read, past],
      ),
    );
    expect(await sweepNow()).toMatchObject({ seals: 2, failed: 0 });
    expect(await sweepNow()).toMatchObject({ seals: 0, failed: 0 });
    expect(await outboxOf(young)).toEqual([]);
    const [item] = await outboxOf(old);
    expect(item).toMatchObject({
      workflow_id: sealWorkflowId(old, '1'),
      arguments: { workspace: old, n: '1' },
    });
    await lane.working(models, async () => {
      for (const one of [...(await outboxOf(old)), ...(await outboxOf(read))]) {
        await workflowStarter(lane.env.client, false)(one);
        const handle = lane.env.client.workflow.getHandle<typeof seal>(one.workflow_id);
        expect(await handle.result()).toMatchObject({ n: 1, seals: 1 });
      }
      await lane.rows(old, 'DELETE FROM outbox');
      await lane.rows(read, 'DELETE FROM outbox');
      expect(await sweepNow()).toMatchObject({ seals: 0, failed: 0 });
    });
  });
});

describe('whoever asks for it', () => {
  it('gets an operation, which ends with the head', async () => {
    const workspace = await lane.workspace();
    await writeRows(workspace, 2);
    const id = await lane.database.inWorkspace(workspace, (tx) => askForSeal(tx, new Date()));
    const operation = () =>
      lane.database.inWorkspace(workspace, (tx) =>
        readOperation(tx, id, { agent: null, subject: null }),
      );
    expect(await operation()).toMatchObject({ type: 'seal', state: 'pending' });
    const [item] = await outboxOf(workspace);
    if (item === undefined) throw new Error('nothing is to be started');
    await lane.working(models, async () => {
      await workflowStarter(lane.env.client, false)(item);
      await lane.env.client.workflow.getHandle(item.workflow_id).result();
    });
    const [head] = await headsOf(workspace);
    expect(await operation()).toMatchObject({
      state: 'completed',
      result: { status: 'completed', n: 1, head, seals: 1, audit_rows: 2, access_rows: 0 },
      started_at: expect.any(String),
    });
  });

  it('asks over HTTP, once for an Idempotency-Key', async () => {
    const api = await startApi();
    try {
      const headers = { 'idempotency-key': 'seal-it' };
      const first = await api.call('POST', '/v1/audit/seal', { headers });
      expect(first.status).toBe(202);
      const again = await api.call('POST', '/v1/audit/seal', { headers });
      expect([again.status, again.body]).toEqual([202, first.body]);
      const { operation_id } = first.body;
      const { body } = await api.call('GET', `/v1/operations/${operation_id}`);
      expect(body).toMatchObject({ id: operation_id, state: 'pending', type: 'seal' });
      const sent = await api.database.inWorkspace('default', (tx) =>
        tx.query("SELECT 1 FROM outbox WHERE action = 'start_seal'"),
      );
      expect(sent).toHaveLength(1);
    } finally {
      await api.close();
    }
  });
});
