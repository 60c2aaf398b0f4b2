import type { Tx } from './database';

/**
 * From now on outcomes that turn against this card demote it: it was approved by the gate or by a person, and nobody
 * has yet seen whether it helps.
 * @param reflectionId null where another pass than a reflection wrote it
 */
export async function watchCard(
  tx: Tx,
  cardId: string,
  reflectionId: string | null,
  now: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO watches (workspace_id, card_id, reflection_id, since) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING`,
    [tx.workspace, cardId, reflectionId, now],
  );
}
