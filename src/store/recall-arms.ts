import { NOTES_INJECTED } from '../domain/sections';
import { BM25_B, BM25_K1 } from '../domain/terms';
import { confidenceAfterUses } from './card-writes-proven';
import {
  areFew,
  bitsOf,
  CARD_PRICE,
  cardOf,
  distanceOf,
  hasVector,
  isIn,
  POSTINGS_PRICE,
  usageOf,
  VECTOR_PRICE,
  vectorOf,
} from './recall-fragments';
import { SHOWS_PAST } from './recall-past';

/** Of the recency scan. */
export const MOST_RECENT = 20;

/** What was recorded by `known_at` and held at `as_of`, as it stood then, of what is `visible`. */
export const STANDING = `
few_visible AS MATERIALIZED (
  SELECT ${areFew('visible', CARD_PRICE)} AS few
),
wanted AS MATERIALIZED (
  SELECT $14::jsonb = '{}' AND $13::text IS NULL AS all_kinds, f.*
    FROM jsonb_to_record($14::jsonb)
      AS f (kind text[], sign text[], service text, operation text, workflow text, step text, subject text,
            topic text, session text, key text, since timestamptz, until timestamptz, metadata jsonb, project text, about text)
),
past AS MATERIALIZED (
  SELECT c.id AS card_id, GREATEST(0, COALESCE(u.use_count, 0) - uses.later) AS use_count, uses.last_used_at,
         -- What was about somebody else then is not a member's to see, whatever the card says today.
         CASE WHEN $5::text IS NOT NULL AND version.snapshot ->> 'subject' IS DISTINCT FROM $5 THEN
           jsonb_build_object('status', 'deleted')
         WHEN c.edited_at <= $7 OR v.via & ${bitsOf(SHOWS_PAST)} <> 0 THEN
           version.snapshot
             || CASE WHEN c.status = 'superseded' THEN '{}' ELSE jsonb_build_object('status', c.status) END
             || jsonb_build_object('confidence', ${confidenceAfterUses("(version.snapshot ->> 'confidence')::float8", 'uses.raised')})
         WHEN c.status = 'superseded' THEN
           jsonb_build_object('status', version.snapshot -> 'status', 'valid_to', version.snapshot -> 'valid_to',
                              'superseded_by', version.snapshot -> 'superseded_by',
                              'edited_at', version.snapshot -> 'edited_at')
         ELSE '{}'
         END AS snapshot
    FROM visible v
   CROSS JOIN LATERAL ${cardOf('v.card_id')} c
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
            count(DISTINCT rc.raised_at) FILTER (WHERE rc.raised_at <= $7 AND rc.raised_at > version.at) AS raised,
            GREATEST(max(rc.proven_at) FILTER (WHERE rc.proven_at <= $7),
                     max(rc.raised_at) FILTER (WHERE rc.raised_at <= $7)) AS last_used_at
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
         c.kind = 'insight' AND c.writer_kind = 'system' AS is_note,
         COALESCE(c.session, c.task) AS episode,
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
         AND (w.about IS NULL OR c.subject IS NULL OR c.subject = w.about)
         AND ($13::text IS NULL OR c.project = $13))
         -- A closed project's episodes come back only when the project is asked for (design §7).
         AND (c.project IS NULL OR c.tier <> 'episodic' OR c.project = COALESCE($13, w.project)
              OR ${isIn('c.project', "SELECT id FROM projects WHERE workspace_id = $1 AND status = 'closed'")} = false)
           AS is_wanted
    FROM (
      SELECT c.*
        FROM visible v
       CROSS JOIN LATERAL ${cardOf('v.card_id')} c
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
  SELECT s.id, s.index_length, s.valid_from, s.episode, s.is_note FROM standing s WHERE s.is_wanted
),
few_in_pool AS MATERIALIZED (
  SELECT ${areFew('pool', VECTOR_PRICE)} AS vectors, ${areFew('pool', POSTINGS_PRICE)} AS postings
),`;

/** Lexical statistics are of the cards that this reader can see, so that a score tells nothing of the others. */
export const STATISTICS = `
statistics AS MATERIALIZED (
  SELECT count(*)::float8 AS cards, GREATEST(1, avg(index_length))::float8 AS mean_length FROM pool
),`;

