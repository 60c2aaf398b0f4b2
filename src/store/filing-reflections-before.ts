import { RECALLED_STATUSES } from '../contracts/names';
import type { Earlier } from '../domain/reflection/again';
import type { Tx } from './database';

/** Findings of the same matter whose runs were not undone, and whether what came of each is in use or waits for a person. */
export async function earlierOf(tx: Tx, matterHash: string): Promise<Earlier[]> {
  return await tx.query<Earlier>(
    `SELECT r.decision, r.sources,
            CASE r.decision
              WHEN 'approved' THEN COALESCE(c.status = ANY ($3), false) OR e.id IS NOT NULL
              WHEN 'escalated' THEN COALESCE(p.status IN ('open', 'reopened'), false)
              ELSE false
            END AS stands
       FROM reflections r
       LEFT JOIN cards c ON c.workspace_id = r.workspace_id AND c.id = r.card_id
       LEFT JOIN edges e ON e.workspace_id = r.workspace_id AND e.id = r.edge_id
       LEFT JOIN proposals p ON p.workspace_id = r.workspace_id AND p.id = r.proposal_id
      WHERE r.workspace_id = $1 AND r.matter_hash = $2 AND r.forgotten_at IS NULL`,
    [tx.workspace, matterHash, RECALLED_STATUSES],
  );
}
