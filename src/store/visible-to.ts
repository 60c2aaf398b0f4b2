import type { Via } from '../contracts/names';
import type { Tx } from './database';

/** An agent that would see the card, and one way in which it would. */
export interface Beholder {
  agent: string;
  via: Via;
}

/**
 * Asks the one read path for every agent of the workspace whether it sees this card now, so that the
 * answer cannot differ from what a read would do. Household cards need a person who is acted for; a dry
 * run has none.
 */
export async function readVisibleTo(tx: Tx, cardId: string, now: Date): Promise<Beholder[]> {
  return await tx.query<Beholder>(
    `SELECT DISTINCT a.id AS agent, v.via
       FROM agents a
      CROSS JOIN LATERAL visible_cards($1, a.id, NULL, false, NULL, $3::timestamptz) v
      WHERE a.workspace_id = $1 AND v.card_id = $2
      ORDER BY a.id, v.via`,
    [tx.workspace, cardId, now],
  );
}
