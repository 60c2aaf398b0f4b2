import type { Card } from '../contracts/card';
import type { ActionStatus, InsightOrigin, Severity, Urgency } from '../contracts/insight';
import type { Via } from '../contracts/names';
import { insightWorkflowId } from '../contracts/workflow-ids';
import { CARD_COLUMNS, CARD_USAGE, type CardRow, cardOf } from './card-row';
import type { Tx } from './database';
import { TOTAL_CAP } from './paging';
import type { ReaderArguments } from './visible-cards';

/** An insight as one reader sees it: its card, and what stands beside it. */
export interface SeenInsight {
  id: string;
  origin: InsightOrigin;
  title: string | null;
  finding: string | null;
  domain: string;
  severity: Severity;
  /** ISO 8601. */
  followUp: string;
  urgency: Urgency;
  owner: { kind: string; id: string };
  createdAt: string;
  /** Of its last follow-up; null until an action was taken. */
  operation: { id: string; workflowId: string } | null;
  card: Card;
  vias: Via[];
}

interface SeenRow extends CardRow {
  insight_id: string;
  origin: InsightOrigin;
  title: string | null;
  finding: string | null;
  domain: string;
  severity: Severity;
  follow_up: string;
  urgency: Urgency;
  owner_kind: string;
  owner_id: string;
  created_at: string;
  operation_id: string | null;
  operation_workflow: string | null;
  vias: Via[];
}

