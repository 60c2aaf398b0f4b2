import { insightWorkflowId } from '../contracts/workflow-ids';
import { FOLLOW_UP_MOVES_WITHIN_MS } from '../domain/upkeep';
import type { Tx } from './database';
import { openFollowUpRun, tellFollowUp } from './insight-follow-up-runs';
import { holdInsight } from './insights';

/** Of one workspace at one sweep, the oldest first: the next sweep comes in minutes. */
const MOST_RESTARTS = 100;

/**
 * Sends the start of follow-ups once more of which an action should have been measured by now, or that never began:
 * their workflow was terminated, cancelled, or lost with Temporal's data. The start itself leaves one alone that still
 * runs. `insight_actions_waiting` leads to them.
 * @returns how many
 */
export async function restartFollowUps(tx: Tx, now: Date): Promise<number> {
  const late = new Date(now.getTime() - FOLLOW_UP_MOVES_WITHIN_MS);
  const rows = await tx.query<{ insight_id: string }>(
    `SELECT a.insight_id, min(a.measure_at) AS due
       FROM insight_actions a
       LEFT JOIN runs r
         ON r.workspace_id = a.workspace_id AND r.workflow_id = $3 || a.insight_id AND r.type = 'insight'
        AND r.state = 'pending' AND r.created_at < $2
      WHERE a.workspace_id = $1 AND a.status = 'taken' AND (a.measure_at < $2 OR r.id IS NOT NULL)
        AND NOT EXISTS (SELECT 1 FROM outbox o
                         WHERE o.workspace_id = $1 AND o.workflow_id = $3 || a.insight_id)
      GROUP BY a.insight_id
      ORDER BY due, a.insight_id
      LIMIT ${MOST_RESTARTS}`,
    [tx.workspace, late, insightWorkflowId(tx.workspace, '')],
  );
  for (const { insight_id: id } of rows) {
    const insight = await holdInsight(tx, id);
    if (insight === null) continue;
    const { card_id: cardId, owner_kind, owner_id } = insight;
    const agent = owner_kind === 'agent' ? owner_id : null;
    await openFollowUpRun(tx, { insightId: id, cardId, agent }, now);
    await tellFollowUp(tx, id, now);
  }
  return rows.length;
}
