import type { Tx } from './database';

/**
 * After reflections were undone: their cards are to be read again, and what they found counts no longer as found
 * before. What a person rejected or approved stays decided, and so does what could not be taken back.
 * @param runs the units, as they are marked undone
 */
export async function reflectAnew(tx: Tx, runs: readonly string[], at: Date): Promise<void> {
  await tx.query(
    `WITH before AS (
       SELECT DISTINCT ON (r.scope_type, r.scope_id) r.scope_type, r.scope_id,
              COALESCE((r.read_from ->> 'at')::timestamptz, '-infinity') AS read_to,
              COALESCE(r.read_from ->> 'id', '') AS read_id
         FROM runs r
        WHERE r.workspace_id = $1 AND r.id = ANY ($2) AND r.type = 'reflection' AND r.read_from IS NOT NULL
        ORDER BY r.scope_type, r.scope_id, 3, 4
     )
     UPDATE reflected_scopes s
        SET read_to = b.read_to, read_id = b.read_id, quiet_at = GREATEST(s.quiet_at, $3)
       FROM before b
      WHERE s.workspace_id = $1 AND s.scope_type = b.scope_type AND s.scope_id = b.scope_id
        AND (b.read_to, b.read_id) < (s.read_to, s.read_id)`,
    [tx.workspace, runs, at],
  );
  await tx.query(
    `UPDATE reflections r SET forgotten_at = $3
      WHERE r.workspace_id = $1 AND r.run_id = ANY ($2) AND r.forgotten_at IS NULL AND r.reason <> 'person'
        AND CASE r.decision
              WHEN 'rejected' THEN true
              WHEN 'escalated' THEN NOT EXISTS (
                SELECT 1 FROM proposals p
                 WHERE p.workspace_id = $1 AND p.id = r.proposal_id AND p.status IN ('open', 'reopened'))
              WHEN 'approved' THEN EXISTS (
                SELECT 1 FROM run_changes c
                 WHERE c.workspace_id = $1 AND c.run_id = r.run_id AND c.undone_at IS NOT NULL
                   AND (c.card_id = r.card_id AND c.change = 'created'
                        OR r.edge_id = ANY (c.related) AND c.change = 'linked'))
            END`,
    [tx.workspace, runs, at],
  );
}
