import { LEAST_COSINE } from '../domain/fuse';
import { MOST_ANCHORS } from '../domain/graph-arm';
import { WALKED_EDGES_LIMIT } from '../domain/pagerank';
import { edgesAt, endsAmong, isIn, sharedNames, walkable } from './recall-fragments';

/** Cards that an edge alone brought; the nearest and surest first. */
const MOST_REACHED = 50;

/** The best of the other arms, from which the walk starts. */
export const ANCHORS = `
anchors AS MATERIALIZED (
  (SELECT card_id FROM lexical ORDER BY score DESC, card_id LIMIT ${MOST_ANCHORS})
  UNION
  (SELECT card_id FROM dense WHERE distance <= ${1 - LEAST_COSINE} ORDER BY distance, card_id LIMIT ${MOST_ANCHORS})
)`;

/** Cards that a rare name joins to the anchors. */
export const SHARED = `
shared AS MATERIALIZED (${sharedNames('anchors', 'pool')}
),`;

/**
 * At most two hops and 2,000 edges over cards that stand, and names that few cards share; a card that only
 * an edge leads to is a candidate too.
 */
export const walk = (shared: string) => `
first_edges AS MATERIALIZED (${edgesAt('anchors')}
),
first_ends AS MATERIALIZED (${endsAmong('first_edges', 'standing', 'id')}
),
first_hop AS MATERIALIZED (${walkable('first_edges', 'first_ends')}
),
shores AS (
  (SELECT from_card AS card_id FROM first_hop UNION SELECT to_card FROM first_hop)
  EXCEPT
  SELECT card_id FROM anchors
),
second_edges AS MATERIALIZED (${edgesAt('shores')}
),
second_ends AS MATERIALIZED (${endsAmong('second_edges', 'standing', 'id')}
),
second_hop AS (${walkable('second_edges', 'second_ends')}
),
walked AS MATERIALIZED (
  SELECT w.id, min(w.hop) AS hop, w.from_card, w.to_card, w.type, w.confidence
    FROM (SELECT 1 AS hop, * FROM first_hop UNION ALL SELECT 2, * FROM second_hop) w
   GROUP BY w.id, w.from_card, w.to_card, w.type, w.confidence
   ORDER BY min(w.hop), w.confidence DESC, w.id
   LIMIT ${WALKED_EDGES_LIMIT}
),
walked_ends AS MATERIALIZED (${endsAmong('walked', 'pool', 'id')}
),
${shared}reached AS (
  SELECT e.card_id
    FROM (
      SELECT w.hop, w.confidence, x.card_id
        FROM walked w
       CROSS JOIN LATERAL (VALUES (w.from_card), (w.to_card)) AS x (card_id)
       WHERE ${isIn('x.card_id', 'SELECT card_id FROM walked_ends')}
      UNION ALL
      SELECT 2, s.confidence, s.to_card FROM shared s
    ) e
   GROUP BY e.card_id
   ORDER BY min(e.hop), max(e.confidence) DESC, e.card_id
   LIMIT ${MOST_REACHED}
),
found AS MATERIALIZED (
  SELECT card_id FROM lexical
  UNION SELECT card_id FROM dense
  UNION SELECT card_id FROM recent
  UNION SELECT card_id FROM newest_notes
  UNION SELECT card_id FROM reached
)`;
