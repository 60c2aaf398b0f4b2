import type { ActionEvidence, ActionPriority, OutcomeResult } from '../../contracts/insight';
import { changeInWords } from './change';

/** Contract "Insights": above it an action is of high priority, with its evidence. */
export const HIGH_ABOVE = 1.5;
/** Contract "Insights": below it of low priority, with a caution. */
export const LOW_BELOW = 0.75;

/** What taking the action once came to. */
export interface PastOutcome {
  result: OutcomeResult;
  /** Relative change of `metric`; null where it was only reported. */
  size: number | null;
  metric: string | null;
  /** RFC 3339. */
  at: string;
}

/** What the past says about one action. */
export interface ActionJudgement {
  priority: ActionPriority;
  boost: number;
  rationale: string;
  caution?: string;
  evidence: ActionEvidence;
}

export function evidenceOf(outcomes: readonly Pick<PastOutcome, 'result'>[]): ActionEvidence {
  const count = (result: OutcomeResult) => outcomes.filter((one) => one.result === result).length;
  return {
    outcomes: outcomes.length,
    improved: count('improved'),
    unchanged: count('unchanged'),
    worse: count('worse'),
  };
}

/**
 * 1 + (improved − worse) / (outcomes + 1): 1 without evidence, between 0 and 2, and nearer to 1 the less is known
 * (contract "Insights"; docs/insights.md has a worked table).
 */
export function boostOf(evidence: ActionEvidence): number {
  return 1 + (evidence.improved - evidence.worse) / (evidence.outcomes + 1);
}

export function priorityOf(boost: number): ActionPriority {
  if (boost > HIGH_ABOVE) return 'high';
  return boost < LOW_BELOW ? 'low' : 'normal';
}

/** Boost, priority and why, of what came of an action; the order of the outcomes does not matter. */
export function judgedAction(outcomes: readonly PastOutcome[]): ActionJudgement {
  const evidence = evidenceOf(outcomes);
  const boost = boostOf(evidence);
  const priority = priorityOf(boost);
  const rationale = rationaleOf(evidence, outcomes);
  if (priority !== 'low') return { priority, boost, rationale, evidence };
  return { priority, boost, rationale, caution: cautionOf(evidence, outcomes), evidence };
}

function rationaleOf(evidence: ActionEvidence, outcomes: readonly PastOutcome[]): string {
  if (evidence.outcomes === 0) return 'No outcome of this action is known yet.';
  const { improved, unchanged, worse } = evidence;
  const leading =
    improved >= worse && improved > 0
      ? `Improved ${times(improved, evidence.outcomes)}`
      : worse > 0
        ? `Made it worse ${times(worse, evidence.outcomes)}`
        : `Changed nothing ${times(unchanged, evidence.outcomes)}`;
  const rest = [
    leading.startsWith('Improved') || improved === 0 ? '' : `improved ${improved}`,
    leading.startsWith('Made') || worse === 0 ? '' : `worse ${worse}`,
    leading.startsWith('Changed') || unchanged === 0 ? '' : `unchanged ${unchanged}`,
  ].filter((part) => part !== '');
  return `${[leading, ...rest].join(', ')}${lastInWords(newest(outcomes))}.`;
}

function cautionOf(evidence: ActionEvidence, outcomes: readonly PastOutcome[]): string {
  const last = newest(outcomes.filter(({ result }) => result === 'worse'));
  return `It made things worse ${times(evidence.worse, evidence.outcomes)}${lastInWords(last)}.`;
}

function times(some: number, all: number): string {
  return all === 1 ? 'the one time it was taken' : `${some} of ${all} times`;
}

function lastInWords(last: PastOutcome | undefined): string {
  if (last === undefined || last.size === null || last.metric === null) return '';
  return `, last ${changeInWords(last.size)} ${last.metric}`;
}

/** The latest; of the same moment always the same one. */
function newest(outcomes: readonly PastOutcome[]): PastOutcome | undefined {
  return [...outcomes].sort(
    (a, b) =>
      Date.parse(b.at) - Date.parse(a.at) ||
      (a.metric ?? '').localeCompare(b.metric ?? '', 'en') ||
      (a.size ?? 0) - (b.size ?? 0),
  )[0];
}
