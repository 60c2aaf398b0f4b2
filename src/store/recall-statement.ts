import { VIAS } from '../contracts/names';
import { CONFIDENCE_PER_PROVEN_USE } from '../domain/confidence';
import { FOLD_SIMILARITY } from '../domain/fold';
import { LEAST_COSINE } from '../domain/fuse';
import { MOST_ANCHORS } from '../domain/graph-arm';
import { WALKED_EDGES_LIMIT } from '../domain/pagerank';
import { CARD_COLUMNS } from './card-row';
import {
  areFew,
  between,
  bitOf,
  bitsOf,
  CARD_PRICE,
  edgesAt,
  endsAmong,
  isIn,
  namesOf,
  POSTINGS_PRICE,
  usageOf,
  VECTOR_PRICE,
  vectorOf,
  walkable,
} from './recall-fragments';
import { SHOWS_PAST } from './recall-past';

/** BM25's usual constants; the same as in `domain/terms.ts`. */
const K1 = 1.2;
const B = 0.75;

/** Of the recency scan. */
const MOST_RECENT = 20;
/** Cards that an edge alone brought; the nearest and surest first. */
const MOST_REACHED = 50;

/**
 * Recall's one read (design §4): who may see what, judged now; of that, what was recorded by `known_at`
 * ($7) and held at `as_of` ($8); then each arm's best, their conflicts and what resolves them.
 *
 * A card that was changed or used since `known_at` is taken as it stood then (`past`): the version of
 * that time, with the uses and the confidence of that time. Its status stays that of now, but for
 * `superseded`, which is a matter of validity: such a card holds until its `valid_to`. Whatever was
 * reworded since comes with the terms and the vector of its old text ($15), so that what was said
 * later decides nothing. Without a `known_at` of the past none of this costs anything: `$7 < $6` is
 * judged once, and false.
 *
 * Old versions are for people and the owning agent (contract, Card). Others get a card that was edited
 * since in its present words, found by them: a correction stands. Of then they get how often it had been
 * used, and of a card that was only replaced since, that it held.
 *
 * Which candidates fold is told as pairs of their places: the vectors would be most of the answer. Pairs
 * are of one service, operation, sign and signature; `foldKey` asks for more.
 *
 * The graph arm walks at most two hops and 2,000 edges from what the other arms found best,
 * over cards that stand; a card that only an edge leads to is a candidate too.
 *
 * Lexical statistics are of the cards that this reader can see, so that a score tells nothing of the
 * others. The postings' index is `card_terms`' key.
 */
