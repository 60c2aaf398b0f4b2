import { LEAST_COSINE } from '../domain/fuse';
import { MOST_ANCHORS } from '../domain/graph-arm';
import { NOTES_INJECTED } from '../domain/sections';
import { BM25_B, BM25_K1 } from '../domain/terms';
import { MOST_RECENT } from './recall-arms';
import { actingNames, bitOf, COMMON, cardOf, isIn, otherEnds } from './recall-fragments';
import { literal } from './vector-index';
import { mayBeSeen, READER_PATHS } from './visible-cards';

/** Postings read for one query, the rarest word first; of a commoner one the newest. */
const MOST_POSTINGS = 2_000;
/** Cards at the ends of edges around the best, and that share a name with them. */
const MOST_ENDS = 500;
const MOST_NAMED = COMMON + 1;

/** The vectors that an index is over: one model, its dimensions. Both stand in the statement, as in the index. */
export interface IndexedVectors {
  model: string;
  dims: number;
}

/** What recall may take of a card that the reader may see: in use, recorded by then, holding then. */
const STANDS = `c.status IN ('pending', 'active', 'validated')
          AND c.recorded_at <= $7 AND c.valid_from <= $8 AND (c.valid_to IS NULL OR c.valid_to > $8)`;

const isUsable = (id: string) => `EXISTS (
        SELECT 1 FROM ${cardOf(id)} c
         WHERE ${STANDS} AND ${mayBeSeen('c')})`;

/**
 * Among very many visible cards it is the best of each arm that are looked at, by the arm's own index,
 * and what is around them: neighbours in their episodes, ends of their edges, who shares a rare name. Those
 * are judged by `visible_among`, and from there on all is as it is among few.
 */
