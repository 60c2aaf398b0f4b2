import type { ActionStatus, OutcomeResult, UnmeasuredCode } from '../contracts/insight';
import type { FollowedAction } from '../contracts/insight-messages';
import type { Tx } from './database';

/** An action of an insight, with what came of it. */
export interface ActionRow {
  id: string;
  hash: string;
  /** Redacted. */
  text: string;
  status: ActionStatus;
  taken_at: string | null;
  measure_at: string | null;
  ended_code: UnmeasuredCode | null;
  result: OutcomeResult | null;
  /** Of the outcome. */
  card_id: string | null;
  blocked: boolean;
}

/** In the order in which they were recommended. */
export async function actionsOf(tx: Tx, insightId: string): Promise<ActionRow[]> {
  return await tx.query<ActionRow>(
    `SELECT a.id, a.hash, a.text, a.status, a.taken_at, a.measure_at, a.ended_code, o.result, o.card_id,
            k.blocked_at IS NOT NULL AS blocked
       FROM insight_actions a
       JOIN actions k ON k.workspace_id = a.workspace_id AND k.hash = a.hash
       LEFT JOIN action_outcomes o
         ON o.workspace_id = a.workspace_id AND o.insight_id = a.insight_id AND o.action_id = a.id
      WHERE a.workspace_id = $1 AND a.insight_id = $2
      ORDER BY a.position, a.id`,
    [tx.workspace, insightId],
  );
}

/** Those that were taken, as their workflow knows them. */
export function followedOf(actions: readonly ActionRow[]): FollowedAction[] {
  return actions.flatMap(({ id, status, measure_at, result, ended_code: code, card_id }) =>
    status === 'recommended' || measure_at === null
      ? []
      : [{ action_id: id, status, measure_at, result, code, card_id }],
  );
}
