import type { ActionOutcome, ActionStatus, UnmeasuredCode } from '../contracts/insight';
import type { Tx } from './database';
import type { ReaderArguments } from './visible-cards';

/** An action of an insight as it is kept, blocked or not. */
export interface InsightActionRow {
  insight_id: string;
  id: string;
  position: number;
  hash: string;
  text: string;
  status: ActionStatus;
  taken_at: string | null;
  taken_by: { kind: string; id: string } | null;
  measure_at: string | null;
  ended_code: UnmeasuredCode | null;
  is_blocked: boolean;
  outcome: ActionOutcome | null;
}

/** Of insights that the caller has made sure the reader sees; a card that tells an outcome is named where they see it. */
export async function keptActionsOf(
  tx: Tx,
  reader: ReaderArguments,
  insightIds: readonly string[],
): Promise<Map<string, InsightActionRow[]>> {
  if (insightIds.length === 0) return new Map();
  const rows = await tx.query<InsightActionRow>(
    `WITH seen AS MATERIALIZED (
       SELECT DISTINCT v.card_id
         FROM visible_cards($1, $2, $3, $4, $5, $6::timestamptz) v
        WHERE v.card_id = ANY (ARRAY(
                SELECT t.card_id FROM action_outcomes t
                 WHERE t.workspace_id = $1 AND t.insight_id = ANY ($7) AND t.card_id IS NOT NULL))
     )
     SELECT a.insight_id, a.id, a.position, a.hash, a.text, a.status, a.taken_at, a.measure_at, a.ended_code,
            CASE WHEN a.taken_by IS NOT NULL
                 THEN jsonb_build_object('kind', a.taken_kind, 'id', a.taken_by) END AS taken_by,
            k.blocked_at IS NOT NULL AS is_blocked,
            o.result, o.size, o.metric, o.baseline, o.value, o.unit, o.at, o.channel,
            jsonb_build_object('kind', o.by_kind, 'id', o.by_id) AS by, seen.card_id
       FROM insight_actions a
       JOIN actions k ON k.workspace_id = a.workspace_id AND k.hash = a.hash
       LEFT JOIN action_outcomes o
         ON o.workspace_id = a.workspace_id AND o.insight_id = a.insight_id AND o.action_id = a.id
       LEFT JOIN seen ON seen.card_id = o.card_id
      WHERE a.workspace_id = $1 AND a.insight_id = ANY ($7)
      ORDER BY a.insight_id, a.position`,
    [...reader, insightIds],
  );
  const actions = new Map<string, InsightActionRow[]>();
  for (const row of rows.map(withOutcome)) {
    actions.set(row.insight_id, [...(actions.get(row.insight_id) ?? []), row]);
  }
  return actions;
}

type JoinedRow = Omit<InsightActionRow, 'outcome'> & { [F in keyof ActionOutcome]: unknown };

function withOutcome(row: InsightActionRow): InsightActionRow {
  const { result, size, metric, baseline, value, unit, at, channel, by, card_id, ...action } =
    row as unknown as JoinedRow;
  const outcome = { result, size, metric, baseline, value, unit, at, channel, by, card_id };
  return { ...action, outcome: result === null ? null : (outcome as ActionOutcome) };
}
