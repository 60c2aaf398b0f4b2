import { RECALLED_STATUSES } from '../contracts/names';
import type { Tx } from './database';

/**
 * Holds the cards that a new text was made from until the transaction ends, and says whether all of them
 * are still in use. Whoever stops one of them together with what came of it comes before, and then this
 * answers no, or after, and then finds the new card.
 */
export async function areInUse(tx: Tx, cards: readonly string[]): Promise<boolean> {
  if (cards.length === 0) return true;
  const held = await tx.query(
    `SELECT c.id FROM cards c
      WHERE c.workspace_id = $1 AND c.id = ANY ($2) AND c.status = ANY ($3)
      ORDER BY c.id
        FOR SHARE`,
    [tx.workspace, cards, RECALLED_STATUSES],
  );
  return held.length === new Set(cards).size;
}