/** Of these insights those whose card the reader sees now, in the order of the ids. */
export async function insightsAmong(
  tx: Tx,
  reader: ReaderArguments,
  ids: readonly string[],
): Promise<SeenInsight[]> {
  if (ids.length === 0) return [];
  const rows = await tx.query<SeenRow>(
    `WITH seen AS MATERIALIZED (
       SELECT v.card_id, array_agg(DISTINCT v.via) AS vias
         FROM visible_cards($1, $2, $3, $4, $5, $6::timestamptz) v
        WHERE v.card_id = ANY (ARRAY(
                SELECT i.card_id FROM insights i WHERE i.workspace_id = $1 AND i.id = ANY ($7)))
        GROUP BY v.card_id
     )
     SELECT ${CARD_COLUMNS}, seen.vias, i.id AS insight_id, i.origin, i.title, i.finding, i.domain, i.severity,
            i.follow_up, i.urgency, i.owner_kind, i.owner_id, i.created_at,
            run.id AS operation_id, run.workflow_id AS operation_workflow
       FROM seen
       JOIN insights i ON i.workspace_id = $1 AND i.card_id = seen.card_id
       JOIN cards c ON c.workspace_id = $1 AND c.id = i.card_id
       ${CARD_USAGE}
       LEFT JOIN LATERAL (
         SELECT r.id, r.workflow_id FROM runs r
          WHERE r.workspace_id = $1 AND r.workflow_id = $8 || i.id AND r.type <> 'capture'
          ORDER BY r.created_at DESC, r.id DESC LIMIT 1
       ) run ON true`,
    [...reader, ids, insightWorkflowId(tx.workspace, '')],
  );
  const found = new Map(rows.map((row) => [row.insight_id, seenOf(row)]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** @returns null for one that is not there and for one whose card the reader may not see */
export async function readInsight(
  tx: Tx,
  reader: ReaderArguments,
  id: string,
): Promise<SeenInsight | null> {
  const [seen] = await insightsAmong(tx, reader, [id]);
  return seen ?? null;
}

export interface InsightFilter {
  origin: readonly InsightOrigin[] | null;
  severity: readonly Severity[] | null;
  /** Of an action that nobody has blocked. */
  status: readonly ActionStatus[] | null;
  domain: string | null;
  minScore: number | null;
  /** Who saved it, or whose scope it is in. */
  agent: string | null;
  /** In the team's scope, or of an agent that is in the team now. */
  team: string | null;
  subject: string | null;
  /** By `lexicalTerms`; its card must hold all of them. */
  terms: readonly string[] | null;
  /** Of when it was saved: from `since` on and before `until`. */
  since: Date | null;
  until: Date | null;
}

/** By score or by age; `after` is the place of the last one shown. */
export type InsightOrder =
  | { by: 'score'; after: readonly [score: number, id: string] | null }
  | { by: 'created'; after: readonly [createdAt: string, id: string] | null };

/** Of a card in one of these an insight is listed; what was superseded or archived is found by its id. */
const LISTED = `c.status IN ('pending', 'active', 'validated', 'rejected', 'quarantined')`;

/** One judgement of what is visible, for page and total. OFFSET 0 has each card fetched by its key. */
const listOf = (page: string) => `
WITH seen AS MATERIALIZED (
  SELECT DISTINCT v.card_id
    FROM visible_cards($1, $2, $3, $4, $5, $6::timestamptz) v
   WHERE v.card_id = ANY (ARRAY(SELECT i.card_id FROM insights i WHERE i.workspace_id = $1))
),
holding AS MATERIALIZED (
  SELECT t.card_id
    FROM card_terms t
   WHERE t.workspace_id = $1 AND t.term = ANY ($15::text[])
   GROUP BY t.card_id
  HAVING count(*) = cardinality($15)
),
matching AS MATERIALIZED (
  SELECT i.id, i.score, i.created_at
    FROM seen
    JOIN insights i ON i.workspace_id = $1 AND i.card_id = seen.card_id
    JOIN LATERAL (
      SELECT * FROM cards k WHERE k.workspace_id = $1 AND k.id = i.card_id OFFSET 0
    ) c ON true
   WHERE ${LISTED}
     AND ($7::text[] IS NULL OR i.origin = ANY ($7))
     AND ($8::text[] IS NULL OR i.severity = ANY ($8))
     AND ($9::text[] IS NULL OR EXISTS (
           SELECT 1
             FROM insight_actions a
             JOIN actions k ON k.workspace_id = a.workspace_id AND k.hash = a.hash AND k.blocked_at IS NULL
            WHERE a.workspace_id = $1 AND a.insight_id = i.id AND a.status = ANY ($9)))
     AND ($10::text IS NULL OR i.domain = $10)
     AND ($11::float8 IS NULL OR i.score >= $11)
     AND ($12::text IS NULL OR c.agent_id = $12 OR (c.scope_type = 'agent' AND c.scope_id = $12)
          OR (i.owner_kind = 'agent' AND i.owner_id = $12))
     AND ($13::text IS NULL OR (c.scope_type = 'team' AND c.scope_id = $13)
          OR c.agent_id IN (SELECT a.id FROM agents a WHERE a.workspace_id = $1 AND a.team_id = $13))
     AND ($14::text IS NULL OR c.subject = $14)
     AND ($15::text[] IS NULL OR c.id IN (SELECT h.card_id FROM holding h))
     AND ($16::timestamptz IS NULL OR i.created_at >= $16)
     AND ($17::timestamptz IS NULL OR i.created_at < $17)
),
total AS (
  SELECT count(*) AS total FROM (SELECT 1 FROM matching LIMIT ${TOTAL_CAP + 1}) counted
),
page AS (
  SELECT m.id, row_number() OVER () AS place FROM (${page}) m
)
SELECT total.total, page.id FROM total LEFT JOIN page ON true ORDER BY page.place`;

const PAGES = {
  score: `SELECT m.id FROM matching m
           WHERE $18::float8 IS NULL OR m.score < $18 OR (m.score = $18 AND m.id > $19)
           ORDER BY m.score DESC, m.id LIMIT $20`,
  created: `SELECT m.id FROM matching m
             WHERE $18::timestamptz IS NULL OR m.created_at < $18 OR (m.created_at = $18 AND m.id > $19)
             ORDER BY m.created_at DESC, m.id LIMIT $20`,
};

/** Insights whose card the reader sees. @param limit counts the one that says there are more */
export async function listInsights(
  tx: Tx,
  reader: ReaderArguments,
  filter: InsightFilter,
  { by, after }: InsightOrder,
  limit: number,
): Promise<{ insights: SeenInsight[]; total: number }> {
  const rows = await tx.query<{ id: string | null; total: number }>(listOf(PAGES[by]), [
    ...reader,
    filter.origin,
    filter.severity,
    filter.status,
    filter.domain,
    filter.minScore,
    filter.agent,
    filter.team,
    filter.subject,
    filter.terms,
    filter.since,
    filter.until,
    after?.[0] ?? null,
    after?.[1] ?? null,
    limit,
  ]);
  const ids = rows.flatMap(({ id }) => id ?? []);
  return { insights: await insightsAmong(tx, reader, ids), total: rows[0]?.total ?? 0 };
}

function seenOf(row: SeenRow): SeenInsight {
  return {
    id: row.insight_id,
    origin: row.origin,
    title: row.title,
    finding: row.finding,
    domain: row.domain,
    severity: row.severity,
    followUp: row.follow_up,
    urgency: row.urgency,
    owner: { kind: row.owner_kind, id: row.owner_id },
    createdAt: row.created_at,
    operation:
      row.operation_id === null || row.operation_workflow === null
        ? null
        : { id: row.operation_id, workflowId: row.operation_workflow },
    card: cardOf(row),
    vias: row.vias,
  };
}
