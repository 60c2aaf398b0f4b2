import type {
  ConversationStatus,
  ConversationSummary,
  DetailKind,
  MessageRole,
} from '../contracts/conversation';
import type { FoundDetail } from '../domain/conversation/asked';
import type { FactCard, FactsRead } from '../domain/conversation/facts-shown';
import type { ContextTurn } from '../domain/conversation/turns';
import type { OtherEnd, RecallEdge } from '../domain/recall-pipeline';
import { CONVERSATION_SEEN } from './conversations';
import type { Tx } from './database';
import { SUBJECTS_OFF } from './subjects';
import type { ReaderArguments } from './visible-cards';
import { FACTS_ABOUT } from './visible-cards-about';

export interface ContextRead {
  status: ConversationStatus;
  summary: ConversationSummary | null;
  turns: ContextTurn[];
  facts: FactsRead;
  details: {
    found: (FoundDetail & { in_summary: boolean })[];
    total: number;
    df: Record<string, number>;
  };
}

/** Turns that are looked at where no compaction came for long; a budget holds far fewer. */
const MOST_TURNS = 5_000;
/** Details that are ranked. */
const MOST_DETAILS = 100;
/** A word of the message before tells less than one of the clause itself. */
const NEAR_SHARE = 0.45;
/** Turns in the older part of the budget may be left out: what they tell is looked through as well. */
const SURE_SHARE = 0.6;

const STATEMENT = `
WITH conv AS MATERIALIZED (
  SELECT c.*,
         -- People see what is kept about somebody whose memory is off, as everywhere.
         c.subject IS NOT NULL AND $10::boolean
           AND ($2::text IS NULL OR (c.subject IN (${SUBJECTS_OFF})) IS NOT TRUE) AS tells_facts
    FROM conversations c
   WHERE c.workspace_id = $1 AND c.id = $9 AND ${CONVERSATION_SEEN}
),
turn AS MATERIALIZED (
  SELECT t.*,
         sum(t.cost) OVER (ORDER BY t.n DESC) AS newer,
         count(*) FILTER (WHERE t.role <> 'tool') OVER (ORDER BY t.n) AS part
    FROM (SELECT m.n, m.role, m.name, m.tool_call_id, m.tokens, m.extracted, m.extracted_tokens,
                 m.content IS NULL AS is_dropped,
                 CASE WHEN m.extracted IS NULL THEN m.tokens ELSE COALESCE(m.extracted_tokens, m.tokens) END AS cost
            FROM conv
            JOIN messages m ON m.workspace_id = $1 AND m.conversation_id = conv.id AND m.n > conv.summarized_through
           ORDER BY m.n DESC
           LIMIT ${MOST_TURNS}) t
),
told AS (
  SELECT t.n, t.role, t.name, t.tool_call_id, t.tokens, t.extracted, t.extracted_tokens, t.is_dropped,
         -- What there is no room for in any case is not read.
         CASE WHEN t.extracted IS NULL
               AND (t.newer - t.cost <= $11 OR t.role = 'system' OR t.part = (SELECT max(part) FROM turn)
                    OR t.part = (SELECT a.part FROM turn a WHERE a.n = (SELECT asked_n FROM conv)))
              THEN (SELECT m.content FROM messages m
                     WHERE m.workspace_id = $1 AND m.conversation_id = $9 AND m.n = t.n) END AS content
    FROM turn t
  UNION ALL
  SELECT m.n, m.role, m.name, m.tool_call_id, m.tokens, NULL, NULL, false, m.content
    FROM conv
    JOIN messages m ON m.workspace_id = $1 AND m.conversation_id = conv.id AND m.role = 'system'
                   AND m.n <= conv.summarized_through
),
edge_of_turns AS MATERIALIZED (
  -- Before it turns may be left out.
  SELECT COALESCE((SELECT max(t.n) FROM turn t WHERE t.newer > $11 * ${SURE_SHARE}), 0) AS n
),
hidden AS MATERIALIZED (
  SELECT d.n, d.k, d.terms, d.near, d.terms && conv.asked_terms OR d.near && conv.asked_terms AS is_hit
    FROM conv
   CROSS JOIN edge_of_turns e
    JOIN conversation_details d ON d.workspace_id = $1 AND d.conversation_id = conv.id
   WHERE d.n < conv.asked_n AND cardinality(conv.asked_terms) > 0
     AND (d.n <= conv.summarized_through AND NOT d.in_summary OR d.n > conv.summarized_through AND d.n <= e.n)
),
held AS MATERIALIZED (
  SELECT w.term, count(*) AS details, ln(1 + (SELECT count(*) FROM hidden) / count(*)::float8) AS rarity
    FROM conv
   CROSS JOIN LATERAL unnest(conv.asked_terms) AS w (term)
    JOIN hidden h ON h.is_hit AND w.term = ANY (h.terms)
   GROUP BY w.term
),
best AS MATERIALIZED (
  SELECT h.n, h.k
    FROM hidden h
   CROSS JOIN LATERAL (SELECT sum(rarity) AS score FROM held WHERE term = ANY (h.terms)) own
   CROSS JOIN LATERAL (SELECT sum(rarity) AS score FROM held WHERE term = ANY (h.near)) beside
   WHERE h.is_hit
   ORDER BY COALESCE(own.score, 0) + ${NEAR_SHARE} * COALESCE(beside.score, 0) DESC, h.n, h.k
   LIMIT ${MOST_DETAILS}
),
found AS (
  SELECT d.n, d.k, d.kind, d.text, d.terms, d.near, d.in_summary, m.role, m.name, m.at
    FROM best b
   -- Each by its key, as \`OFFSET 0\` has it: before the first ANALYZE the planner would compare all with all.
   CROSS JOIN LATERAL (SELECT * FROM conversation_details x
                        WHERE x.workspace_id = $1 AND x.conversation_id = $9 AND x.n = b.n AND x.k = b.k OFFSET 0) d
   CROSS JOIN LATERAL (SELECT x.role, x.name, x.at FROM messages x
                        WHERE x.workspace_id = $1 AND x.conversation_id = $9 AND x.n = b.n OFFSET 0) m
),
${FACTS_ABOUT}
SELECT conv.status, conv.summary AS summary_text, conv.summary_version, conv.summary_by, conv.summarized_through,
       COALESCE((SELECT json_agg(row_to_json(t) ORDER BY t.n) FROM told t), '[]') AS turns,
       COALESCE((SELECT json_agg(row_to_json(f)) FROM fact f), '[]') AS facts,
       COALESCE((SELECT json_agg(json_build_object('type', l.type, 'from', l.from_card, 'to', l.to_card)
                                 ORDER BY l.from_card, l.to_card, l.type) FROM linked l), '[]') AS edges,
       COALESCE((SELECT json_agg(row_to_json(o) ORDER BY o.id) FROM others o), '[]') AS others,
       COALESCE((SELECT json_agg(row_to_json(f) ORDER BY f.n, f.k) FROM found f), '[]') AS found,
       COALESCE((SELECT json_object_agg(h.term, h.details) FROM held h), '{}') AS df,
       (SELECT count(*) FROM hidden) AS total
  FROM conv`;

