import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createRescanActivities, type RescanActivities } from '../../src/activities/rescan';
import type { RescanFindings, RescanResult } from '../../src/contracts/rescan';
import { DETECTORS_VERSION } from '../../src/redaction/detectors';
import { askForRescan } from '../../src/store/rescans';
import type { RecallLane } from './filing';
import { rowsOf } from './upkeep';

/** What one rescan left behind. */
export interface Rescanned {
  operationId: string;
  result: RescanResult;
  places: RescanFindings;
}

export interface Rescanning {
  dryRun?: boolean;
  /** Each batch twice, as after a commit that nobody heard of. */
  twice?: boolean;
  /** Before each batch of this step: somebody else at work. */
  meanwhile?: (step: 'look' | 'repair', place: string) => Promise<void>;
}

/** A rescan of the lane's workspace, step by step as its workflow does it. */
export async function rescan(lane: RecallLane, how: Rescanning = {}): Promise<Rescanned> {
  const { database, secretKey } = lane.api;
  const asked = { dryRun: how.dryRun ?? false, by: null, detectors: DETECTORS_VERSION };
  const operationId = await database.inWorkspace('default', (tx) =>
    askForRescan(tx, asked, lane.clock.now()),
  );
  const [row] = await rowsOf<{ n: number }>(lane, 'SELECT n FROM rescans WHERE operation_id = $1', [
    operationId,
  ]);
  const pass = { workspace: 'default', operation_id: operationId, n: row?.n ?? 0 };
  const environment = new MockActivityEnvironment({
    workflowExecution: { workflowId: `rescan/default/${pass.n}`, runId: randomUUID() },
  });
  const activities = createRescanActivities({ database, clock: lane.clock.now, secretKey });
  const run = <Name extends keyof RescanActivities>(
    name: Name,
    input: Parameters<RescanActivities[Name]>[0],
  ) => environment.run(activities[name] as never, input as never);

  let { at } = (await run('beginRescan', pass)) as Awaited<
    ReturnType<RescanActivities['beginRescan']>
  >;
  while (at !== null) {
    await how.meanwhile?.(at.step, at.place);
    const batch = { ...pass, at };
    const once = () => run('rescanBatch', batch) as ReturnType<RescanActivities['rescanBatch']>;
    let done = await once();
    if (how.twice === true) done = await once();
    at = done.at;
  }
  const result = (await run('endRescan', pass)) as RescanResult;
  const [ended] = await rowsOf<{ places: RescanFindings }>(
    lane,
    "SELECT result -> 'places' AS places FROM runs WHERE id = $1",
    [operationId],
  );
  return { operationId, result, places: ended?.places ?? {} };
}

/** Every row of every table that holds one of these texts, as `table: text`. */
export async function whereIs(lane: RecallLane, texts: readonly string[]): Promise<string[]> {
  const tables = await rowsOf<{ name: string }>(
    lane,
    `SELECT c.relname AS name FROM pg_class c
       JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
      WHERE c.relkind = 'r' ORDER BY 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await rowsOf<{ row: string }>(
      lane,
      `SELECT lower(t::text) AS row FROM ${name} t`,
    ).catch(() => []);
    for (const text of texts) {
      if (rows.some(({ row }) => row.includes(text.toLowerCase()))) found.push(`${name}: ${text}`);
    }
  }
  return found;
}
