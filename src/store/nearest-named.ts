import type { Card } from '../contracts/card';
import type { Via } from '../contracts/names';
import { CARD_COLUMNS, CARD_USAGE, type CardRow, cardOf } from './card-row';
import type { Tx } from './database';
import { IS_NOTE } from './notes';
import { skillsAmong, type VisibleSkill } from './skills-read';
import type { ReaderArguments } from './visible-cards';

/**
 * Notes and skills as one name each: of several that a reader sees under a name, the one that reading it by
 * that name gives.
 */

/** A page of names: those behind `after`, of the order that the database has. */
export interface NamePage {
  after: string | null;
  limit: number;
}

const NEAREST = `'own' = ANY (seen.vias) DESC, 'team' = ANY (seen.vias) DESC, 'workspace' = ANY (seen.vias) DESC`;

/**
 * By key; in the order of `findNotes` among those of a key.
 * @param except keys that begin so are left out
 */
export async function nearestNotes(
  tx: Tx,
  reader: ReaderArguments,
  { after, limit, except }: NamePage & { except: string },
): Promise<{ card: Card; vias: Via[] }[]> {
  const rows = await tx.query<CardRow & { vias: Via[] }>(
    `WITH seen AS MATERIALIZED (
       SELECT v.card_id, array_agg(DISTINCT v.via) AS vias
         FROM visible_cards($1, $2, $3, $4, $5, $6::timestamptz) v
        GROUP BY v.card_id
     ),
     nearest AS (
       SELECT DISTINCT ON (c.key) c.key AS name, c.id, seen.vias
         FROM seen
         JOIN LATERAL (
           SELECT * FROM cards k WHERE k.workspace_id = $1 AND k.id = seen.card_id OFFSET 0
         ) c ON true
        WHERE ${IS_NOTE} AND ($7::text IS NULL OR c.key > $7)
          AND NOT starts_with(c.key, $9)
        ORDER BY c.key, ${NEAREST}, c.subject IS NULL DESC, c.edited_at DESC, c.id
        LIMIT $8
     )
     SELECT ${CARD_COLUMNS}, n.vias
       FROM nearest n
       JOIN cards c ON c.workspace_id = $1 AND c.id = n.id
       ${CARD_USAGE}
      ORDER BY n.name`,
    [...reader, after, limit, except],
  );
  return rows.map((row) => ({ card: cardOf(row), vias: row.vias }));
}

/** Skills in use, by name; in the order of `findSkills` among those of a name. */
export async function nearestSkills(
  tx: Tx,
  reader: ReaderArguments,
  { after, limit }: NamePage,
): Promise<VisibleSkill[]> {
  const rows = await tx.query<{ card_id: string }>(
    `WITH seen AS MATERIALIZED (
       SELECT v.card_id, array_agg(DISTINCT v.via) AS vias
         FROM visible_cards($1, $2, $3, $4, $5, $6::timestamptz) v
        GROUP BY v.card_id
     )
     SELECT DISTINCT ON (s.name) s.name, s.card_id
       FROM seen
       JOIN skills s ON s.workspace_id = $1 AND s.card_id = seen.card_id AND s.status = 'current'
       JOIN LATERAL (
         SELECT * FROM cards k WHERE k.workspace_id = $1 AND k.id = seen.card_id OFFSET 0
       ) c ON true
      WHERE c.status IN ('pending', 'active', 'validated') AND ($7::text IS NULL OR s.name > $7)
      ORDER BY s.name, ${NEAREST}, s.created_at DESC, s.card_id
      LIMIT $8`,
    [...reader, after, limit],
  );
  return await skillsAmong(
    tx,
    reader,
    rows.map(({ card_id }) => card_id),
  );
}
