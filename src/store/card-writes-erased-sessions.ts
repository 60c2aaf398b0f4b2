import type { Tx } from './database';
import { deleteWith } from './erasure-tables';

/** @returns the rows that went, by table */
export async function forgetSessions(
  tx: Tx,
  ids: readonly string[],
): Promise<Record<string, number>> {
  const boards = await deleteWith(tx, 'session', ids);
  const left = await tx.query<{ id: string }>(
    `DELETE FROM sessions s
      WHERE s.workspace_id = $1 AND s.id = ANY ($2)
        AND NOT EXISTS (SELECT 1 FROM cards c
                         WHERE c.workspace_id = $1 AND c.session = s.id
                           AND (CASE WHEN c.session IS NULL THEN c.task ELSE c.session END) = s.id)
        AND s.id NOT IN (SELECT e.payload ->> 'session' FROM events e
                          WHERE e.workspace_id = $1 AND e.payload ->> 'session' = ANY ($2))
     RETURNING s.id`,
    [tx.workspace, ids],
  );
  await tx.query(
    'UPDATE recalls SET session = NULL WHERE workspace_id = $1 AND session = ANY ($2)',
    [tx.workspace, left.map(({ id }) => id)],
  );
  return { ...boards, sessions: left.length };
}