export const visibleAround = ({ model, dims }: IndexedVectors) => `
paths AS MATERIALIZED (${READER_PATHS}
),
acting AS MATERIALIZED (${actingNames('$16', `${STANDS} AND ${mayBeSeen('c')}`)}
),
asked AS MATERIALIZED (
  SELECT CASE WHEN EXISTS (SELECT 1 FROM acting) THEN COALESCE($17::vector, $10::vector) ELSE $10::vector END AS vector,
         $21::vector AS older
),
near_by_meaning AS MATERIALIZED (
  SELECT e.card_id, (e.embedding::vector(${dims})) <=> (SELECT vector::vector(${dims}) FROM asked) AS distance
    FROM card_embeddings e
   WHERE $10::vector IS NOT NULL
     AND e.workspace_id = $1 AND e.field = 'summary' AND e.model = ${literal(model)}
     AND ${isUsable('e.card_id')}
   ORDER BY (e.embedding::vector(${dims})) <=> (SELECT vector::vector(${dims}) FROM asked)
   LIMIT $12
),
words AS MATERIALIZED (
  SELECT w.term, w.cards, sum(w.cards) OVER (ORDER BY w.cards, w.term) AS so_far,
         ln(1 + (t.cards - LEAST(w.cards, t.cards) + 0.5) / (LEAST(w.cards, t.cards) + 0.5)) AS rarity,
         t.mean_length
    FROM (SELECT s.term, s.cards FROM term_statistics s WHERE s.workspace_id = $1 AND s.term = ANY ($9::text[])) w
   CROSS JOIN (SELECT GREATEST(1, sum(s.cards))::float8 AS cards,
                      GREATEST(1, sum(s.words) / GREATEST(1, sum(s.cards)))::float8 AS mean_length
                 FROM scope_statistics s WHERE s.workspace_id = $1) t
),
near_by_words AS MATERIALIZED (
  SELECT h.card_id
    FROM (
      SELECT p.card_id,
             sum(w.rarity * p.frequency * ${BM25_K1 + 1}
                 / (p.frequency + ${BM25_K1} * (1 - ${BM25_B} + ${BM25_B} * p.length / w.mean_length))
                 ORDER BY w.term) AS score
        FROM words w
       CROSS JOIN LATERAL (
         SELECT ct.card_id, ct.frequency, ct.length
           FROM card_terms ct
          WHERE ct.workspace_id = $1 AND ct.term = w.term
          ORDER BY ct.card_id DESC
          LIMIT GREATEST(${MOST_POSTINGS / 8}, ${MOST_POSTINGS} - (w.so_far - w.cards))
       ) p
       GROUP BY p.card_id
       ORDER BY score DESC, p.card_id
    ) h
   WHERE ${isUsable('h.card_id')}
   LIMIT $12
),
near_by_time AS MATERIALIZED (
  SELECT c.id AS card_id
    FROM cards c
   WHERE c.workspace_id = $1 AND ${STANDS} AND ${mayBeSeen('c')}
     AND ($19::timestamptz IS NULL OR c.valid_from >= $19) AND ($20::timestamptz IS NULL OR c.valid_from < $20)
   ORDER BY c.recorded_at DESC, c.id
   LIMIT ${MOST_RECENT}
),
newest_by_passes AS MATERIALIZED (
  SELECT c.id AS card_id
    FROM cards c
   WHERE c.workspace_id = $1 AND c.kind = 'insight' AND c.writer_kind = 'system' AND ${STANDS} AND ${mayBeSeen('c')}
   ORDER BY c.recorded_at DESC, c.id
   LIMIT ${NOTES_INJECTED}
),
near_by_arm AS MATERIALIZED (
  SELECT card_id FROM near_by_meaning
  UNION SELECT card_id FROM near_by_words
  UNION SELECT card_id FROM near_by_time
  UNION SELECT card_id FROM newest_by_passes
),
near_anchors AS MATERIALIZED (
  (SELECT card_id FROM near_by_meaning WHERE distance <= ${1 - LEAST_COSINE} ORDER BY distance, card_id LIMIT ${2 * MOST_ANCHORS})
  UNION
  (SELECT card_id FROM near_by_words LIMIT ${2 * MOST_ANCHORS})
),
near_edges AS MATERIALIZED (${otherEnds('near_anchors', MOST_ENDS / 2)}
),
far_edges AS MATERIALIZED (${otherEnds('near_edges', MOST_ENDS / 2)}
),
near_by_name AS MATERIALIZED (
  SELECT a.card_id AS anchor, n.name, o.card_id
    FROM near_anchors a
   CROSS JOIN LATERAL (SELECT name FROM entities
                        WHERE workspace_id = $1 AND entities.card_id = a.card_id AND (NOT acts OR kind = 'subject')
                       OFFSET 0) n
   CROSS JOIN LATERAL (
     SELECT h.card_id, count(*) OVER () AS holders
       FROM (SELECT e.card_id FROM entities e
              WHERE e.workspace_id = $1 AND e.name = n.name
              LIMIT ${MOST_NAMED}) h
   ) o
   WHERE o.holders < ${MOST_NAMED}
),
near_by_episode AS MATERIALIZED (
  SELECT x.card_id
    FROM near_by_arm a
   CROSS JOIN LATERAL (SELECT CASE WHEN session IS NULL THEN task ELSE session END AS episode, valid_from, id FROM cards
                        WHERE workspace_id = $1 AND cards.id = a.card_id OFFSET 0) c
   CROSS JOIN LATERAL (
     (SELECT b.id AS card_id FROM cards b
       WHERE b.workspace_id = $1 AND CASE WHEN b.session IS NULL THEN b.task ELSE b.session END = c.episode
         AND (b.valid_from, b.id) < (c.valid_from, c.id)
         AND b.status IN ('pending', 'active', 'validated')
       ORDER BY CASE WHEN b.session IS NULL THEN b.task ELSE b.session END DESC, b.valid_from DESC, b.id DESC LIMIT 1)
     UNION ALL
     (SELECT b.id FROM cards b
       WHERE b.workspace_id = $1 AND CASE WHEN b.session IS NULL THEN b.task ELSE b.session END = c.episode
         AND (b.valid_from, b.id) > (c.valid_from, c.id)
         AND b.status IN ('pending', 'active', 'validated')
       ORDER BY CASE WHEN b.session IS NULL THEN b.task ELSE b.session END, b.valid_from, b.id LIMIT 1)
   ) x
),
visible AS MATERIALIZED (
  SELECT v.card_id, bit_or(${bitOf('v.via')}) AS via
    FROM visible_among($1, $2, $3, $4, $5, $6::timestamptz, ARRAY(
           SELECT card_id FROM near_by_arm
           UNION SELECT card_id FROM near_edges
           UNION SELECT card_id FROM far_edges
           UNION SELECT card_id FROM near_by_name
           UNION SELECT card_id FROM near_by_episode)) v
   GROUP BY v.card_id
)`;

