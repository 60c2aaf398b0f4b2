import type { PrincipalKind } from '../contracts/names';

/** Design §7: 1 % a day untouched, 0.1 for a proven use. Source: the analytics product's hygiene. */
export const CONFIDENCE_KEPT_PER_DAY = 0.99;
export const CONFIDENCE_PER_PROVEN_USE = 0.1;

/** Decimals of a stored confidence: 0.7 + 0.1 is 0.8, not 0.7999999999999999. */
export const CONFIDENCE_DECIMALS = 4;

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
 * The confidence that is stored where a writer says how sure a card is: a person's word stands; any other
 * may lower what the card has, or would start with, and never raise it.
 *
 * @param before as stored; null of a new card
 */
export function confidenceAsSaid(
  writer: PrincipalKind,
  said: number,
  before: number | null,
): number {
  const most = writer === 'person' ? 1 : (before ?? initialConfidence(writer));
  return rounded(Math.min(said, most));
}

/**
 * Confidence as it stands now, 0–1: the stored one, 1 % less for every whole day untouched. It is
 * computed at each read and never written back, so a pass cannot decay a card twice.
 */
export function confidenceNow(stored: number, daysUntouched: number): number {
  return clamp(stored) * CONFIDENCE_KEPT_PER_DAY ** Math.max(0, daysUntouched);
}

/**
 * The stored confidence after one proven use, within [0, 1]. The store computes the same in SQL; who may
 * prove a use is in `proven-use.ts`.
 */
export function confidenceAfterProvenUse(stored: number): number {
  return rounded(clamp(stored) + CONFIDENCE_PER_PROVEN_USE);
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

function rounded(value: number): number {
  return Number(clamp(value).toFixed(CONFIDENCE_DECIMALS));
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
