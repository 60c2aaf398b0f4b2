import { type Refusal, refusalsOf } from './refusals';
import { mayOutdate, type TrialCard, trialsByOperation } from './trial';

/**
 * Failures of one operation that state one and the same limit of one field, in whatever words: each older one with the
 * newest, which says all that it says. Those are near-identical, and one line is enough of them.
 */
export function limitsToldAgain(cards: readonly TrialCard[]): Map<string, string> {
  const newest = new Map<string, string>();
  for (const { trials } of trialsByOperation(cards)) {
    const limits = refusalsOf(trials).filter(({ limit }) => limit !== null);
    for (const older of limits) {
      const last = limits.findLast((one) => isSameLimit(one, older));
      if (last !== undefined) newest.set(older.failure.id, last.failure.id);
    }
  }
  return newest;
}

function isSameLimit(newer: Refusal, older: Refusal): boolean {
  return (
    newer.field === older.field &&
    newer.limit === older.limit &&
    mayOutdate(newer.failure, older.failure)
  );
}
