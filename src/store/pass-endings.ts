import type { PassCounts, RunEnd, ScheduledPass } from '../contracts/passes';
import type { Tx } from './database';
import { announce } from './webhooks';

/** How a run ended: with its record, cancelled, or failed with a code. */
export type RunEnding = RunEnd['end'];

/**
 * Writes the end of a unit; `cost` is in tokens. Said again it changes nothing.
 * @returns false where it had ended before
 */
export async function endRun(
  tx: Tx,
  operationId: string,
  ending: RunEnding,
  now: Date,
): Promise<boolean> {
  const counts = ending.state === 'completed' ? ending.result.counts : ending.counts;
  const rows = await tx.query(
    `UPDATE runs
        SET state = $3, counts = $4, result = $5, error = $6, finished_at = $7, cost = $8, paused = false
      WHERE workspace_id = $1 AND id = $2 AND state IN ('pending', 'running')
     RETURNING id`,
    [
      tx.workspace,
      operationId,
      ending.state,
      JSON.stringify(counts),
      JSON.stringify(ending.state === 'completed' ? ending.result : {}),
      ending.state === 'failed' ? ending.error : null,
      now,
      counts.tokens ?? 0,
    ],
  );
  return rows.length > 0;
}

/**
 * Writes the end of a pass. Its counts are the sum of its units', of those too that failed or were cancelled; a unit
 * that never wrote its end, because it was terminated or never began, ends with the pass. One that did not do all is
 * announced.
 * @returns the counts
 */
export async function endPassRun(
  tx: Tx,
  operationId: string,
  ending: RunEnding,
  now: Date,
): Promise<PassCounts> {
  await closeUnits(tx, operationId, ending.state === 'cancelled' ? 'cancelled' : 'failed', now);
  const told = ending.state === 'completed' ? ending.result.counts : ending.counts;
  const counts = { ...told, ...(await unitCounts(tx, operationId)) };
  const counted: RunEnding =
    ending.state === 'completed'
      ? { state: 'completed', result: { ...ending.result, counts } }
      : { ...ending, counts };
  const ended = await endRun(tx, operationId, counted, now);
  if (ended) await announceEnd(tx, operationId, counted, now);
  return counts;
}

async function announceEnd(
  tx: Tx,
  operationId: string,
  ending: RunEnding,
  at: Date,
): Promise<void> {
  const status = ending.state === 'completed' ? ending.result.status : ending.state;
  if (status !== 'failed' && status !== 'partial') return;
  const { type } = await tx.one<{ type: string }>(
    'SELECT type FROM runs WHERE workspace_id = $1 AND id = $2',
    [tx.workspace, operationId],
  );
  await announce(tx, {
    type: 'run.failed',
    at,
    data: { run_id: operationId, run_type: type, status },
  });
}

async function closeUnits(
  tx: Tx,
  operationId: string,
  state: 'cancelled' | 'failed',
  now: Date,
): Promise<void> {
  await tx.query(
    `WITH closed AS (
       UPDATE runs
          SET state = $3, error = CASE WHEN $3 = 'failed' THEN 'lost' END, finished_at = $4, paused = false
        WHERE workspace_id = $1 AND parent_id = $2 AND state IN ('pending', 'running')
       RETURNING id
     )
     DELETE FROM scope_leases l USING closed WHERE l.workspace_id = $1 AND l.run_id = closed.id`,
    [tx.workspace, operationId, state, now],
  );
}

async function unitCounts(tx: Tx, operationId: string): Promise<PassCounts> {
  const rows = await tx.query<{ name: string; by: number }>(
    `SELECT c.key AS name, sum(c.value::numeric)::float8 AS by
       FROM runs r, jsonb_each(r.counts) c
      WHERE r.workspace_id = $1 AND r.parent_id = $2 AND jsonb_typeof(c.value) = 'number'
      GROUP BY c.key`,
    [tx.workspace, operationId],
  );
  return Object.fromEntries(rows.map(({ name, by }) => [name, by]));
}

/** Passes of the Schedule that never wrote their end: terminated, or lost with Temporal's data. One runs at a time. */
export async function endLostPasses(
  tx: Tx,
  type: ScheduledPass,
  { except, now }: { except: string; now: Date },
): Promise<void> {
  const lost = await tx.query<{ id: string }>(
    `SELECT r.id FROM runs r
      WHERE r.workspace_id = $1 AND r.day IS NOT NULL AND r.parent_id IS NULL AND r.state = 'running'
        AND r.type = $2 AND r.asked_by IS NULL AND r.id <> $3`,
    [tx.workspace, type, except],
  );
  for (const { id } of lost) {
    await endPassRun(tx, id, { state: 'failed', error: 'lost', counts: {} }, now);
  }
}

/**
 * The workflow of a run that Temporal does not know, or that has ended: told something, it cannot hear.
 * @returns whether it may still begin; else its row says from now on that it has ended
 */
export async function settleUnheard(
  tx: Tx,
  workflowId: string,
  cancelled: boolean,
  now: Date,
): Promise<boolean> {
  const runs = await tx.query<{ id: string; state: string }>(
    `SELECT r.id, r.state FROM runs r
      WHERE r.workspace_id = $1 AND r.workflow_id = $2 AND r.type <> 'capture' AND r.state IN ('pending', 'running')`,
    [tx.workspace, workflowId],
  );
  for (const { id } of runs.filter(({ state }) => state === 'running')) {
    const ending: RunEnding = cancelled
      ? { state: 'cancelled', counts: {} }
      : { state: 'failed', error: 'lost', counts: {} };
    await endPassRun(tx, id, ending, now);
  }
  return runs.some(({ state }) => state === 'pending');
}
