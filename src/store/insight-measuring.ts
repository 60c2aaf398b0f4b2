import type { FollowUpAnswer, UnmeasuredCode } from '../contracts/insight';
import { judgeOutcome, type Measured } from '../domain/insights/outcome';
import { writeAudit } from './audit';
import { FOLLOW_UP, holdInsightCard } from './card-writes-outcome';
import type { Tx } from './database';
import { type ActionRow, actionsOf } from './insight-follow-ups';
import { keepMeasured, type NewOutcome, recordOutcome } from './insight-outcomes';
import { holdInsight, type InsightRow } from './insights';
import { baselinesOf, latestPushed } from './metric-snapshots';
import { policyOf } from './settings';

/** One measuring of one action. */
export interface Measurement {
  insightId: string;
  actionId: string;
  /** Who asked; null where its window is over. */
  by: { kind: string; id: string } | null;
  at: Date;
  workflowId: string;
  runId: string;
}

/**
 * The window of an action is over: looks at its numbers, once. What has ended meanwhile, is measured later by now, or
 * is gone, stays as it is.
 */
export async function measureDue(tx: Tx, measurement: Omit<Measurement, 'by'>): Promise<void> {
  const { insightId, actionId, at } = measurement;
  const insight = await holdInsight(tx, insightId);
  const action = await actionOf(tx, insight, actionId);
  if (insight === null || action === null) return;
  const isDue = action.measure_at !== null && new Date(action.measure_at) <= at;
  if (action.status !== 'taken' || !isDue) return;
  await measure(tx, insight, action, { ...measurement, by: null });
}

export async function actionOf(
  tx: Tx,
  insight: InsightRow | null,
  actionId: string,
): Promise<ActionRow | null> {
  if (insight === null) return null;
  return (await actionsOf(tx, insight.id)).find(({ id }) => id === actionId) ?? null;
}

/** How an action stands. */
export function answerOf(action: ActionRow): FollowUpAnswer {
  const { id, status, result, measure_at, ended_code: code } = action;
  return { action_id: id, status, result, measure_at, code };
}

/**
 * Looks at the numbers of an action that waits, or that could not be measured: an outcome, or why there is none. The
 * caller holds the insight.
 */
export async function measure(
  tx: Tx,
  insight: InsightRow,
  action: ActionRow,
  measurement: Measurement,
): Promise<FollowUpAnswer> {
  const { by, at, workflowId, runId } = measurement;
  const card = await holdInsightCard(tx, insight.card_id, at);
  if (card === null) return await unmeasured(tx, insight, action, measurement, 'insight_gone');
  const until = untilOf(action, measurement);
  const measured = await judged(tx, insight, action, until);
  if (measured.ended === 'unmeasured') {
    return await unmeasured(tx, insight, action, measurement, measured.code);
  }
  const { result, metric, metrics } = measured;
  await keepMeasured(tx, insight.id, metrics, at);
  const actor = by ?? { kind: 'system', id: FOLLOW_UP };
  const outcome: NewOutcome = {
    ...{ result, size: metric.size, metric, at: until },
    ...{ by: actor, voice: 'numbers' },
  };
  const write = { workflowId, runId, channel: 'workflow', reasonId: null, now: at };
  await recordOutcome(tx, { insight, action, card }, outcome, write);
  return { ...answerOf(action), status: 'measured', result, code: null };
}

/** Asked for, what there is by now counts; else what there was when its window ended, however late that is heard of. */
function untilOf({ measure_at }: ActionRow, { by, at }: Measurement): Date {
  return by === null && measure_at !== null ? new Date(measure_at) : at;
}

async function judged(
  tx: Tx,
  insight: InsightRow,
  action: ActionRow,
  until: Date,
): Promise<Measured> {
  const { insights } = await policyOf(tx);
  const taken_at = action.taken_at ?? until.toISOString();
  const baseline = (await baselinesOf(tx, [insight.id])).get(insight.id) ?? [];
  const names = baseline.map(({ name }) => name);
  const before = await latestPushed(tx, names, new Date(taken_at));
  const after = await latestPushed(tx, names, until);
  return judgeOutcome({
    baseline,
    pushed: [...before.values(), ...after.values()],
    taken_at,
    measure_at: until.toISOString(),
    min_change: insights.min_change,
  });
}

async function unmeasured(
  tx: Tx,
  insight: InsightRow,
  action: ActionRow,
  { by, at, workflowId }: Measurement,
  code: UnmeasuredCode,
): Promise<FollowUpAnswer> {
  await tx.query(
    `UPDATE insight_actions SET status = 'unmeasured', ended_at = $4, ended_code = $5
      WHERE workspace_id = $1 AND insight_id = $2 AND id = $3`,
    [tx.workspace, insight.id, action.id, at, code],
  );
  await writeAudit(tx, {
    at,
    actor: by ?? { kind: 'system', id: FOLLOW_UP },
    action: 'insight.unmeasured',
    target: { type: 'insight', id: insight.id },
    changed: [code],
    hashes: { action: action.id },
    channel: 'workflow',
    workflowId,
  });
  return { ...answerOf(action), status: 'unmeasured', result: null, code };
}
