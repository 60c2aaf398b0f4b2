import type { MetricGoal, MetricSnapshot, OutcomeResult } from '../../contracts/insight';
import { goalOf } from './goal';

/**
 * Why a size that somebody reports cannot be that of this result; null where it can. A direction is known where all the
 * metrics that have one have the same.
 */
export function sizeRefusal(
  { result, size }: { result: OutcomeResult; size: number },
  baseline: readonly Pick<MetricSnapshot, 'name' | 'goal'>[],
  minChange: number,
): string | null {
  if (result === 'unchanged') {
    return Math.abs(size) < minChange
      ? null
      : `a change of ${minChange} or more is none that is unchanged`;
  }
  const goals = new Set<MetricGoal>(baseline.flatMap((one) => goalOf(one) ?? []));
  const [goal] = goals;
  if (size === 0 || goal === undefined || goals.size > 1) return null;
  const isBetter = size > 0 === (goal === 'up');
  if (isBetter === (result === 'improved')) return null;
  const wanted = goal === 'up' ? 'more' : 'less';
  return `its metric is better where there is ${wanted} of it, and this size says the contrary of the result`;
}
