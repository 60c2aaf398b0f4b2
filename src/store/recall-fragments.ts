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
export const cardOf = (id: string) =>
  `(SELECT * FROM cards WHERE workspace_id = $1 AND cards.id = ${id} OFFSET 0)`;
/**
 * By the served model ($11); while the workspace is re-embedded, of a card that has none yet, by the
 * older one ($22).
 */
export const vectorOf = (id: string) =>
  `(SELECT embedding, model FROM card_embeddings
      WHERE workspace_id = $1 AND card_embeddings.card_id = ${id} AND field = 'summary' AND model IN ($11, $22)
      ORDER BY model = $11 DESC
      LIMIT 1)`;
export const hasVector = (id: string) =>
  `EXISTS (SELECT 1 FROM card_embeddings h
            WHERE h.workspace_id = $1 AND h.card_id = ${id} AND h.field = 'summary' AND h.model = $11)`;

/** Two models are never compared: each vector with the query as its own model has it. */
export const distanceOf = (row: string, embedding = `${row}.embedding`) =>
  `CASE WHEN ${row}.model = $11 THEN ${embedding} <=> (SELECT vector FROM asked)
        ELSE ${embedding} <=> (SELECT older FROM asked) END`;

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
/** One walk of the index by card, for all terms of the query. */
export const POSTINGS_PRICE = 15;

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

/** A name that more cards share, or a larger share of all, is everybody's and says nothing. */
export const COMMON = 20;
const COMMON_SHARE = 0.05;

/** Cards that a rare name joins to these: the fewer share it, the surer. Who wrote two cards joins none. */
export const sharedNames = (cards: string, among: string) => `
  SELECT s.from_card, s.to_card, max(s.confidence) AS confidence
    FROM (
      SELECT a.card_id AS from_card, o.card_id AS to_card, 1 / sqrt(o.holders) AS confidence
        FROM ${cards} a
       CROSS JOIN LATERAL (SELECT name FROM entities
                            WHERE workspace_id = $1 AND entities.card_id = a.card_id AND (NOT acts OR kind = 'subject') OFFSET 0) n
       CROSS JOIN LATERAL (
         SELECT h.card_id, count(*) OVER () AS holders
           FROM (SELECT e.card_id FROM entities e
                  WHERE e.workspace_id = $1 AND e.name = n.name AND ${isIn('e.card_id', `SELECT id FROM ${among}`)}
                  LIMIT ${COMMON + 1}) h
       ) o
       WHERE o.holders <= LEAST(${COMMON}, GREATEST(2, (SELECT ${COMMON_SHARE} * cards FROM statistics)))
         AND o.card_id <> a.card_id
    ) s
   GROUP BY s.from_card, s.to_card`;

/** Holders of a name that are looked at, the newest first. */
const MOST_HOLDERS = 200;

/** Of these names, those that act in a card that meets the condition on `c`. */
export const actingNames = (names: string, condition: string) => `
  SELECT n.name
    FROM unnest(${names}::text[]) AS n (name)
   WHERE EXISTS (
     SELECT 1
       FROM (SELECT e.card_id FROM entities e
              WHERE e.workspace_id = $1 AND e.name = n.name AND e.acts
              ORDER BY e.card_id DESC
              LIMIT ${MOST_HOLDERS}) e
      CROSS JOIN LATERAL ${cardOf('e.card_id')} c
      WHERE ${condition})`;

/** Cards at the other ends of the edges at these, the surest first. */
export const otherEnds = (cards: string, most: number) => `
  SELECT e.card_id, max(e.confidence) AS confidence
    FROM ${cards} a
   CROSS JOIN LATERAL (
     SELECT to_card AS card_id, confidence FROM edges WHERE workspace_id = $1 AND from_card = a.card_id
     UNION ALL
     SELECT from_card, confidence FROM edges WHERE workspace_id = $1 AND to_card = a.card_id
   ) e
   GROUP BY e.card_id
   ORDER BY max(e.confidence) DESC, e.card_id
   LIMIT ${most}`;
