import { VIAS, type Via } from '../contracts/names';
import { WALKED_EDGES_LIMIT } from '../domain/pagerank';

/** Pieces of recall's one read; `recall-statement.ts` puts them together and says what the values are. */

/**
 * What belongs to one card, as one probe of a primary key. `OFFSET 0`, here and below, keeps it so: a
 * join is planned by statistics, and until the first ANALYZE after a large import those say that a table
 * is nearly empty. Then all is compared with all: 100 s for 20,000 cards, not 1.
 */
export const usageOf = (id: string) =>
  `(SELECT use_count, last_used_at FROM card_usage
      WHERE workspace_id = $1 AND card_usage.card_id = ${id} OFFSET 0)`;
export const vectorOf = (id: string) =>
  `(SELECT embedding FROM card_embeddings
      WHERE workspace_id = $1 AND card_embeddings.card_id = ${id} AND field = 'summary' AND model = $11 OFFSET 0)`;

/**
 * Of few cards each is probed; of many the whole table is read once and each row looked up in a hash. A
 * probe costs as much as `price` rows of that reading. How many rows there are is known since the last
 * ANALYZE; before the first one it is not, and probes are never slow.
 */
export const areFew = (cards: string, price: number) =>
  `(SELECT count(*) * ${price} < (SELECT CASE WHEN reltuples < 0 THEN 'Infinity' ELSE reltuples END
                                   FROM pg_class WHERE oid = 'cards'::regclass)
      FROM ${cards})`;
export const CARD_PRICE = 5;
export const VECTOR_PRICE = 5;
/** A probe for each term of the query. */
export const POSTINGS_PRICE = 100;

/** The ways of seeing a card as bits of a number, which adds up faster than a list. */
export const bitOf = (via: string) =>
  `(1 << array_position(ARRAY['${VIAS.join("', '")}'], ${via}))`;
export const bitsOf = (vias: readonly Via[]) =>
  vias.reduce((bits, via) => bits | (1 << (VIAS.indexOf(via) + 1)), 0);
export const namesOf = (bits: string) =>
  `ARRAY(SELECT n.via FROM unnest(ARRAY['${[...VIAS].sort().join("', '")}']) AS n (via)
          WHERE ${bits} & ${bitOf('n.via')} <> 0)`;

/** Membership by hash, for the same reason: `IS TRUE` keeps it from becoming a join. */
export const isIn = (id: string, query: string) => `(${id} IN (${query})) IS TRUE`;

/** Edges at the cards of a CTE that were drawn by `known_at`, each end by its own index. */
export const edgesAt = (cards: string) => `
  SELECT g.id, g.from_card, g.to_card, g.type, g.confidence
    FROM (
      SELECT e.* FROM ${cards} a
       CROSS JOIN LATERAL (SELECT * FROM edges
                            WHERE workspace_id = $1 AND from_card = a.card_id OFFSET 0) e
      UNION
      SELECT e.* FROM ${cards} a
       CROSS JOIN LATERAL (SELECT * FROM edges
                            WHERE workspace_id = $1 AND to_card = a.card_id OFFSET 0) e
    ) g
   WHERE g.created_at <= $7`;

/**
 * Those ends of these edges that are among the cards: edges are few and cards many, so it is the cards
 * that are looked up among the ends.
 */
export const endsAmong = (edges: string, cards: string, id: string) => `
  SELECT c.${id} AS card_id
    FROM ${cards} c
   WHERE ${isIn(`c.${id}`, `SELECT from_card FROM ${edges} UNION ALL SELECT to_card FROM ${edges}`)}`;

/** Those with both ends among these. */
export const between = (edges: string, ends: string) => `
  SELECT g.id, g.from_card, g.to_card, g.type, g.confidence
    FROM ${edges} g
   WHERE ${isIn('g.from_card', `SELECT card_id FROM ${ends}`)}
     AND ${isIn('g.to_card', `SELECT card_id FROM ${ends}`)}`;

/** What can be walked over: both ends stand; the surest first. */
export const walkable = (edges: string, ends: string) => `${between(edges, ends)}
   ORDER BY g.confidence DESC, g.id
   LIMIT ${WALKED_EDGES_LIMIT}`;
