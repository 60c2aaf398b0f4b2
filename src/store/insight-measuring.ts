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
  channel: 'api' | 'temporal' | 'workflow';
  at: Date;
  workflowId: string;
  runId: string;
}

/**
 * The window of an action is over: looks at its numbers, once. What has ended meanwhile, is measured later by now, or
 * is gone, stays as it is.
 */
export async function measureDue(
  tx: Tx,
  measurement: Omit<Measurement, 'by' | 'channel'>,
): Promise<void> {
  const { insightId, actionId, at } = measurement;
  const insight = await holdInsight(tx, insightId);
  const action = await actionOf(tx, insight, actionId);
  if (insight === null || action === null) return;
  const isDue = action.measure_at !== null && new Date(action.measure_at) <= at;
  if (action.status !== 'taken' || !isDue) return;
  await measure(tx, insight, action, { ...measurement, by: null, channel: 'workflow' });
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
  const { by, at, channel, workflowId, runId } = measurement;
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
    ...(metric.isAgentsWord
      ? { by: ownerOf(insight), voice: 'agent' }
      : { by: actor, voice: 'numbers' }),
  };
  const write = { workflowId, runId, channel, reasonId: null, now: at };
  await recordOutcome(tx, { insight, action, card }, outcome, write);
  return { ...answerOf(action), status: 'measured', result, code: null };
}

/** Whose word it is where its number or its goal is what an agent says. */
function ownerOf({ owner_kind: kind, owner_id: id }: InsightRow): { kind: string; id: string } {
  return { kind, id };
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
  const before = await latestPushed(tx, baseline, new Date(taken_at));
  // Of one that was saved without a unit, what comes after has that of what stood before.
  const compared = baseline.map(({ name, unit }, at) => ({
    name,
    unit: unit ?? before[at]?.unit ?? null,
  }));
  const after = await latestPushed(tx, compared, until);
  return judgeOutcome({
    baseline,
    pushed: [...before, ...after].filter((one) => one !== null),
    taken_at,
    measure_at: until.toISOString(),
    min_change: insights.min_change,
  });
}

async function unmeasured(
  tx: Tx,
  insight: InsightRow,
  action: ActionRow,
  { by, at, channel, workflowId }: Measurement,
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
    channel,
    workflowId,
  });
  return { ...answerOf(action), status: 'unmeasured', result: null, code };
}
