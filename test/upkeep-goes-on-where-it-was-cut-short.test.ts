import type { WorkflowHandle } from '@temporalio/client';
import type { RunChange, UnitInput, UnitResult } from '../src/contracts/passes';
import { TASK_QUEUES } from '../src/contracts/task-queues';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import type { recalibrate } from '../src/workflows/recalibrate';
import type { retain } from '../src/workflows/retain';
import { CaptureLane, type LaneModels } from './support/capture-lane';
import { DAY } from './support/filing';
import { saveHistory } from './support/histories';
import { historyText } from './support/history-text';
import { batches, filed, startNight } from './support/night';
import { openedUnit, type UpkeepType } from './support/upkeep';

jest.setTimeout(180_000);

const AGO = 100 * DAY;

let lane: CaptureLane;
beforeAll(async () => {
  // What is filed here was filed long ago.
  lane = await CaptureLane.start('dev', () => new Date(Date.now() - AGO));
});
afterAll(() => lane?.stop());

const models = (more: Partial<LaneModels> = {}): LaneModels => ({
  embedder: createHashedEmbedder(),
  distiller: null,
  ...more,
});

/** Six cards of agents long gone: three whose time was over, three that nobody used; all with payloads. */
async function aged(): Promise<string> {
  const workspace = await lane.workspace();
  const policy = (version: number, horizon: string | null) =>
    lane.rows(workspace, 'INSERT INTO policies VALUES ($1, $2, $3, now())', [
      workspace,
      version,
      JSON.stringify({ retention: { by_kind: { experience: horizon } } }),
    ]);
  await policy(1, 'P10D');
  await filed(lane, workspace, batches('old', [10, 20, 30]));
  await policy(2, null);
  await filed(lane, workspace, batches('idle', [40, 50, 60]));
  return workspace;
}

async function start(
  workspace: string,
  type: UpkeepType,
  more: Record<string, unknown> = {},
): Promise<{ unit: UnitInput; handle: WorkflowHandle<typeof retain | typeof recalibrate> }> {
  const { workflow_id: workflowId, ...unit } = await openedUnit(
    lane.database,
    workspace,
    type,
    new Date(),
  );
  const name = type === 'retention' ? 'retain' : 'recalibrate';
  const args: [never] = [{ ...unit, ...more } as never];
  const options = { workflowId, taskQueue: TASK_QUEUES.workflows, args };
  return { unit, handle: await lane.env.client.workflow.start<typeof retain>(name, options) };
}

const runOf = async (workspace: string, id: string) =>
  (
    await lane.rows<{ state: string; counts: Record<string, number>; result: UnitResult }>(
      workspace,
      'SELECT state, counts, result FROM runs WHERE id = $1',
      [id],
    )
  )[0];
const changesOf = (workspace: string, id: string) =>
  lane.rows<RunChange>(workspace, 'SELECT change, reason FROM run_changes WHERE run_id = $1', [id]);
const statuses = async (workspace: string) =>
  (
    await lane.rows<{ status: string }>(
      workspace,
      'SELECT status FROM cards ORDER BY agent_id DESC, id',
    )
  ).map(({ status }) => status);
const ARCHIVED = ['archived', 'archived', 'archived', 'active', 'active', 'active'];

it('a retention does its parts, writes its record, and its history holds ids and numbers', async () => {
  const workspace = await aged();
  await lane.working(models(), async () => {
    const { unit, handle } = await start(workspace, 'retention');
    const result = await handle.result();
    expect(result).toEqual({
      status: 'completed',
      stopped_by: null,
      counts: { archived: 3, payloads_dropped: 6 },
    });
    expect(await runOf(workspace, unit.operation_id)).toMatchObject({
      state: 'completed',
      counts: { archived: 3, payloads_dropped: 6 },
    });
    expect(await statuses(workspace)).toEqual(ARCHIVED);
    expect(JSON.stringify(await lane.rows(workspace, 'SELECT summary FROM cards'))).toContain(
      'welcome',
    );
    expect(historyText(await handle.fetchHistory())).not.toContain('welcome');
    await saveHistory('retain.retained', handle);
  });
});

it('a recalibration does its parts, and its history holds ids, labels and numbers', async () => {
  const workspace = await aged();
  await lane.working(models(), async () => {
    const { handle } = await start(workspace, 'recalibration');
    const result = await handle.result();
    expect(result).toMatchObject({
      status: 'completed',
      drift: [],
      counts: { archive_proposals: 1, cards_proposed: 3, faded: 3 },
    });
    expect(historyText(await handle.fetchHistory())).not.toContain('welcome');
    await saveHistory('recalibrate.recalibrated', handle);
  });
});

it.each([
  ['retention', 'retain.continued', { archived: 3, payloads_dropped: 6 }],
  ['recalibration', 'recalibrate.continued', { archive_proposals: 1, faded: 3 }],
] as const)('a %s goes on in further runs as one record', async (type, name, counts) => {
  const workspace = await aged();
  await lane.working(models(), async () => {
    const { unit, handle } = await start(workspace, type, { batches_a_run: 1 });
    const { runId } = await handle.describe();
    expect(await handle.result()).toMatchObject({ status: 'completed', counts });
    expect(await runOf(workspace, unit.operation_id)).toMatchObject({ state: 'completed', counts });
    const first = lane.env.client.workflow.getHandle(handle.workflowId, runId);
    await saveHistory(name, first);
  });
});