interface Row {
  status: ConversationStatus;
  summary_text: string | null;
  summary_version: number;
  summary_by: ConversationSummary['written_by'] | null;
  summarized_through: number;
  turns: ContextTurn[];
  facts: FactCard[];
  edges: RecallEdge[];
  others: OtherEnd[];
  found: (FoundDetail & { in_summary: boolean; kind: DetailKind; role: MessageRole })[];
  df: Record<string, number>;
  total: number;
}

/**
 * All that a context is made from, in one statement: the conversation where it is the reader's, its turns, facts about
 * its subject as they may be seen now, and older details that have words of the user's last message.
 * @returns null for one that is not there and for one of others
 */
export async function readForContext(
  tx: Tx,
  reader: ReaderArguments,
  { id, facts, budgetTokens }: { id: string; facts: boolean; budgetTokens: number },
): Promise<ContextRead | null> {
  const now = reader[5];
  const [row] = await tx.query<Row>(STATEMENT, [...reader, now, now, id, facts, budgetTokens]);
  if (row === undefined) return null;
  const { summary_text: text, summary_by: by } = row;
  return {
    status: row.status,
    summary:
      text === null
        ? null
        : {
            text,
            through: row.summarized_through,
            version: row.summary_version,
            written_by: by ?? 'fallback',
          },
    turns: row.turns,
    facts: {
      candidates: row.facts.map((fact) => ({ ...fact, ...utcTimes(fact) })),
      edges: row.edges,
      others: row.others,
    },
    details: {
      found: row.found.map((detail) => ({ ...detail, at: utc(detail.at) })),
      total: row.total,
      df: row.df,
    },
  };
}

function utcTimes(fact: FactCard) {
  return { valid_from: utc(fact.valid_from), recorded_at: utc(fact.recorded_at) };
}

/** JSON carries times with an offset. */
function utc(time: string): string {
  return new Date(time).toISOString();
}
