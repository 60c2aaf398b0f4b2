import type { WorkflowHandle } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createSweepActivities } from '../src/activities/sweep';
import type { RescanInput, RescanResult } from '../src/contracts/rescan';
import { TASK_QUEUES } from '../src/contracts/task-queues';
import { rescanWorkflowId } from '../src/contracts/workflow-ids';
import { DETECTORS_VERSION } from '../src/redaction/detectors';
import { askForRescan } from '../src/store/rescans';
import type { RescanRun, rescan } from '../src/workflows/rescan';
import { CaptureLane } from './support/capture-lane';
import { describeNative } from './support/database';
import { failedCall } from './support/distilling';
import { saveHistory } from './support/histories';
import { historyText } from './support/history-text';
import { KilledWorkers } from './support/killed-workers';
import { startOutbox } from './support/outbox';
import { until } from './support/proposal-lane';
import { githubToken } from './support/secret-strings';
import { createSwitchableEmbedder } from './support/switchable-embedder';

jest.setTimeout(300_000);

const TOKEN = githubToken(3);

let lane: CaptureLane;
beforeAll(async () => {
  lane = await CaptureLane.start('dev');
});
afterAll(() => lane?.stop());

const models = { embedder: createSwitchableEmbedder(), distiller: null };

/** Cards of two events, and in the first the secret, as before the detector knew it. */
async function planted(): Promise<string> {
  const workspace = await lane.workspace();
  await lane.working(models, async () => {
    const events = ['first', 'second'].map((event_id) => failedCall({ event_id }));
    for (const input of await lane.record(workspace, events)) {
      await (await lane.startCapture(input)).result();
    }
  });
  await lane.database.inWorkspace(workspace, async (tx) => {
    await tx.query("SELECT set_config('cairn.redacting', 'on', true)");
    const first = "event_id = 'first'";
    await tx.query(
      `UPDATE events SET payload = payload || jsonb_build_object('text', 'by ' || $1::text) WHERE ${first}`,
      [TOKEN],
    );
    await tx.query(`UPDATE cards SET summary = 'It failed with ' || $1::text WHERE ${first}`, [
      TOKEN,
    ]);
  });
  return workspace;
}

async function asked(workspace: string, dryRun = false): Promise<RescanInput> {
  await lane.database.inWorkspace(workspace, (tx) =>
    askForRescan(tx, { dryRun, by: null, detectors: DETECTORS_VERSION }, new Date()),
  );
  const [row] = await lane.rows<RescanInput>(
    workspace,
    'SELECT workspace_id AS workspace, operation_id, n FROM rescans ORDER BY n DESC LIMIT 1',
  );
  if (row === undefined) throw new Error('nothing was asked for');
  return row;
}

const started = (input: RescanRun) =>
  lane.env.client.workflow.start<typeof rescan>('rescan', {
    workflowId: rescanWorkflowId(input.workspace, input.n),
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    taskQueue: TASK_QUEUES.workflows,
    args: [input],
  });

const holding = (workspace: string) =>
  lane.rows<{ place: string }>(
    workspace,
    `SELECT 'events' AS place FROM events e WHERE e::text LIKE '%' || $1 || '%'
     UNION ALL SELECT 'cards' FROM cards c WHERE c::text LIKE '%' || $1 || '%'`,
    [TOKEN],
  );

it('looks, repairs and looks again, and its history holds no word of it and no key of a row', async () => {
  const workspace = await planted();
  await lane.working(models, async () => {
    const input = await asked(workspace);
    const handle = await started(input);
    const result = await handle.result();
    expect(result).toMatchObject({ status: 'completed', rounds: 2, cards: 1, left: 0 });
    await saveHistory('rescan.repaired', handle);
    const told = historyText(await handle.fetchHistory());
    expect(told).not.toContain(TOKEN);
    expect(told).not.toContain('first');
    expect(await holding(workspace)).toEqual([]);
    expect((await handle.describe()).memo).toMatchObject({ status: 'completed', cards: 1 });
  });
});

it('as a dry run looks once, and changes nothing', async () => {
  const workspace = await planted();
  await lane.working(models, async () => {
    const handle = await started(await asked(workspace, true));
    expect(await handle.result()).toMatchObject({ dry_run: true, rounds: 1, repaired: 0 });
    await saveHistory('rescan.dry-run', handle);
  });
  expect((await holding(workspace)).map(({ place }) => place).sort()).toEqual(['cards', 'events']);
});

it('continues as new in the middle of a round', async () => {
  const workspace = await planted();
  await lane.working(models, async () => {
    const handle = await started({ ...(await asked(workspace)), batches_a_run: 7 });
    const first = lane.env.client.workflow.getHandle(handle.workflowId, handle.firstExecutionRunId);
    expect(await handle.result()).toMatchObject({ status: 'completed', rounds: 2, left: 0 });
    await saveHistory('rescan.continued', first);
  });
  expect(await holding(workspace)).toEqual([]);
});

it('that is asked for is started from the outbox', async () => {
  const workspace = await planted();
  await asked(workspace);
  const sender = startOutbox(lane.database, lane.env.client);
  await lane.working(models, () =>
    until(async () => {
      const [run] = await lane.rows<{ state: string }>(
        workspace,
        "SELECT state FROM runs WHERE type = 'rescan'",
      );
      return run?.state === 'completed';
    }),
  );
  await sender.stop();
  expect(await holding(workspace)).toEqual([]);
});

