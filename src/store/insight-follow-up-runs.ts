import type { InsightResult } from '../contracts/insight';
import type { FollowUpState } from '../contracts/insight-messages';
import { insightWorkflowId } from '../contracts/workflow-ids';
import type { Tx } from './database';
import { newId } from './ids';
import { actionsOf, followedOf } from './insight-follow-ups';
import { holdInsight } from './insights';

/** The follow-up of an insight as `runs` has it: open from the first action that is taken to the last that has ended. */

export interface FollowUpRun {
  insightId: string;
  cardId: string;
  /** Who looks after the insight, where that is an agent: it may read the operation. */
  agent: string | null;
}

/**
 * The open run of an insight's follow-up, or else a new one, pending until its workflow looks. The caller holds the
 * insight.
 * @returns its operation
 */
export async function openFollowUpRun(
  tx: Tx,
  { insightId, cardId, agent }: FollowUpRun,
  now: Date,
): Promise<string> {
  const workflowId = insightWorkflowId(tx.workspace, insightId);
  const open = await openRun(tx, workflowId);
  if (open !== null) return open;
  const id = newId('op', now);
  await tx.query(
    `INSERT INTO runs (workspace_id, id, type, state, result, agent_id, workflow_id, created_at)
     VALUES ($1, $2, 'insight', 'pending', $3, $4, $5, $6)`,
    [
      tx.workspace,
      id,
      JSON.stringify({ insight_id: insightId, card_id: cardId }),
      agent,
      workflowId,
      now,
    ],
  );
  return id;
}

async function openRun(tx: Tx, workflowId: string): Promise<string | null> {
  const [open] = await tx.query<{ id: string }>(
    `SELECT r.id FROM runs r
      WHERE r.workspace_id = $1 AND r.workflow_id = $2 AND r.type = 'insight' AND r.state IN ('pending', 'running')
      ORDER BY r.created_at DESC, r.id DESC
      LIMIT 1`,
    [tx.workspace, workflowId],
  );
  return open?.id ?? null;
}

/** Tells a follow-up that something has changed, once this is committed; where none waits there is nobody to tell. */
export async function tellFollowUp(
  tx: Tx,
  insightId: string,
  now: Date,
  dueAt = now,
): Promise<void> {
  const workflowId = insightWorkflowId(tx.workspace, insightId);
  const operationId = await openRun(tx, workflowId);
  if (operationId === null) return;
  const ids = { workspace: tx.workspace, insight_id: insightId, operation_id: operationId };
  await tx.query(
    `INSERT INTO outbox (workspace_id, action, workflow_id, arguments, next_at, created_at)
     VALUES ($1, 'start_insight', $2, $3, $4, $5)`,
    [tx.workspace, workflowId, JSON.stringify(ids), dueAt, now],
  );
}

export interface FollowUpLook {
  insightId: string;
  workflowId: string;
  runId: string;
  at: Date;
}

/** Its run goes on under this workflow; what was taken, as it stands. Of an insight that was erased there is nothing. */
export async function lookAtFollowUp(tx: Tx, look: FollowUpLook): Promise<FollowUpState> {
  await tx.query(
    `UPDATE runs SET state = 'running', run_id = $3, started_at = COALESCE(started_at, $4)
      WHERE workspace_id = $1 AND workflow_id = $2 AND type = 'insight' AND state IN ('pending', 'running')`,
    [tx.workspace, look.workflowId, look.runId, look.at],
  );
  return await standingOf(tx, look.insightId);
}

/** What was taken of an insight, as it stands. */
export async function standingOf(tx: Tx, insightId: string): Promise<FollowUpState> {
  const insight = await holdInsight(tx, insightId);
  if (insight === null) return { card_id: null, actions: [] };
  return { card_id: insight.card_id, actions: followedOf(await actionsOf(tx, insightId)) };
}

/**
 * Writes the record of a follow-up for which nothing waits any more. Said again it changes nothing.
 * @returns false where an action was taken meanwhile: then it goes on
 */
export async function endFollowUp(
  tx: Tx,
  { insightId, workflowId, at }: Omit<FollowUpLook, 'runId'>,
  result: InsightResult,
): Promise<boolean> {
  const insight = await holdInsight(tx, insightId);
  const actions = insight === null ? [] : await actionsOf(tx, insight.id);
  if (actions.some(({ status }) => status === 'taken')) return false;
  await tx.query(
    `UPDATE runs SET state = 'completed', counts = $3, result = $4, finished_at = $5
      WHERE workspace_id = $1 AND workflow_id = $2 AND type = 'insight' AND state IN ('pending', 'running')`,
    [tx.workspace, workflowId, JSON.stringify(countsOf(result)), JSON.stringify(result), at],
  );
  return true;
}

function countsOf({ actions }: InsightResult): Record<string, number> {
  const count = (holds: (one: InsightResult['actions'][number]) => boolean) =>
    actions.filter(holds).length;
  return {
    taken: actions.length,
    improved: count(({ result }) => result === 'improved'),
    unchanged: count(({ result }) => result === 'unchanged'),
    worse: count(({ result }) => result === 'worse'),
    unmeasured: count(({ status }) => status === 'unmeasured'),
    cancelled: count(({ status }) => status === 'cancelled'),
  };
}
