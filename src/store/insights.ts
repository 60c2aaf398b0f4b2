import type { InsightOrigin, MetricSnapshot, Severity, Urgency } from '../contracts/insight';
import type { Tx } from './database';
import { insertInsightSnapshots } from './metric-snapshots';

/** What stands beside the card of an insight. Everything in it is redacted. */
export interface NewInsight {
  id: string;
  /** Of a card of the kind `insight`, written in this transaction. */
  cardId: string;
  origin: InsightOrigin;
  /** Both null where the card says it otherwise. */
  title: string | null;
  finding: string | null;
  domain: string;
  severity: Severity;
  /** ISO 8601. */
  followUp: string;
  urgency: Urgency;
  owner: { kind: string; id: string };
  /** In the order in which they are looked at when an action is measured. */
  baseline: readonly MetricSnapshot[];
  /** In their order; each hash once. */
  actions: readonly { id: string; hash: string; text: string }[];
  /** With whose key it is written. */
  writer: { kind: string; id: string };
  at: Date;
}

/**
 * Makes an insight of a card that was just written. There is no other way to make one, whatever its origin: a house
 * rule holds it.
 * @returns those actions that a person has blocked
 */
export async function insertInsight(tx: Tx, insight: NewInsight): Promise<BlockedAction[]> {
  await tx.query(
    `INSERT INTO insights (workspace_id, id, card_id, origin, title, finding, domain, severity, follow_up, urgency,
                           score, owner_kind, owner_id, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    [
      tx.workspace,
      insight.id,
      insight.cardId,
      insight.origin,
      insight.title,
      insight.finding,
      insight.domain,
      insight.severity,
      insight.followUp,
      JSON.stringify(insight.urgency),
      insight.urgency.score,
      insight.owner.kind,
      insight.owner.id,
      insight.at,
    ],
  );
  await insertInsightSnapshots(tx, {
    insightId: insight.id,
    role: 'baseline',
    snapshots: insight.baseline,
    source: insight.writer,
    at: insight.at,
  });
  return await insertActions(tx, insight);
}

/** Of an insight, and what is blocked. */
export interface BlockedAction {
  id: string;
  hash: string;
}

async function insertActions(tx: Tx, { id, actions, at }: NewInsight): Promise<BlockedAction[]> {
  if (actions.length === 0) return [];
  const rows = actions.map((one, position) => ({ ...one, position }));
  const values = [tx.workspace, JSON.stringify(rows), at];
  // In the order of their hashes, so that two that recommend the same wait for each other and do not lock up.
  await tx.query(
    `INSERT INTO actions (workspace_id, hash, text, created_at)
     SELECT $1, a.hash, a.text, $3
       FROM jsonb_to_recordset($2::jsonb) AS a (hash text, text text)
      ORDER BY a.hash
     ON CONFLICT DO NOTHING`,
    values,
  );
  const made = await tx.query<BlockedAction & { is_blocked: boolean }>(
    `WITH made AS (
       INSERT INTO insight_actions (workspace_id, insight_id, id, position, hash, text)
       SELECT $1, $3, a.id, a.position, a.hash, a.text
         FROM jsonb_to_recordset($2::jsonb) AS a (id text, position int, hash text, text text)
       RETURNING id, hash, position
     )
     SELECT m.id, m.hash, k.blocked_at IS NOT NULL AS is_blocked
       FROM made m
       JOIN actions k ON k.workspace_id = $1 AND k.hash = m.hash
      ORDER BY m.position`,
    [tx.workspace, JSON.stringify(rows), id],
  );
  return made.flatMap(({ is_blocked, ...action }) => (is_blocked ? [action] : []));
}

/** As it is kept, whoever may see it. */
export interface InsightRow {
  id: string;
  card_id: string;
  /** Null once the card's words were changed. */
  title: string | null;
  finding: string | null;
  domain: string;
  follow_up: string;
  owner_kind: string;
  owner_id: string;
}

/** Whoever changes an action of an insight holds it first: of two, the second finds what the first one did. */
export async function holdInsight(tx: Tx, id: string): Promise<InsightRow | null> {
  const [row] = await tx.query<InsightRow>(
    `SELECT id, card_id, title, finding, domain, follow_up, owner_kind, owner_id
       FROM insights WHERE workspace_id = $1 AND id = $2 FOR NO KEY UPDATE`,
    [tx.workspace, id],
  );
  return row ?? null;
}
