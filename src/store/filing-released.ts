import type { CardVector } from './card-writes';
import type { Tx } from './database';
import { readCandidates } from './filing-candidates';
import { linkAnew } from './filing-late-vectors';

/**
 * Compares a card that is in use again with the others, in the caller's transaction: while it was held
 * back it was compared with none. What was linked before stays as it is.
 * @returns the number of new edges
 */
export async function linkReleased(tx: Tx, id: string, now: Date): Promise<number> {
  const [row] = await readCandidates(tx, [id], null, '');
  if (row === undefined) return 0;
  return await linkAnew(tx, row, await vectorOf(tx, id), now);
}

/** That of the served model where it has one, since the other cards have theirs; else its newest. */
async function vectorOf(tx: Tx, id: string): Promise<CardVector | null> {
  const [row] = await tx.query<{ model: string; dims: number; embedding: string }>(
    `SELECT e.model, e.dims, e.embedding::text AS embedding
       FROM card_embeddings e
       JOIN workspaces w ON w.workspace_id = e.workspace_id
      WHERE e.workspace_id = $1 AND e.card_id = $2 AND e.field = 'summary'
      ORDER BY e.model IS NOT DISTINCT FROM w.embedding_model DESC, e.created_at DESC, e.model
      LIMIT 1`,
    [tx.workspace, id],
  );
  if (row === undefined) return null;
  return { model: row.model, dims: row.dims, values: JSON.parse(row.embedding) as number[] };
}
