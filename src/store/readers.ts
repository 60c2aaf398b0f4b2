import type { Via } from '../contracts/names';
import type { Tx } from './database';
import { countCapped } from './paging';

/** One read of a card by somebody, or one injection of it, own ones included. */
export interface CardReader {
  agent: string | null;
  person: string | null;
  at: string;
  via: Via;
  surface: string;
  recall_id: string | null;
}

export interface CardReaderRow extends CardReader {
  /** Unique among the readers of a card: what a page ends at. */
  place: string;
}

/**
 * The access log knows every read of a card that was not the reader's own; what an agent had injected
 * of its own stands with its recalls.
 */
const READERS = `
  SELECT 'log:' || l.id AS place, COALESCE(agent.name, l.agent) AS agent,
         COALESCE(person.name, l.person) AS person, l.at, l.via, l.surface, l.recall_id
    FROM access_log l
    LEFT JOIN surrogates agent  ON agent.workspace_id = l.workspace_id AND agent.id = l.agent
    LEFT JOIN surrogates person ON person.workspace_id = l.workspace_id AND person.id = l.person
   WHERE l.workspace_id = $1 AND l.card_ids @> ARRAY[$2::text]
  UNION ALL
  SELECT 'recall:' || r.id, r.agent_id, r.person_id, r.at, 'own', 'recall', r.id
    FROM recall_cards rc
    JOIN recalls r ON r.workspace_id = rc.workspace_id AND r.id = rc.recall_id
   WHERE rc.workspace_id = $1 AND rc.card_id = $2::text AND 'own' = ANY (rc.via)`;

/** The latest first. */
export async function listReaders(
  tx: Tx,
  cardId: string,
  page: { after: readonly [at: string, place: string] | null; limit: number },
): Promise<{ rows: CardReaderRow[]; total: number }> {
  const total = await countCapped(tx, READERS, [tx.workspace, cardId]);
  const rows = await tx.query<CardReaderRow>(
    `SELECT r.place, r.agent, r.person, r.at, r.via, r.surface, r.recall_id
       FROM (${READERS}) r
      WHERE $3::timestamptz IS NULL OR r.at < $3 OR (r.at = $3 AND r.place > $4)
      ORDER BY r.at DESC, r.place
      LIMIT $5`,
    [tx.workspace, cardId, page.after?.[0] ?? null, page.after?.[1] ?? null, page.limit],
  );
  return { rows, total };
}
