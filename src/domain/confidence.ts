import type { PrincipalKind } from '../contracts/names';

/** Design §7: 1 % a day untouched, 0.1 for a proven use. Source: the analytics product's hygiene. */
export const CONFIDENCE_KEPT_PER_DAY = 0.99;
export const CONFIDENCE_PER_PROVEN_USE = 0.1;

/** Design §7: person 1, runtime 0.8, an agent's own report 0.6. */
export const INITIAL_CONFIDENCE: Readonly<Record<PrincipalKind, number>> = {
  person: 1,
  runtime: 0.8,
  agent: 0.6,
};

/** Design §7: facts drawn from conversations start here, whoever reported them. */
export const CONVERSATION_FACT_CONFIDENCE = 0.8;

export function initialConfidence(writer: PrincipalKind): number {
  return INITIAL_CONFIDENCE[writer];
}

/**
 * Confidence as it stands now, 0–1: the stored one, 1 % less for every whole day untouched. It is
 * computed at each read and never written back, so a pass cannot decay a card twice.
 */
export function confidenceNow(stored: number, daysUntouched: number): number {
  return clamp(stored) * CONFIDENCE_KEPT_PER_DAY ** Math.max(0, daysUntouched);
}

/** The stored confidence after one proven use, within [0, 1]. */
export function confidenceAfterProvenUse(stored: number): number {
  return clamp(clamp(stored) + CONFIDENCE_PER_PROVEN_USE);
}

/**
 * Whether recalibration proposes to archive a card: unused for at least `unusedDays` and its
 * confidence now below `below` (design §7: 90 days, 0.3; in `policy.recalibration`).
 */
export function isArchivable(
  card: { daysUnused: number; confidenceNow: number },
  rule: { unusedDays: number; below: number },
): boolean {
  return card.daysUnused >= rule.unusedDays && card.confidenceNow < rule.below;
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
