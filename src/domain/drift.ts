import type { Drift } from '../contracts/upkeep';

/** Days of each of the two spans that are compared. */
export const DRIFT_DAYS = 30;
/** Fewer than these in either span say nothing. */
export const DRIFT_LEAST = 10;
/** Of the share that worked; a smaller change is chance. */
export const DRIFT_BY = 0.3;

/** How one kind of work did in the two spans. */
export interface Outcomes extends Pick<Drift, 'service' | 'operation' | 'kind'> {
  before: { worked: number; n: number };
  now: { worked: number; n: number };
}

/** The work whose success has changed by more than `DRIFT_BY`, the most changed first. */
export function driftOf(outcomes: readonly Outcomes[]): Drift[] {
  const change = ({ before, now }: Drift) => Math.abs(now.share - before.share);
  return outcomes
    .filter(({ before, now }) => Math.min(before.n, now.n) >= DRIFT_LEAST)
    .map(({ before, now, ...work }) => ({ ...work, before: shareOf(before), now: shareOf(now) }))
    .filter((work) => change(work) > DRIFT_BY)
    .sort((a, b) => change(b) - change(a) || (nameOf(a) < nameOf(b) ? -1 : 1));
}

function shareOf({ worked, n }: { worked: number; n: number }): Drift['now'] {
  return { share: worked / n, n };
}

function nameOf({ service, operation, kind }: Drift): string {
  return JSON.stringify([service, operation, kind]);
}
