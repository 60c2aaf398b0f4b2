import type { GraphEdge, GraphNode } from '../contracts/graph';
import type { EdgeType } from '../contracts/names';
import { unsettledConflicts } from './card-writes-contradicted';
import type { Tx } from './database';
import type { ReaderArguments } from './visible-cards';

/** Edges that are followed from one hop to the next; what is beyond makes a graph truncated. */
export const MOST_FOLLOWED = 5_000;
/** Edges that one answer shows: what a page still draws. */
export const MOST_SHOWN = 20_000;
/** Edges that are counted for `degree`: ten of each of the most cards that a graph has; it is at least that then. */
const MOST_COUNTED = 50_000;

/** Each card's edges by an index, however many cards there are. */
const EDGES_OF = (cards: string, end: 'from_card' | 'to_card'): string => `
  FROM unnest(${cards}::text[]) AS near (id)
 CROSS JOIN LATERAL (SELECT * FROM edges WHERE workspace_id = $1 AND ${end} = near.id OFFSET 0) e`;

/** The ends of the edges of these cards, the surest first. */
export async function neighboursOf(
  tx: Tx,
  cards: readonly string[],
  types: readonly EdgeType[] | null,
): Promise<{ from: string; to: string }[]> {
  return await tx.query<{ from: string; to: string }>(
    `SELECT e.from_card AS "from", e.to_card AS "to"
       FROM edges e
      WHERE e.workspace_id = $1 AND (e.from_card = ANY ($2) OR e.to_card = ANY ($2))
        AND ($3::text[] IS NULL OR e.type = ANY ($3))
      ORDER BY e.confidence DESC, e.created_at DESC, e.id
      LIMIT ${MOST_FOLLOWED}`,
    [tx.workspace, cards, types],
  );
}

/** Both ends are among the cards, all of which the reader was found to see. */
export async function edgesWithin(
  tx: Tx,
  cards: readonly string[],
  types: readonly EdgeType[] | null,
): Promise<{ edges: GraphEdge[]; truncated: boolean }> {
  const edges = await tx.query<GraphEdge>(
    `SELECT e.id, e.type, e.from_card AS "from", e.to_card AS "to", e.confidence, e.created_at
       ${EDGES_OF('$2', 'from_card')}
       JOIN unnest($2::text[]) AS far (id) ON far.id = e.to_card
      WHERE $3::text[] IS NULL OR e.type = ANY ($3)
      ORDER BY e.confidence DESC, e.created_at DESC, e.id
      LIMIT ${MOST_SHOWN + 1}`,
    [tx.workspace, cards, types],
  );
  return { edges: edges.slice(0, MOST_SHOWN), truncated: edges.length > MOST_SHOWN };
}

/** What a card's edges say of it. */
export type Standing = Pick<GraphNode, 'degree' | 'open_conflict' | 'satisfied'>;

const ALONE: Standing = { degree: 0, open_conflict: false, satisfied: false };

/** An edge counts where the reader may see what is at its other end: else a number would tell of a hidden card. */
const STANDING = `
WITH near AS MATERIALIZED (
  (SELECT e.from_card AS card, e.to_card AS other, e.type, false AS reached ${EDGES_OF('$7', 'from_card')}
   UNION ALL
   SELECT e.to_card, e.from_card, e.type, true ${EDGES_OF('$7', 'to_card')})
  LIMIT ${MOST_COUNTED}
),
seen AS MATERIALIZED (
  SELECT DISTINCT v.card_id
    FROM visible_among($1, $2, $3, $4, $5, $6::timestamptz, ARRAY(SELECT DISTINCT other FROM near)) v
)
SELECT n.card, count(*)::int AS degree,
       bool_or(n.reached AND n.type = 'satisfies') AS satisfied,
       array_agg(n.other) FILTER (WHERE n.type = 'conflicts') AS conflicts
  FROM near n
  JOIN seen ON seen.card_id = n.other
 GROUP BY n.card`;

export async function standingOf(
  tx: Tx,
  reader: ReaderArguments,
  cards: readonly string[],
): Promise<(card: string) => Standing> {
  if (cards.length === 0) return () => ALONE;
  const rows = await tx.query<{
    card: string;
    degree: number;
    satisfied: boolean;
    conflicts: string[] | null;
  }>(STANDING, [...reader, cards]);
  const pairs = rows.flatMap(({ card, conflicts }) =>
    (conflicts ?? []).map((other) => ({
      type: 'conflicts' as const,
      from_card: card,
      to_card: other,
    })),
  );
  const open = new Set(
    (await unsettledConflicts(tx, pairs)).flatMap((pair) => pair.map(({ id }) => id)),
  );
  const found = new Map(
    rows.map(({ card, degree, satisfied }) => [
      card,
      { degree, satisfied, open_conflict: open.has(card) },
    ]),
  );
  return (card) => found.get(card) ?? ALONE;
}
