import type { Card } from '../contracts/card';
import type { Pools, RecallFilters } from '../contracts/recall';
import { VIAS, type Via } from '../contracts/names';
import type { Candidate, RecallEdge } from '../domain/recall-pipeline';
import type { ConflictCard } from '../domain/resolve';
import type { Tx } from './database';
import { CARD_COLUMNS, cardOf, type CardRow } from './card-row';
import { VISIBLE_CARDS, type ReaderArguments } from './visible-cards';

export interface RecallRead {
  reader: ReaderArguments;
  /** Of the query, by `lexicalTerms`. */
  terms: readonly string[];
  /** Null leaves the dense arm out. */
  vector: readonly number[] | null;
  embedder: string;
  asOf: Date;
  knownAt: Date;
  filters: RecallFilters;
  project: string | null;
  /** Cards taken from each arm. */
  perArm: number;
}

export interface RecallFound {
  candidates: Candidate[];
  edges: RecallEdge[];
  others: ConflictCard[];
  pools: Pools;
}

/** BM25's usual constants; the same as in `domain/terms.ts`. */
const K1 = 1.2;
const B = 0.75;

interface RecallRow {
  candidates: (CardRow & {
    via: Via[];
    dense: number | null;
    lexical: number | null;
    structured: number | null;
    recency: number | null;
    past: Record<string, unknown> | null;
    input_fields: Record<string, string>;
    touched_at: string;
  })[];
  edges: RecallEdge[];
  others: ConflictCard[];
  pools: Partial<Pools>;
}

/**
 * Recall's one read (design §4): who may see what, judged now; of that, what was recorded by `known_at`
 * and held at `as_of`; then each arm's best, their conflicts and what resolves them.
 *
 * Lexical statistics are of the cards that this reader can see, so that a score tells nothing of the
 * others. The postings' index is `card_terms`' key; a card changed after `known_at` is shown in the
 * version of that time.
 */
export async function readForRecall(tx: Tx, read: RecallRead): Promise<RecallFound> {
  const row = await tx.one<RecallRow>(RECALL, [
    ...read.reader,
    read.knownAt,
    read.asOf,
    read.terms,
    read.vector === null ? null : `[${read.vector.join(',')}]`,
    read.embedder,
    read.perArm,
    read.project,
    JSON.stringify(filterValues(read.filters)),
  ]);
  const none = Object.fromEntries(VIAS.map((via) => [via, 0])) as Pools;
  return {
    candidates: row.candidates.map(candidateOf),
    edges: row.edges,
    others: row.others.map((other) => ({ ...other, valid_from: utc(other.valid_from) })),
    pools: { ...none, ...row.pools },
  };
}

/** Single values become lists, so that the statement has one form for both. */
function filterValues(filters: RecallFilters): Record<string, unknown> {
  const list = (value: string | string[] | undefined): string[] | undefined =>
    value === undefined ? undefined : Array.isArray(value) ? value : [value];
  return { ...filters, kind: list(filters.kind), sign: list(filters.sign) };
}

function candidateOf(row: RecallRow['candidates'][number]): Candidate {
  const shown = row.past === null ? row : { ...row, ...(row.past as Partial<CardRow>) };
  return {
    ...withUtcTimes(cardOf(shown)),
    via: row.via,
    dense: row.dense,
    lexical: row.lexical,
    graph: null,
    structured: row.structured,
    recency: row.recency,
    // Two thousand numbers a card would be most of the answer's bytes; folding compares terms instead.
    vector: null,
    input_fields: row.input_fields,
    fold_key: null,
    proven_uses: row.use_count,
    touched_at: utc(row.touched_at),
  };
}

/** JSON carries times with an offset; every surface shows them in UTC. */
function withUtcTimes<T extends Card>(card: T): T {
  return {
    ...card,
    valid_from: utc(card.valid_from),
    valid_to: card.valid_to === null ? null : utc(card.valid_to),
    recorded_at: utc(card.recorded_at),
    expires_at: card.expires_at === null ? null : utc(card.expires_at),
    last_used_at: card.last_used_at === null ? null : utc(card.last_used_at),
  };
}