export const RECALL = `
WITH visible AS MATERIALIZED (
  SELECT v.card_id, bit_or(${bitOf('v.via')}) AS via
    FROM visible_cards($1, $2, $3, $4, $5, $6::timestamptz) v
   GROUP BY v.card_id
),
few_visible AS MATERIALIZED (
  SELECT ${areFew('visible', CARD_PRICE)} AS few
),
wanted AS MATERIALIZED (
  SELECT $14::jsonb = '{}' AND $13::text IS NULL AS all_kinds, f.*
    FROM jsonb_to_record($14::jsonb)
      AS f (kind text[], sign text[], service text, operation text, workflow text, step text, subject text,
            topic text, session text, key text, since timestamptz, until timestamptz, metadata jsonb, project text)
),
past AS MATERIALIZED (
  SELECT c.id AS card_id, GREATEST(0, COALESCE(u.use_count, 0) - uses.later) AS use_count, uses.last_used_at,
         CASE WHEN c.edited_at <= $7 OR v.via & ${bitsOf(SHOWS_PAST)} <> 0 THEN
           version.snapshot
             || CASE WHEN c.status = 'superseded' THEN '{}' ELSE jsonb_build_object('status', c.status) END
             || jsonb_build_object('confidence', LEAST(1, (version.snapshot ->> 'confidence')::float8
                                                          + ${CONFIDENCE_PER_PROVEN_USE} * uses.since_version))
         WHEN c.status = 'superseded' THEN
           jsonb_build_object('status', version.snapshot -> 'status', 'valid_to', version.snapshot -> 'valid_to',
                              'superseded_by', version.snapshot -> 'superseded_by',
                              'edited_at', version.snapshot -> 'edited_at')
         ELSE '{}'
         END AS snapshot
    FROM visible v
   CROSS JOIN LATERAL (SELECT * FROM cards WHERE workspace_id = $1 AND cards.id = v.card_id OFFSET 0) c
    LEFT JOIN LATERAL ${usageOf('v.card_id')} u ON true
   CROSS JOIN LATERAL (
     SELECT cv.at, cv.snapshot
       FROM card_versions cv
      WHERE cv.workspace_id = $1 AND cv.card_id = c.id AND cv.at <= $7
      ORDER BY cv.version DESC
      LIMIT 1
   ) version
   CROSS JOIN LATERAL (
     SELECT count(DISTINCT rc.proven_at) FILTER (WHERE rc.proven_at > $7) AS later,
            count(DISTINCT rc.proven_at) FILTER (WHERE rc.proven_at <= $7 AND rc.proven_at > version.at) AS since_version,
            max(rc.proven_at) FILTER (WHERE rc.proven_at <= $7) AS last_used_at
       FROM recall_cards rc
      WHERE rc.workspace_id = $1 AND rc.card_id = c.id
   ) uses
   WHERE $7::timestamptz < $6::timestamptz AND (c.edited_at > $7 OR u.last_used_at > $7)
),
reworded AS MATERIALIZED (
  SELECT r.card_id, r.terms, r.length, r.vector::vector AS embedding
    FROM jsonb_to_recordset($15::jsonb) AS r (card_id text, terms jsonb, length int, vector text)
    JOIN visible v USING (card_id)
),
standing AS MATERIALIZED (
  SELECT c.id, COALESCE(r.length, c.index_length) AS index_length, c.valid_from,
         (w.all_kinds
          OR (w.kind IS NULL OR c.kind = ANY (w.kind))
         AND (w.sign IS NULL OR c.sign = ANY (w.sign))
         AND (w.service IS NULL OR c.service = w.service)
         AND (w.operation IS NULL OR c.operation = w.operation)
         AND (w.workflow IS NULL OR c.workflow = w.workflow)
         AND (w.step IS NULL OR c.step = w.step)
         AND (w.subject IS NULL OR c.subject = w.subject)
         AND (w.topic IS NULL OR c.topic = w.topic)
         AND (w.session IS NULL OR c.session = w.session)
         AND (w.key IS NULL OR c.key = w.key)
         AND (w.since IS NULL OR c.valid_from >= w.since)
         AND (w.until IS NULL OR c.valid_from < w.until)
         AND (w.metadata IS NULL OR c.metadata @> w.metadata)
         AND (w.project IS NULL OR c.project = w.project)
         AND ($13::text IS NULL OR c.project = $13))
         -- A closed project's episodes come back only when the project is asked for (design §7).
         AND (c.project IS NULL OR c.tier <> 'episodic' OR c.project = COALESCE($13, w.project)
              OR ${isIn('c.project', "SELECT id FROM projects WHERE workspace_id = $1 AND status = 'closed'")} = false)
           AS is_wanted
    FROM (
      SELECT c.*
        FROM visible v
       CROSS JOIN LATERAL (SELECT * FROM cards WHERE workspace_id = $1 AND cards.id = v.card_id OFFSET 0) c
       WHERE (SELECT few FROM few_visible)
         AND NOT ${isIn('v.card_id', 'SELECT card_id FROM past')}
      UNION ALL
      SELECT c.*
        FROM cards c
       WHERE NOT (SELECT few FROM few_visible)
         AND c.workspace_id = $1 AND ${isIn('c.id', 'SELECT card_id FROM visible')}
         AND NOT ${isIn('c.id', 'SELECT card_id FROM past')}
      UNION ALL
      SELECT t.*
        FROM past p
       CROSS JOIN LATERAL (SELECT cards AS row FROM cards WHERE workspace_id = $1 AND cards.id = p.card_id OFFSET 0) today
       CROSS JOIN LATERAL jsonb_populate_record(today.row, p.snapshot) t
    ) c
   CROSS JOIN wanted w
    LEFT JOIN reworded r ON r.card_id = c.id
   WHERE (c.status IN ('pending', 'active', 'validated') OR (c.status = 'superseded' AND c.valid_to > $8))
     AND c.recorded_at <= $7
     AND c.valid_from <= $8 AND (c.valid_to IS NULL OR c.valid_to > $8)
     AND (c.expires_at IS NULL OR c.expires_at > $7)
),
pool AS MATERIALIZED (
  SELECT s.id, s.index_length, s.valid_from FROM standing s WHERE s.is_wanted
),
few_in_pool AS MATERIALIZED (
  SELECT ${areFew('pool', VECTOR_PRICE)} AS vectors, ${areFew('pool', POSTINGS_PRICE)} AS postings
),
statistics AS MATERIALIZED (
  SELECT count(*)::float8 AS cards, GREATEST(1, avg(index_length))::float8 AS mean_length FROM pool
),
postings AS MATERIALIZED (
  SELECT t.term, t.card_id, t.frequency::float8 AS tf, t.length::float8 AS length
    FROM pool p
   CROSS JOIN LATERAL (
     SELECT ct.term, ct.card_id, ct.frequency, ct.length
       FROM card_terms ct
      WHERE ct.workspace_id = $1 AND ct.card_id = p.id AND ct.term = ANY ($9::text[])
     OFFSET 0
   ) t
   WHERE (SELECT postings FROM few_in_pool)
     AND NOT ${isIn('p.id', 'SELECT card_id FROM reworded')}
  UNION ALL
  SELECT ct.term, ct.card_id, ct.frequency::float8, ct.length::float8
    FROM card_terms ct
   WHERE NOT (SELECT postings FROM few_in_pool)
     AND ct.workspace_id = $1 AND ct.term = ANY ($9::text[])
     AND ${isIn('ct.card_id', 'SELECT id FROM pool')}
     AND NOT ${isIn('ct.card_id', 'SELECT card_id FROM reworded')}
  UNION ALL
  SELECT t.key, r.card_id, t.value::float8, r.length::float8
    FROM reworded r
   CROSS JOIN LATERAL jsonb_each_text(r.terms) t
   WHERE t.key = ANY ($9::text[]) AND ${isIn('r.card_id', 'SELECT id FROM pool')}
),
documents AS MATERIALIZED (
  SELECT p.term,
         ln(1 + (s.cards - count(*) + 0.5) / (count(*) + 0.5)) AS rarity
    FROM postings p
   CROSS JOIN statistics s
   GROUP BY p.term, s.cards
),
lexical AS MATERIALIZED (
  -- Summed in one order, or the last digit of a score would depend on the plan.
  SELECT p.card_id,
         sum(d.rarity * p.tf * ${K1 + 1} / (p.tf + ${K1} * (1 - ${B} + ${B} * p.length / s.mean_length))
             ORDER BY p.term) AS score
    FROM postings p
    JOIN documents d USING (term)
   CROSS JOIN statistics s
   GROUP BY p.card_id
   ORDER BY score DESC, p.card_id
   LIMIT $12
),
dense AS MATERIALIZED (
  SELECT near.card_id, near.distance
    FROM (
      SELECT p.id AS card_id, e.embedding <=> $10::vector AS distance
        FROM pool p
       CROSS JOIN LATERAL ${vectorOf('p.id')} e
       WHERE (SELECT vectors FROM few_in_pool)
         AND NOT ${isIn('p.id', 'SELECT card_id FROM reworded')}
      UNION ALL
      SELECT e.card_id, e.embedding <=> $10::vector
        FROM card_embeddings e
       WHERE NOT (SELECT vectors FROM few_in_pool)
         AND e.workspace_id = $1 AND e.field = 'summary' AND e.model = $11
         AND ${isIn('e.card_id', 'SELECT id FROM pool')}
         AND NOT ${isIn('e.card_id', 'SELECT card_id FROM reworded')}
      UNION ALL
      SELECT r.card_id, r.embedding <=> $10::vector
        FROM reworded r
       WHERE ${isIn('r.card_id', 'SELECT id FROM pool')}
    ) near
   -- Nothing is near a text without a word in it: its cosine is no number.
   WHERE $10::vector IS NOT NULL AND near.distance <> 'NaN'
   ORDER BY near.distance, near.card_id
   LIMIT $12
),
recent AS MATERIALIZED (
  SELECT p.id AS card_id, 1.0 / row_number() OVER (ORDER BY p.valid_from DESC, p.id) AS score
    FROM pool p
   ORDER BY p.valid_from DESC, p.id
   LIMIT ${MOST_RECENT}
),
anchors AS MATERIALIZED (
  (SELECT card_id FROM lexical ORDER BY score DESC, card_id LIMIT ${MOST_ANCHORS})
  UNION
  (SELECT card_id FROM dense WHERE distance <= ${1 - LEAST_COSINE} ORDER BY distance, card_id LIMIT ${MOST_ANCHORS})
),
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
reached AS (
  SELECT e.card_id
    FROM walked w
   CROSS JOIN LATERAL (VALUES (w.from_card), (w.to_card)) AS e (card_id)
   WHERE ${isIn('e.card_id', 'SELECT card_id FROM walked_ends')}
   GROUP BY e.card_id
   ORDER BY min(w.hop), max(w.confidence) DESC, e.card_id
   LIMIT ${MOST_REACHED}
),
found AS MATERIALIZED (
  SELECT card_id FROM lexical
  UNION SELECT card_id FROM dense
  UNION SELECT card_id FROM recent
  UNION SELECT card_id FROM reached
),
seen_of_found AS MATERIALIZED (
  SELECT v.card_id, v.via FROM visible v WHERE ${isIn('v.card_id', 'SELECT card_id FROM found')}
),
candidates AS MATERIALIZED (
  SELECT ${CARD_COLUMNS}, c.input_fields,
         (SELECT ${namesOf('v.via')} FROM seen_of_found v WHERE v.card_id = p.id) AS via,
         1 - NULLIF(CASE WHEN r.card_id IS NULL THEN e.embedding ELSE r.embedding END <=> $10::vector, 'NaN') AS dense,
         CASE WHEN r.card_id IS NULL THEN e.embedding ELSE r.embedding END IS NOT NULL AS has_vector,
         lexical.score AS lexical,
         NULLIF((COALESCE(lower(c.service) = ANY ($9::text[]), false)::int
               + COALESCE(lower(c.operation) = ANY ($9::text[]), false)::int) / 2.0, 0) AS structured,
         recent.score AS recency,
         GREATEST(c.recorded_at, u.last_used_at, c.validated_at, c.edited_at) AS touched_at
    FROM pool p
   CROSS JOIN LATERAL (SELECT cards AS row FROM cards WHERE workspace_id = $1 AND cards.id = p.id OFFSET 0) today
    LEFT JOIN past ON past.card_id = p.id
   CROSS JOIN LATERAL jsonb_populate_record(today.row, COALESCE(past.snapshot, '{}')) c
    LEFT JOIN LATERAL ${usageOf('p.id')} used ON true
   CROSS JOIN LATERAL (
     SELECT CASE WHEN past.card_id IS NULL THEN used.use_count ELSE past.use_count END AS use_count,
            CASE WHEN past.card_id IS NULL THEN used.last_used_at ELSE past.last_used_at END AS last_used_at
   ) u
    LEFT JOIN reworded r ON r.card_id = p.id
    LEFT JOIN lexical ON lexical.card_id = p.id
    LEFT JOIN recent ON recent.card_id = p.id
    LEFT JOIN LATERAL ${vectorOf('p.id')} e ON true
   WHERE ${isIn('p.id', 'SELECT card_id FROM found')}
),
vectors AS MATERIALIZED (
  -- At unit length: a pair is then one inner product, of values that TOAST gave once and not for each pair.
  SELECT c.place, dense_rank() OVER (ORDER BY c.service, c.operation, c.sign, c.error_signature) AS work,
         l2_normalize(CASE WHEN r.card_id IS NULL THEN e.embedding ELSE r.embedding END) AS unit
    FROM (SELECT x.*, row_number() OVER (ORDER BY x.id) - 1 AS place FROM candidates x) c
    LEFT JOIN reworded r ON r.card_id = c.id
    LEFT JOIN LATERAL ${vectorOf('c.id')} e ON true
   WHERE c.has_vector AND (c.service IS NOT NULL OR c.operation IS NOT NULL)
),
near AS (
  SELECT a.place AS one, b.place AS other
    FROM vectors a
    JOIN vectors b ON b.work = a.work AND b.place > a.place
   WHERE -(a.unit <#> b.unit) >= ${FOLD_SIMILARITY}
),
linked_edges AS MATERIALIZED (${edgesAt('found')} AND g.type IN ('conflicts', 'satisfies')
),
linked_ends AS MATERIALIZED (${endsAmong('linked_edges', 'visible', 'card_id')}
),
linked AS MATERIALIZED (${between('linked_edges', 'linked_ends')}
),
others AS (
  SELECT c.id, c.sign, c.status, c.valid_from, c.valid_to, c.trust, c.confidence
    FROM (SELECT from_card AS id FROM linked UNION SELECT to_card FROM linked) l
   CROSS JOIN LATERAL (SELECT cards AS row FROM cards WHERE workspace_id = $1 AND cards.id = l.id OFFSET 0) today
    LEFT JOIN past ON past.card_id = l.id
   CROSS JOIN LATERAL jsonb_populate_record(today.row, COALESCE(past.snapshot, '{}')) c
   WHERE c.recorded_at <= $7 AND c.valid_from <= $8 AND (c.valid_to IS NULL OR c.valid_to > $8)
     AND (c.expires_at IS NULL OR c.expires_at > $7)
),
pools AS (
  SELECT jsonb_build_object(${VIAS.map(
    (via) => `'${via}', count(*) FILTER (WHERE v.via & ${bitsOf([via])} <> 0)`,
  ).join(', ')}) AS cards
    FROM visible v
   WHERE ${isIn('v.card_id', 'SELECT id FROM standing')}
)
SELECT COALESCE((SELECT jsonb_agg(to_jsonb(x) ORDER BY x.id) FROM candidates x), '[]') AS candidates,
       COALESCE((SELECT jsonb_agg(jsonb_build_array(n.one, n.other)) FROM near n), '[]') AS near,
       COALESCE((SELECT jsonb_agg(jsonb_build_object('type', l.type, 'from', l.from_card, 'to', l.to_card)
                                  ORDER BY l.from_card, l.to_card, l.type) FROM linked l), '[]') AS edges,
       COALESCE((SELECT jsonb_agg(jsonb_build_object('type', w.type, 'from', w.from_card, 'to', w.to_card,
                                                     'confidence', w.confidence)
                                  ORDER BY w.id) FROM walked w), '[]') AS walked,
       COALESCE((SELECT jsonb_agg(to_jsonb(o) ORDER BY o.id) FROM others o), '[]') AS others,
       (SELECT cards FROM pools) AS pools`;
