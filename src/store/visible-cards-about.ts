import { LINKED_EDGES, REJECTED_SOURCES } from './recall-lineage';
import { LINKED_ENDS_OF_MANY } from './recall-many';
import { CONFLICTS } from './recall-statement';
import { mayBeSeen, READER_PATHS } from './visible-cards';

/** Facts of one subject that are looked at; what loses a conflict among them is replaced by the next. */
const MOST_LOOKED_AT = 100;

/**
 * The knowledge cards about a subject that the reader may see now, and what decides which of them may be told: parts
 * of a statement whose first parameters are those of `ReaderArguments`, and then `now` twice more, as `known_at` and
 * `as_of` of the recall that the rest is taken from. The subject is `conv.subject`; nobody's where `conv.tells_facts`
 * is false.
 *
 * Among many cards of one subject they are found by its index, through a sieve; `visible_among` has the last word.
 */
export const FACTS_ABOUT = [
  `paths AS MATERIALIZED (${READER_PATHS}
)`,
  `about AS MATERIALIZED (
  SELECT f.id
    FROM conv
   CROSS JOIN LATERAL (
     SELECT c.id
       FROM cards c
      WHERE c.workspace_id = $1 AND c.subject = conv.subject AND c.kind = 'knowledge'
        AND c.status IN ('pending', 'active', 'validated')
        AND c.valid_from <= $8 AND (c.valid_to IS NULL OR c.valid_to > $8)
        AND (c.expires_at IS NULL OR c.expires_at > $7)
        AND ${mayBeSeen('c')}
      ORDER BY c.status = 'validated' DESC, c.recorded_at DESC, c.id DESC
      LIMIT ${MOST_LOOKED_AT}
   ) f
   WHERE conv.tells_facts
)`,
  `seen AS MATERIALIZED (
  SELECT v.card_id, array_agg(DISTINCT v.via) AS via
    FROM visible_among($1, $2, $3, $4, $5, $6::timestamptz, ARRAY(SELECT id FROM about)) v
   GROUP BY v.card_id
)`,
  'chosen AS MATERIALIZED (SELECT card_id AS id FROM seen)',
  // Nothing is asked about the past.
  'past AS MATERIALIZED (SELECT NULL::text AS card_id, NULL::jsonb AS snapshot WHERE false)',
  LINKED_EDGES,
  LINKED_ENDS_OF_MANY,
  REJECTED_SOURCES,
  CONFLICTS,
  `fact AS (
  SELECT c.id, c.version, c.summary, c.sign, c.status, c.trust, c.flags, c.confidence, c.valid_from, c.valid_to,
         c.expires_at, c.recorded_at, s.via
    FROM seen s
   CROSS JOIN LATERAL (SELECT * FROM cards WHERE workspace_id = $1 AND cards.id = s.card_id OFFSET 0) c
)`,
]
  .map((part) => part.trim())
  .join(',\n');