/** The query's words in those cards. The postings' index is `card_terms`' key. */
export const POSTINGS = `
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
),`;

export const DOCUMENTS = `
documents AS MATERIALIZED (
  SELECT p.term,
         ln(1 + (s.cards - count(*) + 0.5) / (count(*) + 0.5)) AS rarity
    FROM postings p
   CROSS JOIN statistics s
   GROUP BY p.term, s.cards
),`;

export const LEXICAL = `
lexical AS MATERIALIZED (
  -- Summed in one order, or the last digit of a score would depend on the plan.
  SELECT p.card_id,
         sum(d.rarity * p.tf * ${BM25_K1 + 1} / (p.tf + ${BM25_K1} * (1 - ${BM25_B} + ${BM25_B} * p.length / s.mean_length))
             ORDER BY p.term) AS score
    FROM postings p
    JOIN documents d USING (term)
   CROSS JOIN statistics s
   GROUP BY p.card_id
   ORDER BY score DESC, p.card_id
   LIMIT $12
),`;

/** Whom the query is about, and by which vector it is looked for. */
export const ASKED = `
acting AS MATERIALIZED (
  -- Of the names in the query those that some card is by or about: who acts, not who is mentioned.
  SELECT n.name
    FROM unnest($16::text[]) AS n (name)
   WHERE EXISTS (
     SELECT 1 FROM entities e
      WHERE e.workspace_id = $1 AND e.name = n.name AND e.acts AND ${isIn('e.card_id', 'SELECT id FROM pool')})
),
asked AS MATERIALIZED (
  -- Once a name has done its part, the rest of the question tells the cards of one person apart.
  SELECT CASE WHEN EXISTS (SELECT 1 FROM acting) THEN COALESCE($17::vector, $10::vector) ELSE $10::vector END AS vector,
         $21::vector AS older
),`;

export const DENSE = `
dense AS MATERIALIZED (
  SELECT near.card_id, near.distance
    FROM (
      SELECT p.id AS card_id, ${distanceOf('e')} AS distance
        FROM pool p
       CROSS JOIN LATERAL ${vectorOf('p.id')} e
       WHERE (SELECT vectors FROM few_in_pool)
         AND NOT ${isIn('p.id', 'SELECT card_id FROM reworded')}
      UNION ALL
      SELECT e.card_id, ${distanceOf('e')}
        FROM card_embeddings e
       WHERE NOT (SELECT vectors FROM few_in_pool)
         AND e.workspace_id = $1 AND e.field = 'summary' AND e.model IN ($11, $22)
         AND ${isIn('e.card_id', 'SELECT id FROM pool')}
         AND NOT ${isIn('e.card_id', 'SELECT card_id FROM reworded')}
         AND (e.model = $11 OR NOT ${hasVector('e.card_id')})
      UNION ALL
      SELECT r.card_id, r.embedding <=> (SELECT vector FROM asked)
        FROM reworded r
       WHERE ${isIn('r.card_id', 'SELECT id FROM pool')}
    ) near
   -- Nothing is near a text without a word in it: its cosine is no number.
   WHERE $10::vector IS NOT NULL AND near.distance <> 'NaN'
   ORDER BY near.distance, near.card_id
   LIMIT $12
),`;

export const RECENT = `
recent AS MATERIALIZED (
  -- Where the query speaks of a time, the latest of that time.
  SELECT p.id AS card_id, 1.0 / row_number() OVER (ORDER BY p.valid_from DESC, p.id) AS score
    FROM pool p
   WHERE ($19::timestamptz IS NULL OR p.valid_from >= $19) AND ($20::timestamptz IS NULL OR p.valid_from < $20)
   ORDER BY p.valid_from DESC, p.id
   LIMIT ${MOST_RECENT}
),
newest_notes AS MATERIALIZED (
  -- What the passes wrote last is told whatever the query is about.
  SELECT p.id AS card_id FROM pool p WHERE p.is_note ORDER BY p.valid_from DESC, p.id LIMIT ${NOTES_INJECTED}
)`;