function utc(time: string): string {
  return new Date(time).toISOString();
}

const RECALL = `
WITH visible AS MATERIALIZED (
  SELECT v.card_id, array_agg(DISTINCT v.via ORDER BY v.via) AS via
    FROM ${VISIBLE_CARDS} v
   GROUP BY v.card_id
),
wanted AS (
  SELECT $14::jsonb AS f
),
pool AS MATERIALIZED (
  SELECT c.id, v.via, c.index_length, c.service, c.operation, c.valid_from, c.recorded_at
    FROM visible v
    JOIN cards c ON c.workspace_id = $1 AND c.id = v.card_id
   CROSS JOIN wanted w
    LEFT JOIN projects closed
      ON closed.workspace_id = $1 AND closed.id = c.project AND closed.status = 'closed'
   WHERE c.status IN ('pending', 'active', 'validated')
     AND c.recorded_at <= $7
     AND c.valid_from <= $8 AND (c.valid_to IS NULL OR c.valid_to > $8)
     -- A closed project's episodes come back only when the project is asked for (design §7).
     AND (closed.id IS NULL OR c.tier <> 'episodic' OR c.project = COALESCE($13, w.f ->> 'project'))
     AND ($13::text IS NULL OR c.project = $13)
     AND (w.f -> 'kind' IS NULL OR w.f -> 'kind' ? c.kind)
     AND (w.f -> 'sign' IS NULL OR w.f -> 'sign' ? c.sign)
     AND (w.f ->> 'service' IS NULL OR c.service = w.f ->> 'service')
     AND (w.f ->> 'operation' IS NULL OR c.operation = w.f ->> 'operation')
     AND (w.f ->> 'workflow' IS NULL OR c.workflow = w.f ->> 'workflow')
     AND (w.f ->> 'step' IS NULL OR c.step = w.f ->> 'step')
     AND (w.f ->> 'subject' IS NULL OR c.subject = w.f ->> 'subject')
     AND (w.f ->> 'topic' IS NULL OR c.topic = w.f ->> 'topic')
     AND (w.f ->> 'project' IS NULL OR c.project = w.f ->> 'project')
     AND (w.f ->> 'session' IS NULL OR c.session = w.f ->> 'session')
     AND (w.f ->> 'key' IS NULL OR c.key = w.f ->> 'key')
     AND (w.f ->> 'since' IS NULL OR c.valid_from >= (w.f ->> 'since')::timestamptz)
     AND (w.f ->> 'until' IS NULL OR c.valid_from < (w.f ->> 'until')::timestamptz)
     AND (w.f -> 'metadata' IS NULL OR c.metadata @> (w.f -> 'metadata'))
),
statistics AS (
  SELECT count(*)::float8 AS cards, GREATEST(1, avg(index_length))::float8 AS mean_length FROM pool
),
postings AS (
  SELECT t.term, t.card_id, t.frequency::float8 AS tf, p.index_length::float8 AS length
    FROM card_terms t
    JOIN pool p ON p.id = t.card_id
   WHERE t.workspace_id = $1 AND t.term = ANY ($9::text[])
),
documents AS (
  SELECT term, count(*)::float8 AS df FROM postings GROUP BY term
),
lexical AS (
  SELECT p.card_id,
         sum(ln(1 + (s.cards - d.df + 0.5) / (d.df + 0.5))
             * p.tf * ${K1 + 1} / (p.tf + ${K1} * (1 - ${B} + ${B} * p.length / s.mean_length))) AS score
    FROM postings p
    JOIN documents d USING (term)
   CROSS JOIN statistics s
   GROUP BY p.card_id
   ORDER BY score DESC, p.card_id
   LIMIT $12
),
dense AS (
  SELECT e.card_id, 1 - (e.embedding <=> $10::vector) AS score
    FROM card_embeddings e
    JOIN pool p ON p.id = e.card_id
   WHERE e.workspace_id = $1 AND e.field = 'summary' AND e.model = $11 AND $10::vector IS NOT NULL
   ORDER BY e.embedding <=> $10::vector, e.card_id
   LIMIT $12
),
recent AS (
  SELECT p.id AS card_id, 1.0 / row_number() OVER (ORDER BY p.valid_from DESC, p.id) AS score
    FROM pool p
   ORDER BY p.valid_from DESC, p.id
   LIMIT 20
),
found AS (
  SELECT card_id FROM lexical
  UNION SELECT card_id FROM dense
  UNION SELECT card_id FROM recent
),
candidates AS (
  SELECT ${CARD_COLUMNS}, c.input_fields, p.via,
         COALESCE(dense.score, 1 - (e.embedding <=> $10::vector)) AS dense,
         lexical.score AS lexical,
         NULLIF((COALESCE(lower(c.service) = ANY ($9::text[]), false)::int
               + COALESCE(lower(c.operation) = ANY ($9::text[]), false)::int) / 2.0, 0) AS structured,
         recent.score AS recency,
         then_known.snapshot AS past,
         GREATEST(c.recorded_at, u.last_used_at, c.validated_at,
                  CASE WHEN c.edited_at <= $7 THEN c.edited_at END) AS touched_at
    FROM found f
    JOIN pool p ON p.id = f.card_id
    JOIN cards c ON c.workspace_id = $1 AND c.id = f.card_id
    LEFT JOIN card_usage u ON u.workspace_id = $1 AND u.card_id = c.id
    LEFT JOIN lexical ON lexical.card_id = c.id
    LEFT JOIN dense ON dense.card_id = c.id
    LEFT JOIN recent ON recent.card_id = c.id
    LEFT JOIN card_embeddings e
      ON e.workspace_id = $1 AND e.card_id = c.id AND e.field = 'summary' AND e.model = $11
    LEFT JOIN LATERAL (
      SELECT cv.snapshot - ARRAY['status', 'version', 'superseded_by'] AS snapshot
        FROM card_versions cv
       WHERE cv.workspace_id = $1 AND cv.card_id = c.id AND cv.at <= $7 AND c.edited_at > $7
       ORDER BY cv.version DESC
       LIMIT 1
    ) then_known ON true
),
linked AS (
  SELECT g.type, g.from_card, g.to_card
    FROM edges g
    JOIN visible a ON a.card_id = g.from_card
    JOIN visible b ON b.card_id = g.to_card
   WHERE g.workspace_id = $1 AND g.type IN ('conflicts', 'satisfies') AND g.created_at <= $7
     AND (g.from_card IN (SELECT card_id FROM found) OR g.to_card IN (SELECT card_id FROM found))
),
others AS (
  SELECT DISTINCT c.id, c.sign, c.status, c.valid_from, c.trust, c.confidence
    FROM linked l
    JOIN cards c ON c.workspace_id = $1 AND c.id IN (l.from_card, l.to_card)
   WHERE c.recorded_at <= $7 AND c.valid_from <= $8 AND (c.valid_to IS NULL OR c.valid_to > $8)
),
pools AS (
  SELECT w.via, count(*) AS cards FROM visible v, unnest(v.via) AS w (via) GROUP BY w.via
)
SELECT COALESCE((SELECT jsonb_agg(to_jsonb(x) ORDER BY x.id) FROM candidates x), '[]') AS candidates,
       COALESCE((SELECT jsonb_agg(jsonb_build_object('type', l.type, 'from', l.from_card, 'to', l.to_card)
                                  ORDER BY l.from_card, l.to_card, l.type) FROM linked l), '[]') AS edges,
       COALESCE((SELECT jsonb_agg(to_jsonb(o) ORDER BY o.id) FROM others o), '[]') AS others,
       COALESCE((SELECT jsonb_object_agg(p.via, p.cards) FROM pools p), '{}') AS pools`;
