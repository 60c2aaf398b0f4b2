import type {
  MetricGoal,
  MetricSnapshot,
  OutcomeResult,
  UnmeasuredCode,
} from '../../contracts/insight';
import { relativeChange } from './change';
import { goalOf } from './goal';

/** What an action is measured by. Times are RFC 3339. */
export interface Measuring {
  /** Of the insight, in the order they were given: the first with a goal and a later number decides. */
  baseline: readonly MetricSnapshot[];
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
 * own; and stands at the newest one after it. Numbers of another unit are not compared. What stood at 0 has no
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

function measuredMetric(own: MetricSnapshot, measuring: Measuring): MeasuredMetric | null {
  const taken = Date.parse(measuring.taken_at);
  const until = Date.parse(measuring.measure_at);
  const series = measuring.pushed.filter(
    (one) => one.name === own.name && isSameUnit(one, own) && Number.isFinite(one.value),
  );
  // One of the insight's own that was taken later than the action is all there is to hold against.
  const before = newest([own, ...series].filter(({ at }) => Date.parse(at) <= taken)) ?? own;
  const since = Math.max(taken, Date.parse(before.at));
  const after = newest(
    series.filter(({ at }) => Date.parse(at) > since && Date.parse(at) <= until),
  );
  if (after === undefined || !Number.isFinite(own.value)) return null;
  const goal = goalOf({ name: own.name, goal: own.goal ?? after.goal });
  const size = relativeChange(before.value, after.value);
  return { name: own.name, unit: own.unit ?? after.unit, goal, before, after, size };
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
