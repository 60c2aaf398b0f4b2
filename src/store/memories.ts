import type { Card } from '../contracts/card';
import { RECALLED_STATUSES, type Via } from '../contracts/names';
import type { Literal } from '../domain/memory-filter';
import { CARD_COLUMNS, CARD_USAGE, type CardRow, cardOf } from './card-row';
import type { Tx } from './database';
import type { ReaderArguments } from './visible-cards';

/** Cards as the mem0-shaped routes list them: by their filters, in numbered pages. */

export interface FoundMemory {
  card: Card;
  vias: readonly Via[];
  /** When it last changed. */
  changedAt: string;
}

/** What a filter compares, as JSON: a card's own field, or an entry of its metadata. */
const OPERAND = `
  CASE WHEN l.literal #>> '{operand,entry}' IS NOT NULL THEN c.metadata -> (l.literal #>> '{operand,entry}')
       ELSE CASE l.literal #>> '{operand,field}'
              WHEN 'user_id' THEN to_jsonb(c.subject)
              WHEN 'agent_id' THEN CASE WHEN c.scope_type = 'agent' THEN to_jsonb(c.scope_id) END
              WHEN 'run_id' THEN to_jsonb(c.session)
              WHEN 'created_at' THEN to_jsonb(trunc(extract(epoch FROM c.recorded_at) * 1000))
              WHEN 'updated_at' THEN to_jsonb(trunc(extract(epoch FROM c.edited_at) * 1000))
            END
  END`;

const ORDERED = (operator: string) =>
  `jsonb_typeof(x.operand) = jsonb_typeof(x.value) AND x.operand ${operator} x.value`;

/** Card `c` passes one of the groups in `$7`; as `groupsOf` gives them. */
const PASSES = `
  EXISTS (
    SELECT 1
      FROM jsonb_array_elements($7::jsonb) AS g (literals)
     WHERE NOT EXISTS (
       SELECT 1
         FROM jsonb_array_elements(g.literals) AS l (literal)
        CROSS JOIN LATERAL (SELECT ${OPERAND} AS operand, l.literal -> 'value' AS value) x
        WHERE ((CASE l.literal ->> 'op'
                 WHEN 'holds' THEN c.metadata @> x.value
                 WHEN 'known' THEN x.operand <> 'null'
                 WHEN 'in' THEN x.operand IN (SELECT jsonb_array_elements(l.literal -> 'values'))
                 WHEN 'contains' THEN CASE jsonb_typeof(x.operand)
                   WHEN 'string' THEN strpos(x.operand #>> '{}', x.value #>> '{}') > 0
                   WHEN 'array' THEN x.operand @> x.value
                 END
                 WHEN 'icontains' THEN
                   jsonb_typeof(x.operand) = 'string'
                   AND strpos(lower(x.operand #>> '{}'), lower(x.value #>> '{}')) > 0
                 WHEN 'gt' THEN ${ORDERED('>')}
                 WHEN 'gte' THEN ${ORDERED('>=')}
                 WHEN 'lt' THEN ${ORDERED('<')}
                 WHEN 'lte' THEN ${ORDERED('<=')}
               END) IS TRUE) = (l.literal -> 'not')::boolean))`;

/** OFFSET 0 has each card fetched by its key, as the list of cards does. */
const MATCHING = `
WITH seen AS MATERIALIZED (
  SELECT DISTINCT v.card_id FROM visible_cards($1, $2, $3, $4, $5, $6::timestamptz) v
),
matching AS MATERIALIZED (
  SELECT c.id, c.recorded_at, c.edited_at, c.subject, c.session,
         CASE WHEN c.scope_type = 'agent' THEN c.scope_id END AS agent
    FROM seen
    JOIN LATERAL (
      SELECT * FROM cards k WHERE k.workspace_id = $1 AND k.id = seen.card_id OFFSET 0
    ) c ON true
   WHERE c.status IN (${RECALLED_STATUSES.map((status) => `'${status}'`).join(', ')})
     AND ${PASSES}
)`;

