import { type CardStatus, RECALLED_STATUSES } from '../contracts/names';
import { CONFIDENCE_DECIMALS, confidenceAfterProvenUse } from '../domain/confidence';
import type { Episode } from '../domain/consolidation/episode';
import { looksLikeInstruction } from '../domain/distill/instruction-like';
import { durationMs } from '../domain/durations';
import { CARD_OF_RESULT, outcomeSummary, type ToldOutcome } from '../domain/insights/outcome-card';
import { TRUST_RANK } from '../domain/policy';
import { writeAudit } from './audit';
import { type ChangedColumns, changeCard, queueLateVectors } from './card-edits';
import { insertCard } from './card-writes';
import { openContradictions } from './card-writes-contradicted';
import { holdSources, readSources } from './card-writes-episodes';
import { cardOfSources } from './card-writes-of-sources';
import { outcomeEdges } from './card-writes-outcome-edges';
import type { Tx } from './database';
import { readSettings } from './settings';
import { shareAsSources } from './shared-by-all';
import { subjectsSwitchedOff } from './subjects';

/** The follow-up, as audit, history and provenance name it. */
export const FOLLOW_UP = 'follow_up';

/** Whose word an outcome is: that of the numbers, or somebody's report. */
export type OutcomeVoice = 'numbers' | 'person' | 'runtime' | 'agent';

/**
 * What such a word is worth to the card of the insight, as of any card (`weightOf`): numbers, which agents cannot
 * push, and a person make it surer and validate it. Whoever looks after the insight reports on its own card, and only
 * a person does that for others; that it went wrong may be said by all.
 */
const WEIGHTS: Readonly<
  Record<OutcomeVoice, { validates: boolean; confidence: number; status: CardStatus }>
> = {
  numbers: { validates: true, confidence: 0.8, status: 'active' },
  person: { validates: true, confidence: 1, status: 'active' },
  runtime: { validates: false, confidence: 0.8, status: 'active' },
  agent: { validates: false, confidence: 0.6, status: 'pending' },
};

/** Taken away by an outcome that is worse; as much as a good one gives. */
const LESS_SURE = 0.1;

export interface OutcomeCard {
  /** The insight's title; null where its card says it otherwise by now. */
  title: string | null;
  hash: string;
  told: Omit<ToldOutcome, 'found'>;
  voice: OutcomeVoice;
  /** Of the follow-up's workflow; null where the API writes it. */
  workflowId: string | null;
  runId: string | null;
  channel: string;
  now: Date;
}

/**
 * The card of an insight, held until the transaction ends.
 * @returns null where it is deleted, erased, held back, superseded or archived: nobody rests on it any more
 */
export async function holdInsightCard(tx: Tx, id: string, now: Date): Promise<Episode | null> {
  await holdSources(tx, [id]);
  const settings = await readSettings(tx);
  if (settings === null) return null;
  const tieMs = durationMs(settings.policy.resolve.tie);
  const card = (await readSources(tx, [id], { now, tieMs })).get(id);
  const isLive = card !== undefined && RECALLED_STATUSES.some((status) => status === card.status);
  const isOver = card?.expires_at != null && new Date(card.expires_at) <= now;
  return isLive && !isOver ? card : null;
}

/**
 * Tells an outcome where the insight stands: a card with no reader whom the insight's has not, its edges, and what it
 * means for the insight's card, which is validated or less sure from now on.
 * @param insight held by the caller
 * @returns the card; null where nothing may be remembered any more, about its subject or at all
 */
export async function writeOutcomeCard(
  tx: Tx,
  insight: Episode,
  outcome: OutcomeCard,
): Promise<string | null> {
  const { now, voice, told } = outcome;
  await judgeInsight(tx, insight, outcome);
  if (!(await mayRemember(tx, insight))) return null;
  const summary = outcomeSummary({ ...told, found: outcome.title ?? insight.summary });
  const isFlagged = insight.flags.length > 0 || looksLikeInstruction(summary, 'told');
  const made = await cardOfSources(tx, [insight], {
    ...CARD_OF_RESULT[told.result],
    summary,
    topic: insight.topic,
    confidence: confidenceOf(insight, voice),
    flags: isFlagged ? ['instruction_like'] : [],
    pass: FOLLOW_UP,
    words: { model: null, prompt_version: null, distilled_by: 'fallback' },
    workflowId: outcome.workflowId,
    runId: outcome.runId,
    now,
  });
  const isUnconfirmed = made.status === 'pending' && !raises(outcome);
  const card = {
    ...made,
    status: isUnconfirmed ? made.status : WEIGHTS[voice].status,
    trust: voice === 'agent' && TRUST_RANK[made.trust] > TRUST_RANK.agent ? 'agent' : made.trust,
    validFrom: later(told.at, made.validFrom),
  } as const;
  const written = await insertCard(tx, card, null, await outcomeEdges(tx, insight, card, outcome));
  await openContradictions(tx, written, now);
  await shareAsSources(tx, card.id, [insight.id], now);
  await writeAudit(tx, {
    at: now,
    actor: { kind: 'system', id: FOLLOW_UP },
    action: 'card.created',
    target: { type: 'card', id: card.id },
    versions: [1],
    channel: outcome.channel,
    workflowId: outcome.workflowId,
  });
  await queueLateVectors(tx, now);
  return card.id;
}

function raises({ voice, told }: OutcomeCard): boolean {
  return told.result === 'improved' && WEIGHTS[voice].validates;
}

/** Numbers are at least as sure as what they speak against: within `resolve.tie` the surer side shows. */
function confidenceOf(insight: Episode, voice: OutcomeVoice): number {
  const own = WEIGHTS[voice].confidence;
  return voice === 'numbers' ? Math.max(own, insight.confidence) : own;
}

function later(one: string, other: string): string {
  return Date.parse(one) < Date.parse(other) ? other : one;
}

async function mayRemember(tx: Tx, { subject }: Episode): Promise<boolean> {
  const settings = await readSettings(tx);
  if (settings === null || settings.memoryMode === 'off') return false;
  return subject === null || (await subjectsSwitchedOff(tx, [subject])).size === 0;
}

async function judgeInsight(tx: Tx, insight: Episode, outcome: OutcomeCard): Promise<void> {
  const { told, now } = outcome;
  const isWorse = told.result === 'worse';
  if (!isWorse && !raises(outcome)) return;
  const columns: ChangedColumns = isWorse
    ? { confidence: lowered(insight.confidence) }
    : {
        status: 'validated',
        validated_at: now.toISOString(),
        confidence: confidenceAfterProvenUse(insight.confidence),
      };
  const action = isWorse ? 'contradicted' : 'validated';
  const actor = { kind: 'system', id: FOLLOW_UP };
  const { id, version: expected } = insight;
  const version = await changeCard(tx, { id, expected, columns, action, actor, at: now });
  if (version === null) throw new Error('a card whose row is held has moved on');
  await writeAudit(tx, {
    at: now,
    actor,
    action: `card.${action}`,
    target: { type: 'card', id },
    changed: isWorse ? ['confidence'] : ['status', 'confidence'],
    versions: [expected, version],
    channel: outcome.channel,
    workflowId: outcome.workflowId,
  });
}

function lowered(confidence: number): number {
  return Number(Math.max(0, confidence - LESS_SURE).toFixed(CONFIDENCE_DECIMALS));
}
