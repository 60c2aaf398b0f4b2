import type { Card } from '../contracts/card';
import type { Via } from '../contracts/names';
import {
  type CardFilter,
  filterValues,
  HOLDING,
  OTHER_CONDITIONS,
  OWN_CONDITION,
} from './card-filter';
import { CARD_COLUMNS, CARD_USAGE, type CardRow, cardOf } from './card-row';
import { deletedSince } from './cards-deleted';
import type { Tx } from './database';
import { TOTAL_CAP } from './paging';
import type { ReaderArguments } from './visible-cards';

/** A card as one reader sees it, in every way in which it is visible to them. */
export interface VisibleCard {
  card: Card;
  vias: Via[];
  /** Who did the work, and that agent's team: part of what is indexed. */
  agent: string | null;
  team: string | null;
  /** Of the event it was made from, by path; compared, never shown. */
  inputFields: Record<string, string>;
}

interface VisibleRow extends CardRow {
  agent_id: string | null;
  team_id: string | null;
  input_fields: Record<string, string>;
  vias: Via[];
}

/** @returns null for a card that is not there and for one that the reader may not see. */
export async function readCard(
  tx: Tx,
  reader: ReaderArguments,
  id: string,
): Promise<VisibleCard | null> {
  const [row] = await tx.query<VisibleRow>(
    `WITH seen AS (
       SELECT array_agg(DISTINCT v.via) AS vias
         FROM visible_cards($1, $2, $3, $4, $5, $6::timestamptz) v
        WHERE v.card_id = $7
     )
     SELECT ${CARD_COLUMNS}, c.input_fields, c.agent_id, a.team_id, seen.vias
       FROM seen
       JOIN cards c ON c.workspace_id = $1 AND c.id = $7
       ${CARD_USAGE}
       LEFT JOIN agents a ON a.workspace_id = c.workspace_id AND a.id = c.agent_id
      WHERE seen.vias IS NOT NULL`,
    [...reader, id],
  );
  return row === undefined ? null : visibleOf(row);
}

/** In which ways the reader sees these cards now; one that is not seen is not in the map. */
export async function waysAmong(
  tx: Tx,
  reader: ReaderArguments,
  ids: readonly string[],
): Promise<Map<string, Via[]>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.query<{ card_id: string; vias: Via[] }>(
    `SELECT v.card_id, array_agg(DISTINCT v.via) AS vias
       FROM visible_cards($1, $2, $3, $4, $5, $6::timestamptz) v
      WHERE v.card_id = ANY ($7)
      GROUP BY v.card_id`,
    [...reader, ids],
  );
  return new Map(rows.map((row) => [row.card_id, row.vias]));
}

/**
 * One judgement of what is visible, for the page and the total. OFFSET 0 has each card fetched by its
 * key: where the tables were never analyzed, the planner would compare each visible card with all others.
 */
const listOf = (others: string) => `
WITH seen AS MATERIALIZED (
  SELECT DISTINCT v.card_id FROM visible_cards($1, $2, $3, $4, $5, $6::timestamptz) v
  ${others}
),
${HOLDING},
matching AS MATERIALIZED (
  SELECT c.id, c.recorded_at
    FROM seen
    JOIN LATERAL (
      SELECT * FROM cards k WHERE k.workspace_id = $1 AND k.id = seen.card_id OFFSET 0
    ) c ON true
   WHERE ${Object.values(OWN_CONDITION).join('\n     AND ')}
     AND ${OTHER_CONDITIONS}
),
total AS (
  SELECT count(*) AS total FROM (SELECT 1 FROM matching LIMIT ${TOTAL_CAP + 1}) counted
),
page AS (
  SELECT m.id
    FROM matching m
   WHERE $24::timestamptz IS NULL OR m.recorded_at < $24 OR (m.recorded_at = $24 AND m.id > $25)
   ORDER BY m.recorded_at DESC, m.id
   LIMIT $26
)
SELECT total.total, ${CARD_COLUMNS}, c.input_fields, c.agent_id, a.team_id
  FROM total
  LEFT JOIN page ON true
  LEFT JOIN cards c ON c.workspace_id = $1 AND c.id = page.id
  ${CARD_USAGE}
  LEFT JOIN agents a ON a.workspace_id = c.workspace_id AND a.id = c.agent_id
 ORDER BY c.recorded_at DESC, c.id`;

const LIST = listOf('');
const LIST_WITH_DELETED = listOf(`UNION ${deletedSince('$27')}`);

/**
 * The newest first.
 * @param page `after` is the place of the last card shown; `limit` counts the one that says there are more.
 */
export async function listCards(
  tx: Tx,
  reader: ReaderArguments,
  filter: CardFilter,
  page: { after: readonly [recordedAt: string, id: string] | null; limit: number },
): Promise<{ cards: VisibleCard[]; total: number }> {
  const { deletedSince: since } = filter;
  const statement = since === null ? LIST : LIST_WITH_DELETED;
  const rows = await tx.query<Omit<VisibleRow, 'vias'> & { total: number }>(statement, [
    ...reader,
    ...filterValues(filter),
    page.after?.[0] ?? null,
    page.after?.[1] ?? null,
    page.limit,
    ...(since === null ? [] : [since]),
  ]);
  const found = rows.filter((row) => row.id !== null);
  const ways = await waysAmong(
    tx,
    reader,
    found.map((row) => row.id),
  );
  const cards = found.flatMap((row) => {
    const isGone = row.status === 'deleted' || row.status === 'archived';
    const vias = ways.get(row.id) ?? (isGone && since !== null ? AS_PERSON : undefined);
    return vias === undefined ? [] : [visibleOf({ ...row, vias })];
  });
  return { cards, total: rows[0]?.total ?? 0 };
}

/** `visible_cards` knows no way to a deleted or expired card; people who restore it are the only one. */
const AS_PERSON: Via[] = ['person'];

function visibleOf(row: VisibleRow): VisibleCard {
  return {
    card: cardOf(row),
    vias: row.vias,
    agent: row.agent_id,
    team: row.team_id,
    inputFields: row.input_fields,
  };
}
