import { type ActionStatus, INSIGHT_CHANGED_SIGNAL } from '../contracts/insight';
import { insightWorkflowId } from '../contracts/workflow-ids';
import { durationMs } from '../domain/durations';
import { writeAudit } from './audit';
import type { Tx } from './database';
import { openFollowUpRun } from './insight-follow-up-runs';
import { holdInsight } from './insights';

export interface Taking {
  insightId: string;
  actionId: string;
  /** When it was taken; up to now. */
  at: Date;
  /** Whether that was said, or is meant to be now. */
  isDated: boolean;
  /** ISO 8601, until it is measured; null as the insight has it. */
  window: string | null;
  by: { kind: string; id: string };
  channel: string;
  now: Date;
}

export type Taken =
  | { ok: true; operationId: string; workflowId: string; measureAt: string }
  | { ok: false; code: 'no_action' | 'already_taken' };

/**
 * Records that an action was taken, with the operation that follows it up and the start of its workflow, in the
 * caller's transaction. Told again it is the same; told with another time or another end of its window it is another,
 * and there is one of an action. One that is blocked is not there.
 */
export async function takeAction(tx: Tx, taking: Taking): Promise<Taken> {
  const { insightId, actionId, at, now } = taking;
  const insight = await holdInsight(tx, insightId);
  const action = insight === null ? null : await actionIn(tx, insightId, actionId);
  if (insight === null || action === null) return { ok: false, code: 'no_action' };
  const workflowId = insightWorkflowId(tx.workspace, insightId);
  if (action.status !== 'recommended') {
    const operationId = isAsTold(taking, action) ? await lastOperation(tx, workflowId) : null;
    if (operationId === null || action.measure_at === null) {
      return { ok: false, code: 'already_taken' };
    }
    return { ok: true, operationId, workflowId, measureAt: action.measure_at };
  }
  const measureAt = new Date(at.getTime() + durationMs(taking.window ?? insight.follow_up));
  await tx.query(
    `UPDATE insight_actions
        SET status = 'taken', taken_at = $4, taken_kind = $5, taken_by = $6, measure_at = $7
      WHERE workspace_id = $1 AND insight_id = $2 AND id = $3`,
    [tx.workspace, insightId, actionId, at, taking.by.kind, taking.by.id, measureAt],
  );
  const agent = insight.owner_kind === 'agent' ? insight.owner_id : null;
  const opened = { insightId, cardId: insight.card_id, agent };
  const operationId = await openFollowUpRun(tx, opened, now);
  await tx.query(
    `INSERT INTO outbox (workspace_id, action, workflow_id, arguments, next_at, created_at)
     VALUES ($1, 'start_insight', $2, $3, $4, $4)`,
    [
      tx.workspace,
      workflowId,
      JSON.stringify({
        workspace: tx.workspace,
        insight_id: insightId,
        operation_id: operationId,
        signal: INSIGHT_CHANGED_SIGNAL,
      }),
      now,
    ],
  );
  await writeAudit(tx, {
    at: now,
    actor: taking.by,
    action: 'insight.action_taken',
    target: { type: 'insight', id: insightId },
    changed: ['status'],
    hashes: { action: actionId },
    channel: taking.channel,
    workflowId,
  });
  return { ok: true, operationId, workflowId, measureAt: measureAt.toISOString() };
}

/** As it stands by now: a window that was extended since is another than the one it was taken with. */
function isAsTold({ at, isDated, window }: Taking, { taken_at, measure_at }: Standing): boolean {
  if (taken_at === null || measure_at === null) return false;
  if (isDated && taken_at !== at.toISOString()) return false;
  return window === null || Date.parse(measure_at) - Date.parse(taken_at) === durationMs(window);
}

interface Standing {
  status: ActionStatus;
  taken_at: string | null;
  measure_at: string | null;
}

async function actionIn(tx: Tx, insightId: string, id: string): Promise<Standing | null> {
  const [row] = await tx.query<Standing>(
    `SELECT a.status, a.taken_at, a.measure_at
       FROM insight_actions a
       JOIN actions k ON k.workspace_id = a.workspace_id AND k.hash = a.hash AND k.blocked_at IS NULL
      WHERE a.workspace_id = $1 AND a.insight_id = $2 AND a.id = $3
        FOR UPDATE OF a`,
    [tx.workspace, insightId, id],
  );
  return row ?? null;
}

async function lastOperation(tx: Tx, workflowId: string): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>(
    `SELECT id FROM runs WHERE workspace_id = $1 AND workflow_id = $2 AND type <> 'capture'
      ORDER BY created_at DESC, id DESC LIMIT 1`,
    [tx.workspace, workflowId],
  );
  return row?.id ?? null;
}
