import { sealWorkflowId } from '../contracts/workflow-ids';
import { SEAL_AFTER_MS } from '../domain/upkeep';
import type { Tx } from './database';
import { newId } from './ids';

/** The number of the block that is next, and since when the first row of either log waits for it. */
export async function waitingForSeal(tx: Tx): Promise<{ n: number; since: string | null }> {
  return await tx.one(
    `WITH last AS (
       SELECT COALESCE(max(n), 0) AS n, COALESCE(max(audit_to), 0) AS audit, COALESCE(max(access_to), 0) AS access
         FROM (SELECT * FROM audit_chain WHERE workspace_id = $1 ORDER BY n DESC LIMIT 1) newest
     )
     SELECT last.n + 1 AS n,
            LEAST((SELECT at FROM audit_log WHERE workspace_id = $1 AND seq > last.audit ORDER BY seq LIMIT 1),
                  (SELECT at FROM access_log WHERE workspace_id = $1 AND id > last.access ORDER BY id LIMIT 1)) AS since
       FROM last`,
    [tx.workspace],
  );
}

/** Starts `seal` where rows of a log wait for it. @returns whether it did */
export async function startSealing(tx: Tx, now: Date): Promise<boolean> {
  const { n, since } = await waitingForSeal(tx);
  if (since === null || now.getTime() - Date.parse(since) < SEAL_AFTER_MS) return false;
  return await sendStart(tx, sealWorkflowId(tx.workspace, String(n)), n, {}, now);
}

/**
 * Asks for everything up to now to be sealed, by a pass of its own.
 * @returns its operation
 */
export async function askForSeal(tx: Tx, now: Date): Promise<string> {
  const operationId = newId('op', now);
  const workflowId = sealWorkflowId(tx.workspace, operationId);
  const { n } = await waitingForSeal(tx);
  await tx.query(
    `INSERT INTO runs (workspace_id, id, type, scope_type, scope_id, state, workflow_id, created_at)
     VALUES ($1, $2, 'seal', 'workspace', $1, 'pending', $3, $4)`,
    [tx.workspace, operationId, workflowId, now],
  );
  await sendStart(tx, workflowId, n, { operation_id: operationId }, now);
  return operationId;
}

/** @returns false where the same start is about to be sent */
async function sendStart(
  tx: Tx,
  workflowId: string,
  n: number,
  ids: { operation_id?: string },
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO outbox (workspace_id, action, workflow_id, arguments, next_at, created_at)
     SELECT $1, 'start_seal', $2, $3, $4, $4
      WHERE NOT EXISTS (SELECT 1 FROM outbox
                         WHERE workspace_id = $1 AND action = 'start_seal' AND workflow_id = $2)
     RETURNING id`,
    [
      tx.workspace,
      workflowId,
      JSON.stringify({ workspace: tx.workspace, n: String(n), ...ids }),
      now,
    ],
  );
  return rows.length > 0;
}
