import { ARM_SPREAD } from '../domain/fuse';
import { BM25_B, BM25_K1 } from '../domain/terms';
import { CARD_COLUMNS } from './card-row';
import { distanceOf, isIn, namesOf, usageOf, vectorOf } from './recall-fragments';

/** Of `t.rarity` and `s.mean_length`. */
const bm25 = (tf: string, length: string) =>
  `t.rarity * (${tf}) * ${BM25_K1 + 1} / ((${tf}) + ${BM25_K1} * (1 - ${BM25_B} + ${BM25_B} * ${length} / s.mean_length))`;

/** What a card without an episode has of its own relevance, where others have that of their neighbours. */
const ALONE = 0.5;
/** The best of an episode speak for it. */
const EPISODE_BEST = 3;
/** By meaning alone. */
const NEAREST = 20;
/** Of the neighbour's relevance, in choosing what to rank; about the default of the policy. */
const NEIGHBOUR_SHARE = 0.25;

/**
 * What was found, and what was told before and after it in its episode: read now and stored nowhere, so
 * that a neighbour the reader cannot see, or that is gone, lends nothing.
 */
export const CONTEXT = `
told AS (
  -- Each card of an episode with what was told before and after it, in the order of the world.
  SELECT p.*, lag(p.id) OVER following AS previous, lead(p.id) OVER following AS next,
         p.index_length + COALESCE(lag(p.index_length) OVER following, 0)
                        + COALESCE(lead(p.index_length) OVER following, 0) AS context_length
    FROM pool p
   WHERE ${isIn('p.episode', 'SELECT f.episode FROM pool f WHERE f.episode IS NOT NULL AND (f.id IN (SELECT card_id FROM found)) IS TRUE')}
  WINDOW following AS (PARTITION BY p.episode ORDER BY p.valid_from, p.id)
),
placed AS MATERIALIZED (
  SELECT t.* FROM told t
   WHERE ${isIn('t.id', 'SELECT card_id FROM found')}
      OR ${isIn('t.previous', 'SELECT card_id FROM found')} OR ${isIn('t.next', 'SELECT card_id FROM found')}
  UNION ALL
  SELECT p.*, NULL, NULL, p.index_length FROM pool p
   WHERE p.episode IS NULL AND ${isIn('p.id', 'SELECT card_id FROM found')}
),
bags AS MATERIALIZED (
  SELECT p.card_id, jsonb_object_agg(p.term, p.tf) AS bag
    FROM postings p
   WHERE ${isIn('p.card_id', 'SELECT id FROM placed')}
   GROUP BY p.card_id
),
filled AS MATERIALIZED (
  SELECT p.*, b.bag, v.embedding, v.model
    FROM placed p
    LEFT JOIN bags b ON b.card_id = p.id
    LEFT JOIN LATERAL (
      SELECT r.embedding, $11::text AS model FROM reworded r WHERE r.card_id = p.id
      UNION ALL
      SELECT e.embedding, e.model FROM ${vectorOf('p.id')} e
       WHERE NOT ${isIn('p.id', 'SELECT card_id FROM reworded')}
    ) v ON true
),
beside AS (
  SELECT f.*,
         CASE WHEN lag(f.id) OVER following = f.previous THEN lag(f.bag) OVER following END AS bag_before,
         CASE WHEN lead(f.id) OVER following = f.next THEN lead(f.bag) OVER following END AS bag_after,
         CASE WHEN lag(f.id) OVER following = f.previous AND lag(f.model) OVER following = f.model
              THEN lag(f.embedding) OVER following END AS embedding_before
    FROM filled f
  WINDOW following AS (PARTITION BY f.episode ORDER BY f.valid_from, f.id)
),
measured AS MATERIALIZED (
  SELECT b.id, b.previous, b.next, b.episode, b.valid_from, b.index_length, b.embedding IS NOT NULL AS has_vector,
         1 - NULLIF(${distanceOf('b')}, 'NaN') AS dense,
         -- The mean of two texts' vectors is nearly the vector of both texts, and costs no model call.
         CASE WHEN b.embedding_before IS NULL THEN 1 - NULLIF(${distanceOf('b')}, 'NaN')
              ELSE 1 - NULLIF(${distanceOf('b', 'b.embedding + b.embedding_before')}, 'NaN') END AS dense_context,
         words.own AS lexical, words.context AS lexical_context,
         CASE WHEN (SELECT count(*) FROM acting) > 0 THEN
           (SELECT count(*) FROM entities e
             WHERE e.workspace_id = $1 AND e.card_id = b.id AND e.acts AND ${isIn('e.name', 'SELECT name FROM acting')})
             / (SELECT count(*) FROM acting)::float8 END AS named
    FROM beside b
    LEFT JOIN LATERAL (
      SELECT sum(${bm25('t.own', 'b.index_length')} ORDER BY t.term) FILTER (WHERE t.own > 0) AS own,
             sum(${bm25('t.own + t.beside', 'b.context_length / 3.0')} ORDER BY t.term) FILTER (WHERE t.own + t.beside > 0) AS context
        FROM (
          SELECT d.term, d.rarity, COALESCE((b.bag ->> d.term)::float8, 0) AS own,
                 COALESCE((b.bag_before ->> d.term)::float8, 0) + COALESCE((b.bag_after ->> d.term)::float8, 0) AS beside
            FROM documents d
        ) t
       CROSS JOIN statistics s
       WHERE t.own + t.beside > 0
    ) words ON true
),
weighed AS (
  SELECT m.*,
         COALESCE(w.dense * (m.dense - min(m.dense) OVER ()), 0) / ${ARM_SPREAD.dense.spread}
       + COALESCE(w.dense_context * (m.dense_context - min(m.dense_context) OVER ()), 0) / ${ARM_SPREAD.dense_context.spread}
       + COALESCE(w.lexical * m.lexical / NULLIF(max(m.lexical) OVER (), 0), 0) / ${ARM_SPREAD.lexical.spread}
       + COALESCE(w.lexical_context * m.lexical_context / NULLIF(max(m.lexical_context) OVER (), 0), 0) / ${ARM_SPREAD.lexical_context.spread}
       + COALESCE(w.named * m.named, 0) / ${ARM_SPREAD.named.spread} AS relevance
    FROM measured m
   CROSS JOIN jsonb_to_record($18::jsonb)
     AS w (dense float8, dense_context float8, lexical float8, lexical_context float8, named float8)
),
ordered AS (
  SELECT w.*, row_number() OVER (PARTITION BY w.episode ORDER BY w.relevance DESC, w.id) AS place_in_episode,
         GREATEST(CASE WHEN lag(w.id) OVER following = w.previous THEN lag(w.relevance) OVER following END,
                  CASE WHEN lead(w.id) OVER following = w.next THEN lead(w.relevance) OVER following END) AS neighbour
    FROM weighed w
  WINDOW following AS (PARTITION BY w.episode ORDER BY w.valid_from, w.id)
),
scored AS MATERIALIZED (
  SELECT o.id, o.has_vector, o.dense, o.dense_context, o.lexical, o.lexical_context, o.named,
         COALESCE(o.neighbour, ${ALONE} * o.relevance) AS neighbour,
         CASE WHEN o.episode IS NULL THEN ${ALONE} * o.relevance
              ELSE sum(o.relevance) FILTER (WHERE o.place_in_episode <= ${EPISODE_BEST}) OVER (PARTITION BY o.episode)
                   / ${EPISODE_BEST} END AS episode,
         o.index_length AS words,
         o.relevance
    FROM ordered o
),
chosen AS MATERIALIZED (
  -- The nearest are looked at whatever else speaks against them.
  (SELECT card_id AS id FROM dense ORDER BY distance, card_id LIMIT ${NEAREST})
  UNION
  (SELECT s.id FROM scored s ORDER BY s.relevance + ${NEIGHBOUR_SHARE} * s.neighbour DESC, s.id LIMIT 2 * $12)
  UNION
  SELECT card_id FROM reached
  UNION
  SELECT card_id FROM recent
  UNION
  SELECT card_id FROM newest_notes
)`;

