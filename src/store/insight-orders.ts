import {
  CANCEL_FOLLOW_UP,
  EXTEND,
  type FollowUpAnswer,
  type FollowUpRefusal,
  type FollowUpRequest,
  MEASURE_NOW,
} from '../contracts/insight';
import type { FollowUpOrder } from '../contracts/insight-messages';
import { followUpIn, followUpRefusal } from '../domain/insights/follow-up';
import { writeAudit } from './audit';
import type { Tx } from './database';
import type { ActionRow } from './insight-follow-ups';
import { actionOf, answerOf, measure } from './insight-measuring';
import { mayFollowUp } from './insight-rights';
import { holdInsight, type InsightRow } from './insights';
import { policyOf } from './settings';

/** Through which door it came; whoever writes straight to Temporal may say that they are anybody. */
export type OrderChannel = 'api' | 'temporal';

/** What somebody asks of a follow-up, by its route or straight in Temporal. */
export interface OrderToTake {
  insightId: string;
  order: FollowUpOrder;
  request: FollowUpRequest;
  channel: OrderChannel;
  at: Date;
  workflowId: string;
  runId: string;
}

/**
 * Measures now, later or never, in one transaction: who asks is looked at again, and so is the action. Done again it
 * answers with what there is, and what is refused changes nothing.
 */
export async function takeOrder(tx: Tx, heard: OrderToTake): Promise<FollowUpAnswer> {
  const { insightId, order, at } = heard;
  const request = followUpIn(order, heard.request);
  if (request === null) return refusedOf(heard.request?.action_id ?? '', null, 'malformed');
  const insight = await holdInsight(tx, insightId);
  const action = await actionOf(tx, insight, request.action_id);
  if (insight === null || action === null) return refusedOf(request.action_id, null, 'no_action');
  const taking = { ...heard, request };
  if (heard.channel === 'temporal' && !(await policyOf(tx)).proposals.direct_decisions) {
    return await refused(tx, action, taking, 'direct_decisions_off');
  }
  if (!(await mayFollowUp(tx, insight, request.by, at))) {
    return await refused(tx, action, taking, 'not_allowed');
  }
  const refusal = followUpRefusal(order, action, request);
  if (refusal !== null) return refusedOf(action.id, action, refusal);
  switch (order) {
    case MEASURE_NOW: {
      if (action.status === 'measured') return answerOf(action);
      const { by } = request;
      return await measure(tx, insight, action, { ...taking, actionId: action.id, by });
    }
    case EXTEND:
      return await extend(tx, insight, action, taking);
    case CANCEL_FOLLOW_UP:
      return await cancel(tx, insight, action, taking);
    default:
      return order satisfies never;
  }
}

async function extend(
  tx: Tx,
  insight: InsightRow,
  action: ActionRow,
  taking: OrderToTake,
): Promise<FollowUpAnswer> {
  const until = new Date(taking.request.until ?? '');
  if (action.measure_at !== null && until.getTime() === Date.parse(action.measure_at)) {
    return answerOf(action);
  }
  await tx.query(
    `UPDATE insight_actions SET measure_at = $4 WHERE workspace_id = $1 AND insight_id = $2 AND id = $3`,
    [tx.workspace, insight.id, action.id, until],
  );
  await audit(tx, action, taking, { action: 'insight.extended', changed: ['measure_at'] });
  return { ...answerOf(action), measure_at: until.toISOString() };
}

async function cancel(
  tx: Tx,
  insight: InsightRow,
  action: ActionRow,
  taking: OrderToTake,
): Promise<FollowUpAnswer> {
  if (action.status === 'cancelled') return answerOf(action);
  await tx.query(
    `UPDATE insight_actions SET status = 'cancelled', ended_at = $4, ended_code = 'cancelled'
      WHERE workspace_id = $1 AND insight_id = $2 AND id = $3`,
    [tx.workspace, insight.id, action.id, taking.at],
  );
  await audit(tx, action, taking, { action: 'insight.cancelled', changed: ['status'] });
  return { ...answerOf(action), status: 'cancelled', code: 'cancelled' };
}

/** Changes nothing, and is on record: somebody asked who may not. */
async function refused(
  tx: Tx,
  action: ActionRow,
  taking: OrderToTake,
  refusal: FollowUpRefusal,
): Promise<FollowUpAnswer> {
  await audit(tx, action, taking, { action: 'insight.refused', changed: [taking.order, refusal] });
  return refusedOf(action.id, action, refusal);
}

function refusedOf(
  actionId: string,
  action: ActionRow | null,
  code: FollowUpRefusal,
): FollowUpAnswer {
  if (action !== null) return { ...answerOf(action), code };
  return { action_id: actionId, status: null, result: null, measure_at: null, code };
}

async function audit(
  tx: Tx,
  action: ActionRow,
  { insightId, request, at, channel, workflowId }: OrderToTake,
  entry: { action: string; changed: string[] },
): Promise<void> {
  await writeAudit(tx, {
    ...entry,
    at,
    actor: request.by,
    target: { type: 'insight', id: insightId },
    hashes: { action: action.id },
    reasonId: await keptReason(tx, request.reason_id),
    channel,
    workflowId,
  });
}

/** One that nobody kept is none: whoever writes to the workflow by hand may name any. */
async function keptReason(tx: Tx, id: string | undefined): Promise<string | null> {
  if (id === undefined) return null;
  const [kept] = await tx.query<{ id: string }>(
    'SELECT id FROM reasons WHERE workspace_id = $1 AND id = $2',
    [tx.workspace, id],
  );
  return kept?.id ?? null;
}
