import { confidenceNow } from './confidence';

/** One finished piece of work of an agent at a task type; `worked` is the outcome. */
export interface CompetenceObservation {
  worked: boolean;
  cost: number | null;
  duration_ms: number | null;
  /** RFC 3339. */
  at: string;
}

/** The figures of contract "Competence"; means are over the observations that had a figure. */
export interface CompetenceFigures {
  attempts: number;
  completed: number;
  /** 0–1; 0 without attempts. */
  completion_rate: number;
  /** Wilson, 95 %. */
  lower_bound: number;
  cost_total: number;
  cost_mean: number | null;
  duration_ms_mean: number | null;
  last_at: string | null;
}

/** Two-sided 95 % of the normal distribution. */
export const WILSON_Z_95 = 1.959963984540054;

/**
 * Lower bound of the Wilson score interval for `completed` of `attempts`, 0–1, 0 without attempts.
 * It ranks agents by evidence: 1 of 1 (0.21) stands below 9 of 10 (0.60). Wilson, J. Am. Stat.
 * Assoc. 22 (1927) 209–212; contract "Competence" names it.
 */
export function wilsonLowerBound(completed: number, attempts: number, z = WILSON_Z_95): number {
  if (attempts <= 0) return 0;
  const rate = Math.min(1, Math.max(0, completed / attempts));
  const z2 = z * z;
  const centre = rate + z2 / (2 * attempts);
  const spread = z * Math.sqrt((rate * (1 - rate)) / attempts + z2 / (4 * attempts * attempts));
  return Math.min(rate, Math.max(0, (centre - spread) / (1 + z2 / attempts)));
}

/** Least confidence of a competence card: one that says that nothing was completed is still found. */
const LEAST_CONFIDENCE = 0.05;

/** Of the card that says it: the lower bound, so that one task of one counts for less than nine of ten. */
export function confidenceOf(figures: Pick<CompetenceFigures, 'lower_bound'>): number {
  return Math.max(LEAST_CONFIDENCE, Math.round(figures.lower_bound * 10_000) / 10_000);
}

/** What a bound of then counts for now, by whole days since. */
export function confidenceAsOf(bound: number, lastAt: string, now: Date): number {
  const days = Math.floor((now.getTime() - Date.parse(lastAt)) / 86_400_000);
  return confidenceNow(bound, days);
}

/** Sums up a track record; the order of the observations does not matter. */
export function competenceOf(observations: readonly CompetenceObservation[]): CompetenceFigures {
  const attempts = observations.length;
  const completed = observations.filter((one) => one.worked).length;
  const costs = numbers(observations.map((one) => one.cost));
  const durations = numbers(observations.map((one) => one.duration_ms));
  const latest = observations.reduce<string | null>(
    (last, one) => (last === null || Date.parse(one.at) > Date.parse(last) ? one.at : last),
    null,
  );
  return {
    attempts,
    completed,
    completion_rate: attempts === 0 ? 0 : completed / attempts,
    lower_bound: wilsonLowerBound(completed, attempts),
    cost_total: sum(costs),
    cost_mean: mean(costs),
    duration_ms_mean: mean(durations),
    last_at: latest,
  };
}

/** "3 of 4 airline_chat tasks completed (lower bound 0.30), 1.20 each on average": the card's text. */
export function competenceSummary(
  agent: string,
  taskType: string,
  figures: Pick<
    CompetenceFigures,
    'attempts' | 'completed' | 'lower_bound' | 'cost_mean' | 'duration_ms_mean'
  >,
): string {
  const parts = [
    `${agent} completed ${figures.completed} of ${figures.attempts} ${taskType} tasks ` +
      `(at least ${Math.round(figures.lower_bound * 100)} % at 95 % confidence).`,
  ];
  const cost = figures.cost_mean === null ? null : `a cost of ${round2(figures.cost_mean)}`;
  const time =
    figures.duration_ms_mean === null ? null : `${round2(figures.duration_ms_mean / 1000)} s`;
  const averages = [cost, time].filter((part) => part !== null);
  if (averages.length > 0) parts.push(`On average it took ${averages.join(' and ')}.`);
  return parts.join(' ');
}

/** Sorted before summing: floating-point addition depends on order, the figures must not. */
function sum(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b).reduce((total, value) => total + value, 0);
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : sum(values) / values.length;
}

function numbers(values: readonly (number | null)[]): number[] {
  return values.filter((value): value is number => value !== null && Number.isFinite(value));
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