it('each batch that commits and is not heard of is done once and counted once', async () => {
  const workspace = await aged();
  const heard = new Set<string>();
  /** Every batch is lost once on its way back. */
  const lossy = <Input extends { part: string; after: string }, Output>(
    batch: (input: Input) => Promise<Output>,
  ) => {
    return async (input: Input): Promise<Output> => {
      const done = await batch(input);
      const key = `${input.part} ${input.after}`;
      if (heard.has(key)) return done;
      heard.add(key);
      throw new Error('lost on its way');
    };
  };
  const aroundUpkeep: LaneModels['aroundUpkeep'] = ({ retainBatch, recalibrateBatch }) => ({
    retainBatch: lossy(retainBatch),
    recalibrateBatch: lossy(recalibrateBatch),
  });
  await lane.working(models({ aroundUpkeep }), async () => {
    const retention = await start(workspace, 'retention');
    expect(await retention.handle.result()).toMatchObject({
      counts: { archived: 3, payloads_dropped: 6 },
    });
    const { length } = await changesOf(workspace, retention.unit.operation_id);
    expect(length).toBe(4);
    const recalibration = await start(workspace, 'recalibration');
    expect(await recalibration.handle.result()).toMatchObject({ counts: { archive_proposals: 1 } });
  });
  expect(heard.size).toBe(11);
  expect(await lane.rows(workspace, "SELECT 1 FROM proposals WHERE type = 'archive'")).toHaveLength(
    1,
  );
  expect(
    await lane.rows(workspace, "SELECT 1 FROM audit_log WHERE action = 'card.archived'"),
  ).toHaveLength(3);
});

it('a budget of cards ends it partial, and the next run does the rest', async () => {
  const workspace = await aged();
  await lane.working(models(), async () => {
    const { handle } = await start(workspace, 'retention', { budget: { cards: 2 } });
    expect(await handle.result()).toEqual({
      status: 'partial',
      stopped_by: 'budget',
      counts: { archived: 2 },
    });
    await saveHistory('retain.budget', handle);
    const next = await start(workspace, 'retention');
    expect(await next.handle.result()).toMatchObject({
      status: 'completed',
      counts: { archived: 1 },
    });
  });
  expect(await statuses(workspace)).toEqual(ARCHIVED);
});

/** Holds every retention of the workspace in the batch that archives, once it is done. */
function heldWhenArchived(workspace: string) {
  const batches: string[] = [];
  const gate = () => {
    let open: () => void = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    return { open, opened };
  };
  const [reached, go] = [gate(), gate()];
  const aroundUpkeep: LaneModels['aroundUpkeep'] = (activities) => ({
    ...activities,
    retainBatch: async (input) => {
      const done = await activities.retainBatch(input);
      if (input.unit.workspace !== workspace) return done;
      batches.push(input.part);
      if (input.part === 'expire') {
        reached.open();
        await go.opened;
      }
      return done;
    },
  });
  return { batches, reached: reached.opened, go: go.open, aroundUpkeep };
}

it('a paused one starts nothing further, and goes on when it is told to', async () => {
  const workspace = await aged();
  const { batches: done, reached, go, aroundUpkeep } = heldWhenArchived(workspace);
  await lane.working(models({ aroundUpkeep }), async () => {
    const { handle } = await start(workspace, 'retention');
    await reached;
    await handle.signal('pause');
    go();
    // Another one that begins now and goes all the way.
    const other = await start(await aged(), 'retention');
    expect(await other.handle.result()).toMatchObject({ status: 'completed' });
    expect(done).toEqual(['expire']);
    await handle.signal('resume');
    expect(await handle.result()).toMatchObject({ counts: { archived: 3, payloads_dropped: 6 } });
  });
});

it('a cancelled one ends with what it did, and leaves nothing half done', async () => {
  const workspace = await aged();
  const { reached, go, aroundUpkeep } = heldWhenArchived(workspace);
  await lane.working(models({ aroundUpkeep }), async () => {
    const { unit, handle } = await start(workspace, 'retention');
    await reached;
    await handle.signal('pause');
    go();
    const other = await start(await aged(), 'retention');
    await other.handle.result();
    await handle.cancel();
    await expect(handle.result()).rejects.toThrow();
    expect(await runOf(workspace, unit.operation_id)).toMatchObject({
      state: 'cancelled',
      counts: { archived: 3 },
    });
    expect(await lane.rows(workspace, 'SELECT 1 FROM events WHERE payload IS NULL')).toEqual([]);
    expect(await lane.rows(workspace, 'SELECT 1 FROM scope_leases')).toEqual([]);
    await saveHistory('retain.cancelled', handle);
  });
});

it('a dry run of the whole pass, as people ask for it, changes no card and says what it would', async () => {
  const workspace = await aged();
  const before = await lane.rows(workspace, 'SELECT * FROM cards ORDER BY id');
  await lane.working(models(), async () => {
    const at = new Date().toISOString();
    const pass = await startNight(lane, workspace, { type: 'retention', dry_run: true, at });
    expect(await pass.result()).toMatchObject({
      status: 'completed',
      units: 1,
      counts: { archived: 3, payloads_dropped: 6 },
    });
    const monthly = await startNight(lane, workspace, { type: 'recalibration', dry_run: true, at });
    expect(await monthly.result()).toMatchObject({ counts: { archive_proposals: 1 } });
  });
  expect(await lane.rows(workspace, 'SELECT * FROM cards ORDER BY id')).toEqual(before);
  expect(await lane.rows(workspace, 'SELECT 1 FROM proposals')).toEqual([]);
  const noted = await lane.rows<{ reason: string }>(workspace, 'SELECT reason FROM run_changes');
  expect(noted.map(({ reason }) => reason).sort()).toEqual([
    'archive',
    'expired',
    'expired',
    'expired',
    'payloads',
  ]);
});
