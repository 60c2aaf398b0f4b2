import type { GraphNode } from '../contracts/graph';
import { type CardKind, RECALLED_STATUSES, type Via } from '../contracts/names';
import type { Tx } from './database';
import type { ReaderArguments } from './visible-cards';

/** What is wanted of the cards of a graph; null: any. */
export interface NodeFilter {
  kinds: readonly CardKind[] | null;
  /** Who did the work, or whose scope it is. */
  agent: string | null;
  /** Of `recorded_at`: from `since` on and before `until`. */
  since: Date | null;
  until: Date | null;
}

export const ANY_NODE: NodeFilter = { kinds: null, agent: null, since: null, until: null };

/** A card as it is, without what its edges say of it. */
export type PlainNode = Omit<GraphNode, 'degree' | 'open_conflict' | 'satisfied'>;

export interface SeenNode {
  node: PlainNode;
  vias: Via[];
}

/** Of a card `c`; the filter's values are the parameters from that number on. */
const wanted = (n: number): string =>
  `($${n}::text[] IS NULL OR c.kind = ANY ($${n}))
        AND ($${n + 1}::text IS NULL OR c.agent_id = $${n + 1} OR (c.scope_type = 'agent' AND c.scope_id = $${n + 1}))
        AND ($${n + 2}::timestamptz IS NULL OR c.recorded_at >= $${n + 2})
        AND ($${n + 3}::timestamptz IS NULL OR c.recorded_at < $${n + 3})`;

const IN_USE = RECALLED_STATUSES.map((status) => `'${status}'`).join(', ');

/** Each card is fetched by its key, however many there are and whatever the planner knows of them. */
const BY_KEY = (card: string): string =>
  `CROSS JOIN LATERAL (SELECT * FROM cards WHERE workspace_id = $1 AND cards.id = ${card} OFFSET 0) c`;

type NodeRow = Omit<PlainNode, 'scope'> & { scope_type: string; scope_id: string; vias: Via[] };

/** Of these cards, those that the reader may see and that are wanted, in the order of the ids. */
export async function graphNodes(
  tx: Tx,
  reader: ReaderArguments,
  ids: readonly string[],
  filter: NodeFilter,
): Promise<Map<string, SeenNode>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.query<NodeRow>(
    `WITH seen AS MATERIALIZED (
       SELECT v.card_id, array_agg(DISTINCT v.via) AS vias
         FROM visible_among($1, $2, $3, $4, $5, $6::timestamptz, $7) v
        GROUP BY v.card_id
     )
     SELECT c.id, c.kind, c.sign, c.status, c.summary, c.service, c.scope_type, c.scope_id, c.valid_from,
            c.recorded_at, seen.vias,
            COALESCE(c.agent_id, CASE WHEN c.scope_type = 'agent' THEN c.scope_id END) AS agent
       FROM seen
      ${BY_KEY('seen.card_id')}
      WHERE ${wanted(8)}`,
    [...reader, ids, ...valuesOf(filter)],
  );
  const found = new Map(rows.map((row) => [row.id, seenOf(row)]));
  return new Map(
    ids.flatMap((id) => {
      const seen = found.get(id);
      return seen === undefined ? [] : [[id, seen] as const];
    }),
  );
}

/**
 * Ids of the newest cards in use that are wanted and that the reader may see. Who sees everything reads them off the
 * index of their time, and the cards are judged as they are fetched; others have few, which their own paths find.
 */
export async function newestNodes(
  tx: Tx,
  reader: ReaderArguments,
  filter: NodeFilter,
  limit: number,
): Promise<string[]> {
  const [workspace, , , everything, , now] = reader;
  const rows = everything
    ? await tx.query<{ id: string }>(NEWEST_OF_ALL, [workspace, now, limit, ...valuesOf(filter)])
    : await tx.query<{ id: string }>(NEWEST_OF_SEEN, [...reader, limit, ...valuesOf(filter)]);
  return rows.map(({ id }) => id);
}

const NEWEST_OF_ALL = `
SELECT c.id
  FROM cards c
 WHERE c.workspace_id = $1 AND c.status IN (${IN_USE})
   AND (c.expires_at IS NULL OR c.expires_at > $2::timestamptz)
   AND ${wanted(4)}
 ORDER BY c.recorded_at DESC, c.id
 LIMIT $3`;

const NEWEST_OF_SEEN = `
WITH seen AS MATERIALIZED (
  SELECT DISTINCT v.card_id FROM visible_cards($1, $2, $3, $4, $5, $6::timestamptz) v
)
SELECT c.id
  FROM seen
 ${BY_KEY('seen.card_id')}
 WHERE c.status IN (${IN_USE}) AND ${wanted(8)}
 ORDER BY c.recorded_at DESC, c.id
 LIMIT $7`;

function valuesOf({ kinds, agent, since, until }: NodeFilter): unknown[] {
  return [kinds, agent, since, until];
}

function seenOf({ vias, scope_type, scope_id, ...node }: NodeRow): SeenNode {
  const scope = { type: scope_type, id: scope_id } as GraphNode['scope'];
  return { node: { ...node, scope }, vias };
}