it('that is cancelled says so, keeps what it did, and leaves the workspace unscanned', async () => {
  const workspace = await planted();
  await lane.rows(workspace, 'UPDATE workspaces SET scanned_as = NULL');
  const input = await asked(workspace);
  const handle = await started(input);
  await handle.cancel();
  await lane.working(models, () => expect(handle.result()).rejects.toThrow());
  await saveHistory('rescan.cancelled', handle);
  expect((await handle.describe()).status.name).toBe('CANCELLED');
  const [run] = await lane.rows(workspace, "SELECT state FROM runs WHERE type = 'rescan'");
  expect(run).toEqual({ state: 'cancelled' });
  // Started once more by whoever has not heard of it, it ends at once.
  await lane.working(models, async () => {
    expect(await (await started(input)).result()).toMatchObject({ repaired: 0 });
  });
  expect(await lane.rows(workspace, 'SELECT scanned_as FROM workspaces')).toEqual([
    { scanned_as: null },
  ]);
  expect(await holding(workspace)).not.toEqual([]);
});

it('that was terminated is started again by the sweep, and goes on where it was', async () => {
  const workspace = await planted();
  const input = await asked(workspace);
  const sweep = async () => {
    const { sweepWorkspaces } = createSweepActivities({
      database: lane.database,
      clock: () => new Date(),
      embedder: models.embedder,
      hasModel: false,
    });
    await new MockActivityEnvironment().run(sweepWorkspaces, { after: '' });
    return await lane.rows<{ workflow_id: string }>(
      workspace,
      "SELECT workflow_id FROM outbox WHERE action = 'start_rescan'",
    );
  };
  await lane.rows(workspace, "DELETE FROM outbox WHERE action = 'start_rescan'");
  // Not before it could have begun.
  expect(await sweep()).toEqual([]);
  await lane.rows(workspace, "UPDATE rescans SET created_at = now() - interval '11 minutes'");
  expect(await sweep()).toEqual([{ workflow_id: rescanWorkflowId(workspace, input.n) }]);
});

it('is started by the sweep where more is redacted now than when it was scanned, once', async () => {
  const workspace = await planted();
  const sweeping = async () => {
    const { sweepWorkspaces } = createSweepActivities({
      database: lane.database,
      clock: () => new Date(),
      embedder: models.embedder,
      hasModel: false,
    });
    await new MockActivityEnvironment().run(sweepWorkspaces, { after: '' });
    return await lane.rows<{ n: number }>(workspace, 'SELECT n FROM rescans ORDER BY n');
  };
  expect(await sweeping()).toEqual([]);
  await lane.rows(
    workspace,
    `INSERT INTO subjects (workspace_id, id, name, redact_name, created_at)
     VALUES ($1, 'guest-7', 'Mia Lindqvist', true, now())`,
    [workspace],
  );
  expect(await sweeping()).toEqual([{ n: 1 }]);
  expect(await sweeping()).toEqual([{ n: 1 }]);
  await lane.working(models, async () => {
    const [input] = await lane.rows<RescanInput>(
      workspace,
      'SELECT workspace_id AS workspace, operation_id, n FROM rescans',
    );
    if (input === undefined) throw new Error('none');
    await (await started(input)).result();
  });
  expect(await sweeping()).toEqual([{ n: 1 }]);
  // Of a workspace from before rescans nothing is known.
  await lane.rows(workspace, 'UPDATE workspaces SET scanned_as = NULL');
  await lane.rows(
    workspace,
    "UPDATE runs SET finished_at = now() - interval '2 hours' WHERE type = 'rescan'",
  );
  expect(await sweeping()).toEqual([{ n: 1 }, { n: 2 }]);
});

describeNative('a worker that is killed in the middle of a repair', () => {
  let workers: KilledWorkers;
  beforeAll(async () => {
    workers = await KilledWorkers.on(lane);
  });
  afterAll(() => workers?.stop());

  it('leaves no half of it, and the next one ends it, each row once', async () => {
    const workspace = await planted();
    const state = async () => [
      await lane.rows(workspace, 'SELECT id, version, summary FROM cards ORDER BY id'),
      await lane.rows(workspace, 'SELECT event_id, payload FROM events ORDER BY 1'),
      await lane.rows(workspace, 'SELECT card_id, term FROM card_terms ORDER BY 1, 2'),
    ];
    const input = await asked(workspace);
    const first = workers.start();
    let handle: WorkflowHandle<typeof rescan> | undefined;
    let before: unknown;
    await workers.whileHolding(
      "SELECT 1 FROM cards WHERE workspace_id = $1 AND event_id = 'first' FOR UPDATE",
      async (stands) => {
        handle = await started(input);
        await stands();
        before = await state();
        await workers.kill(first);
      },
      [workspace],
    );
    expect(await state()).toEqual(before);
    const second = workers.start();
    const result: RescanResult | undefined = await handle?.result();
    expect(result).toMatchObject({ status: 'completed', rounds: 2, cards: 1, left: 0 });
    expect(await holding(workspace)).toEqual([]);
    const audited = await lane.rows(
      workspace,
      "SELECT 1 FROM audit_log WHERE action = 'card.redacted'",
    );
    expect(audited).toHaveLength(1);
    await workers.kill(second);
  });
});
