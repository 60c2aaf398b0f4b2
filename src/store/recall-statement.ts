import { VIAS } from '../contracts/names';
import { FOLD_SIMILARITY } from '../domain/fold';
import {
  ASKED,
  DENSE,
  DOCUMENTS,
  LEXICAL,
  POSTINGS,
  RECENT,
  STANDING,
  STATISTICS,
} from './recall-arms';
import { CANDIDATES, CONTEXT } from './recall-context';
import { between, bitOf, bitsOf, endsAmong, isIn } from './recall-fragments';
import { ANCHORS, SHARED, walk } from './recall-graph';
import { LINKED_EDGES, REJECTED_SOURCES } from './recall-lineage';
import {
  DOCUMENTS_OF_MANY,
  type IndexedVectors,
  LINKED_ENDS_OF_MANY,
  POOLS_OF_MANY,
  SHARED_OF_MANY,
  STATISTICS_OF_MANY,
  visibleAround,
} from './recall-many';
import { READER_PATHS } from './visible-cards';

const VISIBLE = `
visible AS MATERIALIZED (
  SELECT v.card_id, bit_or(${bitOf('v.via')}) AS via
    FROM visible_cards($1, $2, $3, $4, $5, $6::timestamptz) v
   GROUP BY v.card_id
)`;

const FOLDS = `
vectors AS MATERIALIZED (
  -- At unit length: a pair is then one inner product, of values that TOAST gave once and not for each pair.
  SELECT c.place, f.model, dense_rank() OVER (ORDER BY c.service, c.operation, c.sign, c.error_signature) AS work,
         l2_normalize(f.embedding) AS unit
    FROM (SELECT x.*, row_number() OVER (ORDER BY x.id) - 1 AS place FROM candidates x) c
    JOIN filled f ON f.id = c.id
   WHERE c.has_vector AND (c.service IS NOT NULL OR c.operation IS NOT NULL)
),
near AS (
  SELECT a.place AS one, b.place AS other
    FROM vectors a
    JOIN vectors b ON b.work = a.work AND b.model = a.model AND b.place > a.place
   WHERE -(a.unit <#> b.unit) >= ${FOLD_SIMILARITY}
)`;

const LINKED_ENDS = `
paths AS MATERIALIZED (${READER_PATHS}
),
linked_ends AS MATERIALIZED (${endsAmong('linked_edges', 'visible', 'card_id')}
)`;

/** Of `linked_edges` what the reader may know, and what decides it; as of `$8`, known by `$7`. */
export const CONFLICTS = `
known_ends AS MATERIALIZED (
  SELECT card_id FROM linked_ends UNION ALL SELECT card_id FROM rejected_sources
),
linked AS MATERIALIZED (${between('linked_edges', 'known_ends')}
),
others AS (
  SELECT c.id, c.sign, c.status, c.valid_from, c.valid_to, c.trust, c.confidence
    FROM (SELECT from_card AS id FROM linked WHERE type <> 'derived_from'
          UNION SELECT to_card FROM linked WHERE type <> 'derived_from') l
   CROSS JOIN LATERAL (SELECT cards AS row FROM cards WHERE workspace_id = $1 AND cards.id = l.id OFFSET 0) today
    LEFT JOIN past ON past.card_id = l.id
   CROSS JOIN LATERAL jsonb_populate_record(today.row, COALESCE(past.snapshot, '{}')) c
   -- Also what held until before: a loser stays one for what was derived from it.
   WHERE c.recorded_at <= $7 AND c.valid_from <= $8 AND (c.expires_at IS NULL OR c.expires_at > $7)
)`;

const POOLS = `
pools AS (
  SELECT jsonb_build_object(${VIAS.map(
    (via) => `'${via}', count(*) FILTER (WHERE v.via & ${bitsOf([via])} <> 0)`,
  ).join(', ')}) AS cards
    FROM visible v
   WHERE ${isIn('v.card_id', 'SELECT id FROM standing')}
)`;

const ANSWER = `
SELECT COALESCE((SELECT json_agg(row_to_json(x) ORDER BY x.id) FROM candidates x), '[]') AS candidates,
       COALESCE((SELECT json_agg(json_build_array(n.one, n.other)) FROM near n), '[]') AS near,
       COALESCE((SELECT json_agg(json_build_object('type', l.type, 'from', l.from_card, 'to', l.to_card)
                                 ORDER BY l.from_card, l.to_card, l.type) FROM linked l), '[]') AS edges,
       COALESCE((SELECT json_agg(json_build_object('type', w.type, 'from', w.from_card, 'to', w.to_card,
                                                   'confidence', w.confidence)
                                 ORDER BY w.type, w.from_card, w.to_card)
                   FROM (SELECT type, from_card, to_card, confidence FROM walked
                         UNION ALL
                         SELECT 'shares', from_card, to_card, confidence FROM shared) w), '[]') AS walked,
       COALESCE((SELECT json_agg(row_to_json(o) ORDER BY o.id) FROM others o), '[]') AS others,
       (SELECT cards FROM pools) AS pools`;

/**
 * Recall's one read (design §4): who may see what, judged now; of that, what was recorded by `known_at`
 * ($7) and held at `as_of` ($8); then each arm's best, their conflicts and those of what they came of, and
 * what resolves them.
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
 */
export const RECALL_AMONG_FEW = statement({
  visible: VISIBLE,
  statistics: STATISTICS,
  documents: DOCUMENTS,
  asked: ASKED,
  shared: SHARED,
  linkedEnds: LINKED_ENDS,
  pools: POOLS,
});

/**
 * The same among very many visible cards, where an index over these vectors stands (`vector-index.ts`): the
 * best of each arm by the arm's own index, then as among few. `pools` are estimates.
 */
export function recallAmongMany(vectors: IndexedVectors): string {
  return statement({
    visible: visibleAround(vectors),
    statistics: STATISTICS_OF_MANY,
    documents: DOCUMENTS_OF_MANY,
    asked: null,
    shared: SHARED_OF_MANY,
    linkedEnds: LINKED_ENDS_OF_MANY,
    pools: POOLS_OF_MANY,
  });
}

interface Parts {
  visible: string;
  statistics: string;
  documents: string;
  /** Null where `visible` has it already. */
  asked: string | null;
  shared: string;
  linkedEnds: string;
  pools: string;
}

function statement(parts: Parts): string {
  const expressions = [
    parts.visible,
    STANDING,
    parts.statistics,
    POSTINGS,
    parts.documents,
    LEXICAL,
    ...(parts.asked === null ? [] : [parts.asked]),
    DENSE,
    RECENT,
    ANCHORS,
    walk(parts.shared),
    CONTEXT,
    CANDIDATES,
    FOLDS,
    LINKED_EDGES,
    parts.linkedEnds,
    REJECTED_SOURCES,
    CONFLICTS,
    parts.pools,
  ];
  const list = expressions.map((text) => text.trim().replace(/,$/, '')).join(',\n');
  return `WITH ${list}\n${ANSWER}`;
}
