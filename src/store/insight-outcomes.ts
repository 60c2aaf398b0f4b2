import type { MetricSnapshot, OutcomeResult } from '../contracts/insight';
import type { Episode } from '../domain/consolidation/episode';
import type { MeasuredMetric } from '../domain/insights/outcome';
import { writeAudit } from './audit';
import { keepReason } from './card-edits';
import { holdInsightCard, type OutcomeVoice, writeOutcomeCard } from './card-writes-outcome';
import type { Tx } from './database';
import { newId } from './ids';
import { tellFollowUp } from './insight-follow-up-runs';
import { type ActionRow, actionsOf } from './insight-follow-ups';
import { holdInsight, type InsightRow } from './insights';
import { insertInsightSnapshots } from './metric-snapshots';

/** What came of an action: of each one outcome, by numbers or by somebody's report. */

export interface NewOutcome {
  result: OutcomeResult;
  size: number | null;
  /** What decided it; null where it was only reported. */
  metric: MeasuredMetric | null;
  /** When it was so: the end of the window, or the moment of the report. */
  at: Date;
  by: { kind: string; id: string };
  voice: OutcomeVoice;
}

/** Of a relative change: 0.9 − 1 is −0.1, not −0.09999999999999998. */
const SIZE_DECIMALS = 6;

/** Where it is written from. */
export interface OutcomeWrite {
  workflowId: string | null;
  runId: string | null;
  channel: string;
  /** Of `reasons`. */
  reasonId: string | null;
  now: Date;
}

/**
 * Writes an outcome, its card, and what it means for the insight's, in the caller's transaction, which holds the
 * insight and has seen that the action has none.
 */
export async function recordOutcome(
  tx: Tx,
  { insight, action, card }: { insight: InsightRow; action: ActionRow; card: Episode },
  outcome: NewOutcome,
  write: OutcomeWrite,
): Promise<{ cardId: string | null }> {
  const { result, metric, at, by, voice } = outcome;
  const { now, reasonId, ...from } = write;
  const size = outcome.size === null ? null : Number(outcome.size.toFixed(SIZE_DECIMALS)) + 0;
  const takenAt = action.taken_at ?? at.toISOString();
  const cardId = await writeOutcomeCard(tx, card, {
    title: insight.title,
    hash: action.hash,
    told: {
      action: (await isBlocked(tx, action.hash)) ? null : action.text,
      ...{ result, size, taken_at: takenAt, at: at.toISOString() },
      metric: metric === null ? null : numbersOf(metric),
    },
    ...{ voice, now, ...from },
  });
  await tx.query(
    `WITH ended AS (
       UPDATE insight_actions
          SET status = 'measured', ended_at = $4, ended_code = NULL, taken_at = COALESCE(taken_at, $4),
              taken_kind = COALESCE(taken_kind, $5), taken_by = COALESCE(taken_by, $6),
              measure_at = COALESCE(measure_at, $4)
        WHERE workspace_id = $1 AND insight_id = $2 AND id = $3
     )
     INSERT INTO action_outcomes (workspace_id, insight_id, action_id, hash, result, size, metric, baseline, value,
                                  unit, at, channel, by_kind, by_id, card_id)
     VALUES ($1, $2, $3, $7, $8, $9, $10, $11, $12, $13, $14, $15, $5, $6, $16)`,
    [
      tx.workspace,
      insight.id,
      action.id,
      now,
      by.kind,
      by.id,
      action.hash,
      result,
      size,
      metric?.name ?? null,
      metric?.before.value ?? null,
      metric?.after.value ?? null,
      metric?.unit ?? null,
      at,
      voice === 'numbers' ? 'measured' : 'reported',
      cardId,
    ],
  );
  await writeAudit(tx, {
    at: now,
    actor: by,
    action: voice === 'numbers' ? 'insight.measured' : 'insight.reported',
    target: { type: 'insight', id: insight.id },
    changed: [result],
    hashes: { action: action.id, ...(cardId === null ? {} : { card: cardId }) },
    reasonId,
    channel: write.channel,
    workflowId: write.workflowId,
  });
  return { cardId };
}

/** Held until the transaction ends: a block that comes meanwhile finds the card. */
async function isBlocked(tx: Tx, hash: string): Promise<boolean> {
  const [row] = await tx.query<{ blocked: boolean }>(
    `SELECT blocked_at IS NOT NULL AS blocked FROM actions WHERE workspace_id = $1 AND hash = $2 FOR SHARE`,
    [tx.workspace, hash],
  );
  return row?.blocked ?? true;
}

function numbersOf({ name, unit, before, after }: MeasuredMetric) {
  return { name, unit, before: before.value, after: after.value };
}

/** Keeps where the metrics stand beside the insight, seen with its card alone. */
export async function keepMeasured(
  tx: Tx,
  insightId: string,
  metrics: readonly MeasuredMetric[],
  at: Date,
): Promise<void> {
  const snapshots = metrics.map(({ after, goal }): MetricSnapshot => ({ ...after, goal }));
  const source = { kind: 'system', id: 'cairn' };
  await insertInsightSnapshots(tx, { insightId, role: 'outcome', snapshots, source, at });
}

export interface OutcomeReport {
  insightId: string;
  actionId: string;
  result: OutcomeResult;
  size: number | null;
  /** Redacted. */
  note: string | null;
  /** A runtime only where it names no agent. */
  by: { kind: string; id: string };
  channel: string;
  now: Date;
}

export type Reported =
  | 'reported'
  /** There is no such insight or action. */
  | 'no_action'
  /** It has an outcome, or its follow-up was cancelled. */
  | 'already_ended'
  /** Nobody rests on the insight any more. */
  | 'insight_gone';

/**
 * Somebody says what came of an action, whether or not it was waited for: an action that was recommended only is taken
 * then. Its follow-up hears of it. Rights are the caller's to look at.
 */
export async function reportOutcome(tx: Tx, report: OutcomeReport): Promise<Reported> {
  const { insightId, actionId, result, size, note, by, channel, now } = report;
  const insight = await holdInsight(tx, insightId);
  if (insight === null) return 'no_action';
  const action = (await actionsOf(tx, insightId)).find(({ id }) => id === actionId);
  if (action === undefined) return 'no_action';
  if (action.status === 'measured' || action.status === 'cancelled') return 'already_ended';
  const card = await holdInsightCard(tx, insight.card_id, now);
  if (card === null) return 'insight_gone';
  const reasonId = note === null ? null : newId('reason', now);
  if (reasonId !== null && note !== null) await keepReason(tx, reasonId, note, now);
  const outcome: NewOutcome = { result, size, metric: null, at: now, by, voice: voiceOf(by) };
  const write = { workflowId: null, runId: null, channel, reasonId, now };
  await recordOutcome(tx, { insight, action, card }, outcome, write);
  await tellFollowUp(tx, insightId, now);
  return 'reported';
}

function voiceOf({ kind }: { kind: string }): OutcomeVoice {
  return kind === 'person' || kind === 'runtime' ? kind : 'agent';
}
