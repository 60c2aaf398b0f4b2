import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createRecalibrationActivities } from '../../src/activities/recalibration';
import { createRetentionActivities } from '../../src/activities/retention';
import type { PassCounts, RunChange, UnitInput } from '../../src/contracts/passes';
import {
  type Drift,
  RECALIBRATION_PARTS,
  RETENTION_PARTS,
  type UpkeepBatch,
} from '../../src/contracts/upkeep';
import type { Database } from '../../src/store/database';
import { newId } from '../../src/store/ids';
import { beginPassRun, openUnit } from '../../src/store/pass-runs';
import type { RecallLane } from './filing';

/** What one unit left behind. */
export interface Upkept {
  operationId: string;
  counts: PassCounts;
  changes: RunChange[];
  drift: Drift[];
}

export type UpkeepType = 'retention' | 'recalibration';

const WORKSPACE = 'default';

/**
 * A retention, or a recalibration, of the lane's workspace at the lane's time, step by step as its workflow does it.
 * Each batch is done twice where `twice` is given, as after a commit that nobody heard of.
 */
export async function upkeep(
  lane: RecallLane,
  type: UpkeepType,
  { dryRun = false, twice = false }: { dryRun?: boolean; twice?: boolean } = {},
): Promise<Upkept> {
  const { database } = lane.api;
  const unit = await openedUnit(database, WORKSPACE, type, lane.clock.now(), dryRun);
  const deps = { database, clock: lane.clock.now };
  const environment = new MockActivityEnvironment({
    workflowExecution: { workflowId: unit.workflow_id, runId: randomUUID() },
  });
  const { retainBatch } = createRetentionActivities(deps);
  const { recalibrateBatch } = createRecalibrationActivities(deps);
  const counts: PassCounts = {};
  let drift: Drift[] = [];
  const parts = type === 'retention' ? RETENTION_PARTS : RECALIBRATION_PARTS;
  for (const part of parts) {
    for (let after: string | null = ''; after !== null; ) {
      const input = { unit, part, after, most: null };
      const once = (): Promise<UpkeepBatch & { drift?: Drift[] }> =>
        type === 'retention'
          ? environment.run(retainBatch as never, input as never)
          : environment.run(recalibrateBatch as never, input as never);
      let batch = await once();
      if (twice) batch = await once();
      Object.assign(counts, batch.counts);
      drift = batch.drift ?? drift;
      after = batch.next;
    }
  }
  return { operationId: unit.operation_id, counts, changes: await changesOf(lane, unit), drift };
}

/** Opens a unit of a pass that somebody asked for, as its fan-out does. */
export async function openedUnit(
  database: Database,
  workspace: string,
  type: UpkeepType,
  now: Date,
  dryRun = false,
): Promise<UnitInput & { workflow_id: string }> {
  const parentId = newId('op', now);
  const day = now.toISOString().slice(0, type === 'retention' ? 10 : 7);
  const run = { type, day, dryRun, budget: null, versions: {} };
  const scope = { type: 'workspace', id: workspace } as const;
  const opened = await database.inWorkspace(workspace, async (tx) => {
    const ids = { operationId: parentId, workflowId: `pass/${parentId}`, runId: randomUUID() };
    await beginPassRun(tx, { ...run, ...ids, scope: null }, now);
    return await openUnit(tx, { ...run, parentId, scope }, now);
  });
  return { workspace, ...opened, parent_id: parentId, scope, day, dry_run: dryRun, budget: null };
}

async function changesOf(lane: RecallLane, unit: UnitInput): Promise<RunChange[]> {
  return await rowsOf<RunChange>(
    lane,
    `SELECT change, card_id, version_before, version_after, related, reason
       FROM run_changes WHERE run_id = $1 ORDER BY n`,
    [unit.operation_id],
  );
}

export async function rowsOf<Row>(
  lane: RecallLane,
  statement: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return await lane.api.database.inWorkspace(WORKSPACE, (tx) => tx.query<Row>(statement, values));
}

/** Sets parts of the policy. @throws where it is refused */
export async function setPolicy(
  lane: Pick<RecallLane, 'api'>,
  patch: Record<string, unknown>,
): Promise<void> {
  const { headers } = await lane.api.call('GET', '/v1/policy');
  const answer = await lane.api.call('PUT', '/v1/policy', {
    body: patch,
    headers: { 'if-match': headers.get('etag') ?? '' },
  });
  if (answer.status !== 200) throw new Error(answer.text);
}
