import { COMPACTION_BEGINS_WITHIN_MS } from '../domain/upkeep';
import type { Tx } from './database';

/** Of one workspace at one sweep, the oldest first: the next sweep comes in minutes. */
const MOST_RESTARTS = 500;

/**
 * Sends the start of compactions once more that should have ended by now: their workflow was terminated, or lost with
 * Temporal's data. The start itself leaves one alone that still runs. A conversation whose compaction has ended without
 * letting go of it may have another one.
 * @returns how many were started
 */
export async function restartCompactions(tx: Tx, now: Date): Promise<number> {
  await tx.query(
    `UPDATE conversations c SET compacting = NULL
       FROM runs r
      WHERE c.workspace_id = $1 AND c.compacting IS NOT NULL
        AND r.workspace_id = $1 AND r.id = c.compacting AND r.state NOT IN ('pending', 'running')`,
    [tx.workspace],
  );
  const rows = await tx.query(
    `INSERT INTO outbox (workspace_id, action, workflow_id, arguments, next_at, created_at)
     SELECT c.workspace_id, 'start_compaction', r.workflow_id,
            jsonb_build_object('workspace', c.workspace_id, 'conversation_id', c.id, 'operation_id', r.id,
                               'n', c.compactions::text), $2, $2
       FROM conversations c
       JOIN runs r ON r.workspace_id = $1 AND r.id = c.compacting
      WHERE c.workspace_id = $1 AND c.compacting IS NOT NULL AND r.created_at < $3
        AND NOT EXISTS (SELECT 1 FROM outbox o
                         WHERE o.workspace_id = $1 AND o.workflow_id = r.workflow_id)
      ORDER BY r.created_at
      LIMIT $4
     RETURNING id`,
    [tx.workspace, now, new Date(now.getTime() - COMPACTION_BEGINS_WITHIN_MS), MOST_RESTARTS],
  );
  return rows.length;
}
