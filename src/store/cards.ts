import type { Card } from '../contracts/card';
import type { CardFlag, CardKind, CardStatus, Sign, Via, WriterKind } from '../contracts/names';
import { CARD_COLUMNS, CARD_USAGE, type CardRow, cardOf } from './card-row';
import { DELETED_SINCE } from './cards-deleted';
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

export interface CardFilter {
  kind: readonly CardKind[] | null;
  sign: readonly Sign[] | null;
  /** Null leaves out what is superseded or archived: what was, not what is. */
  status: readonly CardStatus[] | null;
  /** Who did the work, or whose scope it is. */
  agent: string | null;
  /** In the team's scope, or of an agent that is in the team now. */
  team: string | null;
  subject: string | null;
  service: string | null;
  operation: string | null;
  /** By `lexicalTerms`; a card must hold all of them. */
  terms: readonly string[] | null;
  /** Cards deleted since then are looked through too; null for whoever may not bring them back. */
  deletedSince: Date | null;
  /** Of `recorded_at`: from `since` on and before `until`. */
  since: Date | null;
  until: Date | null;
  flag: CardFlag | null;
  /** Whose key it was written with. */
  writer: { kind: WriterKind; id: string } | null;
  /** The event that it was made from. */
  event: string | null;
}

const BROWSED: readonly CardStatus[] = [
  'pending',
  'active',
  'validated',
  'rejected',
  'quarantined',
];

/**
 * One judgement of what is visible, for the page and the total. OFFSET 0 has each card fetched by its
 * key: where the tables were never analyzed, the planner would compare each visible card with all others.
 */
const listOf = (others: string) => `
WITH seen AS MATERIALIZED (
  SELECT DISTINCT v.card_id FROM visible_cards($1, $2, $3, $4, $5, $6::timestamptz) v
  ${others}
),
holding AS MATERIALIZED (
  SELECT t.card_id
    FROM card_terms t
   WHERE t.workspace_id = $1 AND t.term = ANY ($17::text[])
   GROUP BY t.card_id
  HAVING count(*) = cardinality($17)
),
matching AS MATERIALIZED (
  SELECT c.id, c.recorded_at
    FROM seen
    JOIN LATERAL (
      SELECT * FROM cards k WHERE k.workspace_id = $1 AND k.id = seen.card_id OFFSET 0
    ) c ON true
   WHERE c.status = ANY ($7)
     AND ($8::text[] IS NULL OR c.kind = ANY ($8))
     AND ($9::text[] IS NULL OR c.sign = ANY ($9))
     AND ($10::text IS NULL OR c.agent_id = $10 OR (c.scope_type = 'agent' AND c.scope_id = $10))
     AND ($11::text IS NULL OR (c.scope_type = 'team' AND c.scope_id = $11)
          OR c.agent_id IN (SELECT a.id FROM agents a WHERE a.workspace_id = $1 AND a.team_id = $11))
     AND ($12::text IS NULL OR c.subject = $12)
     AND ($13::text IS NULL OR c.service = $13)
     AND ($14::text IS NULL OR c.operation = $14)
     AND ($15::timestamptz IS NULL OR c.recorded_at >= $15)
     AND ($16::timestamptz IS NULL OR c.recorded_at < $16)
     AND ($17::text[] IS NULL OR c.id IN (SELECT h.card_id FROM holding h))
     AND ($18::text IS NULL OR $18 = ANY (c.flags))
     AND ($19::text IS NULL OR (c.writer_kind = $19 AND c.writer_id = $20))
     AND ($21::text IS NULL OR c.event_id = $21)
),
total AS (
  SELECT count(*) AS total FROM (SELECT 1 FROM matching LIMIT ${TOTAL_CAP + 1}) counted
),
page AS (
  SELECT m.id
    FROM matching m
   WHERE $22::timestamptz IS NULL OR m.recorded_at < $22 OR (m.recorded_at = $22 AND m.id > $23)
   ORDER BY m.recorded_at DESC, m.id
   LIMIT $24
)
SELECT total.total, ${CARD_COLUMNS}, c.input_fields, c.agent_id, a.team_id
  FROM total
  LEFT JOIN page ON true
  LEFT JOIN cards c ON c.workspace_id = $1 AND c.id = page.id
  ${CARD_USAGE}
  LEFT JOIN agents a ON a.workspace_id = c.workspace_id AND a.id = c.agent_id
 ORDER BY c.recorded_at DESC, c.id`;

const LIST = listOf('');
const LIST_WITH_DELETED = listOf(`UNION ${DELETED_SINCE}`);

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
  const { deletedSince } = filter;
  const statement = deletedSince === null ? LIST : LIST_WITH_DELETED;
  const rows = await tx.query<Omit<VisibleRow, 'vias'> & { total: number }>(statement, [
    ...reader,
    ...valuesOf(filter),
    page.after?.[0] ?? null,
    page.after?.[1] ?? null,
    page.limit,
    ...(deletedSince === null ? [] : [deletedSince]),
  ]);
  const found = rows.filter((row) => row.id !== null);
  const ways = await waysAmong(
    tx,
    reader,
    found.map((row) => row.id),
  );
  const cards = found.flatMap((row) => {
    const isGone = row.status === 'deleted' || row.status === 'archived';
    const vias = ways.get(row.id) ?? (isGone && deletedSince !== null ? AS_PERSON : undefined);
    return vias === undefined ? [] : [visibleOf({ ...row, vias })];
  });
  return { cards, total: rows[0]?.total ?? 0 };
}

/** `visible_cards` knows no way to a deleted or expired card; people who restore it are the only one. */
const AS_PERSON: Via[] = ['person'];

function valuesOf(filter: CardFilter): unknown[] {
  return [
    filter.status ?? BROWSED,
    filter.kind,
    filter.sign,
    filter.agent,
    filter.team,
    filter.subject,
    filter.service,
    filter.operation,
    filter.since,
    filter.until,
    filter.terms,
    filter.flag,
    filter.writer?.kind ?? null,
    filter.writer?.id ?? null,
    filter.event,
  ];
}

function visibleOf(row: VisibleRow): VisibleCard {
  return {
    card: cardOf(row),
    vias: row.vias,
    agent: row.agent_id,
    team: row.team_id,
    inputFields: row.input_fields,
  };
}