/** Among very many cards, those of the workspace: rolled up, and no secret of anybody's. */
export const STATISTICS_OF_MANY = `
statistics AS MATERIALIZED (
  SELECT GREATEST(1, sum(s.cards))::float8 AS cards,
         GREATEST(1, sum(s.words) / GREATEST(1, sum(s.cards)))::float8 AS mean_length
    FROM scope_statistics s WHERE s.workspace_id = $1
)`;

export const DOCUMENTS_OF_MANY = `
documents AS MATERIALIZED (
  SELECT w.term, w.rarity FROM words w
)`;

/** Of a name that few share at all it is counted how many of them can be seen. */
export const SHARED_OF_MANY = `
shared AS MATERIALIZED (
  SELECT s.from_card, s.to_card, max(1 / sqrt(s.holders)) AS confidence
    FROM (
      SELECT n.anchor AS from_card, n.card_id AS to_card, count(*) OVER (PARTITION BY n.anchor, n.name) AS holders
        FROM near_by_name n
       WHERE ${isIn('n.anchor', 'SELECT card_id FROM anchors')} AND ${isIn('n.card_id', 'SELECT id FROM pool')}
    ) s
   WHERE s.to_card <> s.from_card
   GROUP BY s.from_card, s.to_card
),`;

/** A winner counts, retrieved or not: every end is asked for. */
export const LINKED_ENDS_OF_MANY = `
linked_ends AS MATERIALIZED (
  SELECT DISTINCT v.card_id
    FROM visible_among($1, $2, $3, $4, $5, $6::timestamptz, ARRAY(
           SELECT from_card FROM linked_edges UNION SELECT to_card FROM linked_edges)) v
)`;

/** Estimates, by what was rolled up; each way of seeing has its scope. */
export const POOLS_OF_MANY = `
pools AS (
  SELECT jsonb_build_object(
           'own', COALESCE(sum(s.cards) FILTER (WHERE s.scope_type = 'agent' AND s.scope_id = p.self), 0),
           'team', COALESCE(sum(s.cards) FILTER (WHERE s.scope_type = 'team' AND s.scope_id = p.team), 0),
           'workspace', CASE WHEN p.self IS NULL THEN 0
                             ELSE COALESCE(sum(s.cards) FILTER (WHERE s.scope_type = 'workspace'), 0) END,
           'ancestor', COALESCE(sum(s.cards) FILTER (WHERE s.scope_type = 'agent' AND s.scope_id = ANY (p.ancestors)), 0),
           'predecessor', COALESCE(sum(s.cards) FILTER (WHERE s.scope_type = 'agent' AND s.scope_id = p.predecessor), 0),
           'explicit', (SELECT count(*) FROM card_grants g WHERE g.workspace_id = $1 AND g.agent_id = p.self
                           AND g.grant_type = 'explicit' AND (g.expires_at IS NULL OR g.expires_at > $6)),
           'agent_group', (SELECT count(*) FROM card_grants g WHERE g.workspace_id = $1 AND g.agent_id = p.self
                           AND g.grant_type = 'agent_group' AND (g.expires_at IS NULL OR g.expires_at > $6)),
           'organization', CASE WHEN p.self IS NULL THEN 0
                                ELSE COALESCE(sum(s.cards) FILTER (WHERE s.visibility = 'organization'), 0) END,
           'person', CASE WHEN p.everything THEN COALESCE(sum(s.cards), 0) ELSE 0 END) AS cards
    FROM paths p
    LEFT JOIN scope_statistics s ON s.workspace_id = $1
   GROUP BY p.self, p.team, p.ancestors, p.predecessor, p.everything
)`;
