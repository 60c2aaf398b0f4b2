import { GENERATIONS } from '../domain/losers';
import { cardOf, edgesAt, isIn } from './recall-fragments';
import { mayBeSeen } from './visible-cards';

/**
 * The candidates' conflicts and what resolves them, what the candidates were derived from, and the conflicts
 * of that: only what a candidate came of is followed, by the index of the edges, and few cards came of any.
 */
export const LINKED_EDGES = `
candidate_ids AS (SELECT id AS card_id FROM chosen),
candidate_edges AS MATERIALIZED (${edgesAt('candidate_ids')}
     AND (g.type IN ('conflicts', 'satisfies')
          OR g.type = 'derived_from' AND ${isIn('g.from_card', 'SELECT card_id FROM candidate_ids')})
),
lineage AS MATERIALIZED (
  WITH RECURSIVE came AS (
    SELECT e.id, e.from_card, e.to_card, e.type, e.confidence, 1 AS generation
      FROM candidate_edges e
     WHERE e.type = 'derived_from'
    UNION
    SELECT e.id, e.from_card, e.to_card, e.type, e.confidence, came.generation + 1
      FROM came
     CROSS JOIN LATERAL (SELECT * FROM edges
                          WHERE workspace_id = $1 AND from_card = came.to_card AND type = 'derived_from'
                            AND created_at <= $7
                         OFFSET 0) e
     WHERE came.generation < ${GENERATIONS}
  )
  SELECT DISTINCT id, from_card, to_card, type, confidence FROM came
),
source_ids AS (
  SELECT to_card AS card_id FROM lineage
  EXCEPT
  SELECT card_id FROM candidate_ids
),
linked_edges AS MATERIALIZED (
  SELECT * FROM candidate_edges WHERE type <> 'derived_from'
  UNION
  SELECT * FROM lineage
  UNION
  SELECT s.* FROM (${edgesAt('source_ids')} AND g.type = 'conflicts') s
)`;

/**
 * What a candidate came of, that is held back or was rejected since, and that the reader would see otherwise:
 * what was rejected does not come back in what was derived from it. Read to drop a card, never shown.
 */
export const REJECTED_SOURCES = `
rejected_sources AS (
  SELECT l.card_id
    FROM (SELECT DISTINCT to_card AS card_id FROM lineage) l
   CROSS JOIN LATERAL ${cardOf('l.card_id')} c
   WHERE c.status IN ('quarantined', 'rejected') AND (c.expires_at IS NULL OR c.expires_at > $6)
     AND ${mayBeSeen('c')}
)`;