export const CANDIDATES = `
seen_of_chosen AS MATERIALIZED (
  SELECT v.card_id, v.via FROM visible v WHERE ${isIn('v.card_id', 'SELECT id FROM chosen')}
),
candidates AS MATERIALIZED (
  SELECT ${CARD_COLUMNS},
         (SELECT ${namesOf('v.via')} FROM seen_of_chosen v WHERE v.card_id = s.id) AS via,
         CASE WHEN c.operation IS NOT NULL THEN c.input_fields END AS input_fields,
         s.has_vector, s.dense, s.dense_context, s.lexical, s.lexical_context, s.named,
         s.neighbour, s.episode, s.words,
         NULLIF((COALESCE(lower(c.service) = ANY ($9::text[]), false)::int
               + COALESCE(lower(c.operation) = ANY ($9::text[]), false)::int) / 2.0, 0) AS structured,
         recent.score AS recency,
         ${isIn('s.id', 'SELECT card_id FROM newest_notes')} AS is_newest_note,
         GREATEST(c.recorded_at, u.last_used_at, c.validated_at, c.edited_at) AS touched_at
    FROM scored s
   CROSS JOIN LATERAL (SELECT cards AS row FROM cards WHERE workspace_id = $1 AND cards.id = s.id OFFSET 0) today
    LEFT JOIN past ON past.card_id = s.id
   CROSS JOIN LATERAL jsonb_populate_record(today.row, COALESCE(past.snapshot, '{}')) c
    LEFT JOIN LATERAL ${usageOf('s.id')} used ON true
   CROSS JOIN LATERAL (
     SELECT CASE WHEN past.card_id IS NULL THEN used.use_count ELSE past.use_count END AS use_count,
            CASE WHEN past.card_id IS NULL THEN used.last_used_at ELSE past.last_used_at END AS last_used_at
   ) u
    LEFT JOIN recent ON recent.card_id = s.id
   WHERE ${isIn('s.id', 'SELECT id FROM chosen')}
)`;
