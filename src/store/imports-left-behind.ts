import type { Tx } from './database';

/** Between the last line and the first step there are seconds; a step lasts a second. */
const MOVES_WITHIN_MS = 10 * 60_000;
/** A file of which no line has come for so long is sent again from its beginning. */
const RECEIVED_WITHIN_MS = 24 * 3_600_000;
const MOST_RESTARTS = 100;

/**
 * Sends the start of imports once more that have not moved: their workflow was terminated, or lost with Temporal's
 * data. The start itself leaves one alone that still runs. One whose run was cancelled or failed lets go of its lines.
 * @returns how many were started
 */
export async function restartImports(tx: Tx, now: Date): Promise<number> {
  const since = new Date(now.getTime() - MOVES_WITHIN_MS);
  const rows = await tx.query(
    `INSERT INTO outbox (workspace_id, action, workflow_id, arguments, next_at, created_at)
     SELECT i.workspace_id, 'start_import', r.workflow_id,
            jsonb_build_object('workspace', i.workspace_id, 'import_id', i.id, 'operation_id', r.id), $2, $2
       FROM imports i
       JOIN runs r ON r.workspace_id = $1 AND r.id = i.operation_id AND r.state IN ('pending', 'running')
      WHERE i.workspace_id = $1 AND i.state = 'accepted' AND i.changed_at < $3
        AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.workspace_id = $1 AND o.workflow_id = r.workflow_id)
      ORDER BY i.changed_at
      LIMIT $4
     RETURNING id`,
    [tx.workspace, now, since, MOST_RESTARTS],
  );
  return rows.length;
}

/** Lines of files whose rest never came, and of runs that are over, go. @returns how many imports */
export async function forgetImports(tx: Tx, now: Date): Promise<number> {
  const gone = await tx.query<{ id: string }>(
    `SELECT i.id
       FROM imports i
       LEFT JOIN runs r ON r.workspace_id = $1 AND r.id = i.operation_id
      WHERE i.workspace_id = $1
        AND (i.state = 'receiving' AND i.changed_at < $2
          OR i.state = 'accepted' AND (r.id IS NULL OR r.state NOT IN ('pending', 'running')))
        FOR UPDATE OF i`,
    [tx.workspace, new Date(now.getTime() - RECEIVED_WITHIN_MS)],
  );
  const ids = gone.map(({ id }) => id);
  if (ids.length === 0) return 0;
  await tx.query('DELETE FROM import_lines WHERE workspace_id = $1 AND import_id = ANY ($2)', [
    tx.workspace,
    ids,
  ]);
  await tx.query('DELETE FROM imports WHERE workspace_id = $1 AND id = ANY ($2)', [
    tx.workspace,
    ids,
  ]);
  return ids.length;
}