/** The newest first; `total` counts all that match. */
export async function listMemories(
  tx: Tx,
  reader: ReaderArguments,
  groups: readonly Literal[][],
  page: { limit: number; offset: number },
): Promise<{ memories: FoundMemory[]; total: number }> {
  const rows = await tx.query<{ id: string | null; total: number }>(
    `${MATCHING}
     SELECT total.total, page.id
       FROM (SELECT count(*) AS total FROM matching) total
       LEFT JOIN (
         SELECT m.id, m.recorded_at FROM matching m ORDER BY m.recorded_at DESC, m.id LIMIT $8 OFFSET $9
       ) page ON true
      ORDER BY page.recorded_at DESC, page.id`,
    [...reader, JSON.stringify(groups), page.limit, page.offset],
  );
  const ids = rows.flatMap(({ id }) => (id === null ? [] : [id]));
  const found = await readMemories(tx, reader, ids);
  const memories = ids.flatMap((id) => found.get(id) ?? []);
  return { memories, total: rows[0]?.total ?? 0 };
}

/** Ids of all that match. */
export async function memoriesAmong(
  tx: Tx,
  reader: ReaderArguments,
  groups: readonly Literal[][],
): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(`${MATCHING} SELECT m.id FROM matching m`, [
    ...reader,
    JSON.stringify(groups),
  ]);
  return new Set(rows.map((row) => row.id));
}

/** Those of these cards that the reader sees now. */
export async function readMemories(
  tx: Tx,
  reader: ReaderArguments,
  ids: readonly string[],
): Promise<Map<string, FoundMemory>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.query<CardRow & { edited_at: string; vias: Via[] }>(
    `WITH seen AS (
       SELECT v.card_id, array_agg(DISTINCT v.via) AS vias
         FROM visible_cards($1, $2, $3, $4, $5, $6::timestamptz) v
        WHERE v.card_id = ANY ($7)
        GROUP BY v.card_id
     )
     SELECT ${CARD_COLUMNS}, c.edited_at, seen.vias
       FROM seen
       JOIN cards c ON c.workspace_id = $1 AND c.id = seen.card_id
       ${CARD_USAGE}`,
    [...reader, ids],
  );
  return new Map(
    rows.map((row) => [row.id, { card: cardOf(row), vias: row.vias, changedAt: row.edited_at }]),
  );
}

export interface MemoryEntity {
  type: 'user' | 'agent' | 'run';
  name: string;
  total_memories: number;
  created_at: string;
  updated_at: string;
}

/** Of whom, by whom and in which session there are memories that the reader sees. */
export async function listEntities(
  tx: Tx,
  reader: ReaderArguments,
  page: { limit: number; offset: number },
): Promise<{ entities: MemoryEntity[]; total: number }> {
  const rows = await tx.query<MemoryEntity & { total: number }>(
    `${MATCHING},
     entities AS MATERIALIZED (
       SELECT e.type, e.name, count(*) AS total_memories, min(m.recorded_at) AS created_at,
              max(m.edited_at) AS updated_at
         FROM matching m
        CROSS JOIN LATERAL (VALUES ('user', m.subject), ('agent', m.agent), ('run', m.session)) AS e (type, name)
        WHERE e.name IS NOT NULL
        GROUP BY e.type, e.name
     )
     SELECT total.total, page.*
       FROM (SELECT count(*) AS total FROM entities) total
       LEFT JOIN (SELECT * FROM entities ORDER BY type DESC, name LIMIT $8 OFFSET $9) page ON true
      ORDER BY page.type DESC, page.name`,
    [...reader, JSON.stringify([[]]), page.limit, page.offset],
  );
  const entities = rows.flatMap(({ total: _total, ...entity }) =>
    entity.name === null ? [] : [entity],
  );
  return { entities, total: rows[0]?.total ?? 0 };
}
