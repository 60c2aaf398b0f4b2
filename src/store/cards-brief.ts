import type { CardKind, CardStatus, Sign, Via } from '../contracts/names';
import type { Tx } from './database';
import type { ReaderArguments } from './visible-cards';

/** A card as a graph shows it. */
export interface BriefCard {
  id: string;
  kind: CardKind;
  sign: Sign;
  status: CardStatus;
  summary: string;
  agent: string | null;
}

export interface SeenBrief {
  card: BriefCard;
  vias: Via[];
}

/** Of these cards, those that the reader may see. */
export async function briefCards(
  tx: Tx,
  reader: ReaderArguments,
  ids: readonly string[],
): Promise<Map<string, SeenBrief>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.query<BriefCard & { vias: Via[] }>(
    `WITH seen AS (
       SELECT v.card_id, array_agg(DISTINCT v.via) AS vias
         FROM visible_cards($1, $2, $3, $4, $5, $6::timestamptz) v
        WHERE v.card_id = ANY ($7)
        GROUP BY v.card_id
     )
     SELECT c.id, c.kind, c.sign, c.status, c.summary, seen.vias,
            COALESCE(c.agent_id, CASE WHEN c.scope_type = 'agent' THEN c.scope_id END) AS agent
       FROM seen
       JOIN cards c ON c.workspace_id = $1 AND c.id = seen.card_id`,
    [...reader, ids],
  );
  return new Map(rows.map(({ vias, ...card }) => [card.id, { card, vias }]));
}
