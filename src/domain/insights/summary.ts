import type { Severity } from '../../contracts/insight';

/** What an insight's card says: what it is called, and what was found. Its actions are no part of it. */
export function insightSummary(title: string, finding: string): string {
  const named = title.trim();
  return `${ENDED.test(named) ? named : `${named}.`} ${finding.trim()}`;
}

const ENDED = /[.!?…:]$/u;

/** Of the card, 1–10. */
export const IMPORTANCE_OF_SEVERITY: Readonly<Record<Severity, number>> = {
  low: 4,
  medium: 6,
  high: 8,
  critical: 10,
};
