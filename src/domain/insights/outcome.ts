import type {
  MetricGoal,
  MetricSnapshot,
  OutcomeResult,
  UnmeasuredCode,
} from '../../contracts/insight';
import { relativeChange } from './change';
import { goalOf } from './goal';

/** A number of the insight; one that an agent brought is that agent's word, for it may push none. */
type Own = MetricSnapshot & { is_agents?: boolean };

/** What an action is measured by. Times are RFC 3339. */
export interface Measuring {
  /** Of the insight, in the order they were given: the first with a goal and a later number decides. */
  baseline: readonly Own[];
  /** Pushed numbers of these metrics, in any order; others are ignored. */
  pushed: readonly MetricSnapshot[];
  taken_at: string;
  /** Numbers of after this are not looked at. */
  measure_at: string;
  /** Relative change below which it is none (policy `insights.min_change`). */
  min_change: number;
}

/** One metric before and after. */
export interface MeasuredMetric {
  name: string;
  unit: string | null;
  goal: MetricGoal | null;
  /** Where it stood when the action was taken. */
  before: MetricSnapshot;
  after: MetricSnapshot;
  /** Relative; null where it stood at 0. */
  size: number | null;
  /** Where it stood, or what is better, rests on what an agent says alone. */
  isAgentsWord: boolean;
}

export type Measured =
  | {
      ended: 'measured';
      result: OutcomeResult;
      /** The one that decides. */
      metric: MeasuredMetric;
      /** All that have a later number, that one included. */
      metrics: MeasuredMetric[];
    }
  | {
      ended: 'unmeasured';
      code: Extract<UnmeasuredCode, 'no_baseline' | 'no_measurement' | 'no_goal'>;
      metrics: MeasuredMetric[];
    };

/**
 * What came of an action. It stood at the newest number of when the action was taken: a pushed one, or the insight's
 * own, which where an agent brought it only counts without a pushed one; and stands at the newest one after it. A goal
 * is the insight's, or else that of the pushed numbers, or else what the name says. Numbers of another unit are not compared. What stood at 0 has no
 * relative change: then the number itself is held against `min_change`, and `size` is null.
 */
export function judgeOutcome(measuring: Measuring): Measured {
  const { baseline, min_change } = measuring;
  if (baseline.length === 0) return { ended: 'unmeasured', code: 'no_baseline', metrics: [] };
  const metrics = baseline.flatMap((one) => measuredMetric(one, measuring) ?? []);
  const deciding = metrics.find(({ goal }) => goal !== null);
  if (deciding === undefined || deciding.goal === null) {
    const isMissing = metrics.length === 0 || baseline.some((one) => goalOf(one) !== null);
    return { ended: 'unmeasured', code: isMissing ? 'no_measurement' : 'no_goal', metrics };
  }
  return {
    ended: 'measured',
    result: resultOf(deciding, deciding.goal, min_change),
    metric: deciding,
    metrics,
  };
}

/** How it went: by where it stood and stands, and whether more of it is better. */
export function resultOf(
  { before, after }: Pick<MeasuredMetric, 'before' | 'after'>,
  goal: MetricGoal,
  minChange: number,
): OutcomeResult {
  const change = relativeChange(before.value, after.value) ?? after.value;
  // What is exactly at the bound counts; 0.05 is not to be 0.0499999999 by how a float is held.
  if (change === 0 || Math.abs(change) < minChange - 1e-12) return 'unchanged';
  return change > 0 === (goal === 'up') ? 'improved' : 'worse';
}

function measuredMetric(own: Own, measuring: Measuring): MeasuredMetric | null {
  const taken = Date.parse(measuring.taken_at);
  const until = Date.parse(measuring.measure_at);
  const series = measuring.pushed.filter(
    (one) => one.name === own.name && isSameUnit(one, own) && Number.isFinite(one.value),
  );
  // One of the insight's own that was taken later than the action is all there is to hold against.
  const before =
    newest(
      [...series, ...(own.is_agents ? [] : [own])].filter(({ at }) => Date.parse(at) <= taken),
    ) ?? own;
  const since = Math.max(taken, Date.parse(before.at));
  const after = newest(
    series.filter(
      (one) => isSameUnit(one, before) && Date.parse(one.at) > since && Date.parse(one.at) <= until,
    ),
  );
  if (after === undefined || !Number.isFinite(own.value)) return null;
  const told = goalOf({ name: own.name, goal: after.goal ?? before.goal });
  const goal = own.goal ?? told;
  const size = relativeChange(before.value, after.value);
  const isAgentsWord = own.is_agents === true && (before === own || goal !== told);
  return {
    name: own.name,
    unit: own.unit ?? before.unit ?? after.unit,
    goal,
    before,
    after,
    size,
    isAgentsWord,
  };
}

function isSameUnit(one: MetricSnapshot, other: MetricSnapshot): boolean {
  return one.unit === null || other.unit === null || one.unit === other.unit;
}

/** The latest; of one moment the first given. */
function newest(snapshots: readonly MetricSnapshot[]): MetricSnapshot | undefined {
  return snapshots.reduce<MetricSnapshot | undefined>(
    (best, one) => (best === undefined || Date.parse(one.at) > Date.parse(best.at) ? one : best),
    undefined,
  );
}
