import type { Tx } from './database';

/**
 * Whether a legal hold names item `i` itself, of those that have a row in the directory. A person is the subject that
 * they are linked to, too.
 */
export const NAMED_BY_HOLD = `EXISTS (
              SELECT 1 FROM legal_holds h
               WHERE h.workspace_id = $1
                 AND CASE i.kind
                       WHEN 'subject' THEN hold_names(h, i.id, NULL, NULL, NULL, NULL, NULL)
                       WHEN 'person' THEN hold_names(h, (SELECT p.subject_id FROM people p
                                                          WHERE p.workspace_id = $1 AND p.id = i.id),
                                                     NULL, NULL, NULL, 'person', i.id)
                       WHEN 'agent' THEN hold_names(h, NULL, i.id, NULL, NULL, NULL, NULL)
                       WHEN 'source' THEN hold_names(h, NULL, NULL, i.id, NULL, NULL, NULL)
                       ELSE hold_names(h, NULL, NULL, NULL, i.id, NULL, NULL)
                     END)`;

/**
 * Leaves whom and what a legal hold names itself where they are: their row of the directory, their keys, and the
 * surrogate that makes the logs readable stay with what is held of them.
 */
export async function leaveHeldNames(tx: Tx, erasureId: string): Promise<void> {
  await tx.query(
    `UPDATE erasure_items i SET state = 'held', was = i.state
      WHERE i.workspace_id = $1 AND i.erasure_id = $2 AND i.state = 'root'
        AND i.kind IN ('subject', 'person', 'agent', 'source', 'project')
        AND ${NAMED_BY_HOLD}`,
    [tx.workspace, erasureId],
  );
}
