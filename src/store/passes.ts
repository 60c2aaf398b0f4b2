import type { RunType } from '../contracts/names';
import type { Tx } from './database';

/** A pass as `runs` remembers it. */
export interface Pass {
  operationId: string;
  type: Extract<RunType, 'embed' | 'redistill' | 'reembed' | 'seal' | 'learning'>;
  workflowId: string;
  runId: string;
}

/**
 * Opens the row of a pass once it has found work; again where it found more after all. What a pass of the
 * same workflow left open was terminated or lost, and says so.
 */
export async function openPass(tx: Tx, pass: Pass, now: Date): Promise<void> {
  await tx.query(
    `WITH lost AS (
       UPDATE runs SET state = 'failed', error = 'lost', finished_at = $6
        WHERE workspace_id = $1 AND workflow_id = $4 AND type = $3 AND state = 'running' AND id <> $2
     )
     INSERT INTO runs (workspace_id, id, type, scope_type, scope_id, state, workflow_id, run_id, created_at, started_at)
     VALUES ($1, $2, $3, 'workspace', $1, 'running', $4, $5, $6, $6)
     ON CONFLICT (workspace_id, id)
     DO UPDATE SET state = 'running', finished_at = NULL, run_id = EXCLUDED.run_id,
                   started_at = COALESCE(runs.started_at, EXCLUDED.started_at)`,
    [tx.workspace, pass.operationId, pass.type, pass.workflowId, pass.runId, now],
  );
}

/** Numbers and codes only; a pass that found nothing has no row, and gets none. */
export type PassRecord = Readonly<Record<string, string | number | null>>;

export async function notePass(tx: Tx, operationId: string, counts: PassRecord): Promise<void> {
  await tx.query('UPDATE runs SET counts = $3 WHERE workspace_id = $1 AND id = $2', [
    tx.workspace,
    operationId,
    JSON.stringify(counts),
  ]);
}

/** `result.status` is `partial` where it could not do all. */
export async function endPass(
  tx: Tx,
  operationId: string,
  counts: PassRecord,
  result: PassRecord,
  now: Date,
): Promise<void> {
  await tx.query(
    `UPDATE runs SET state = 'completed', counts = $3, result = $4, finished_at = $5
      WHERE workspace_id = $1 AND id = $2`,
    [tx.workspace, operationId, JSON.stringify(counts), JSON.stringify(result), now],
  );
}
