import type { TrivialReason } from '../../contracts/learning';
import { MAX_ITEMS } from '../skills/limits';
import {
  callOf,
  changesAnything,
  doneSteps,
  hasFailed,
  overcome,
  type TaskStep,
} from './task-step';

/** From nothing new to nothing known. */
export const LEAST_NOVELTY = 1;
export const MOST_NOVELTY = 10;

/** Between a call and the family of the error that was overcome in it. */
const TROUBLE = '!';

/**
 * A task as a row of words: what was done, in order, and before a call that worked at last the failure that it
 * overcame, as `booking.book!validation`.
 */
export function sequenceOf(steps: readonly TaskStep[]): string[] {
  const troubles = new Map(overcome(steps).map(({ failed }) => [failed.card_id, failed]));
  const done = new Set(doneSteps(steps).map(({ card_id }) => card_id));
  return steps
    .filter(({ card_id }) => done.has(card_id) || troubles.has(card_id))
    .map((step) =>
      troubles.has(step.card_id)
        ? `${callOf(step)}${TROUBLE}${step.error_family ?? 'other'}`
        : callOf(step),
    );
}

/** Its words, and each two that follow one another. */
function gramsOf(sequence: readonly string[]): Set<string> {
  const pairs = sequence.slice(1).map((word, at) => `${sequence[at]} ${word}`);
  return new Set([...sequence, ...pairs]);
}

/**
 * How rare a task's sequence is among the earlier ones of its scope (design §6, learning: 1–10):
 *
 *     novelty = 1 + 9 · mean over grams of 1 / (1 + earlier tasks that have the gram)
 *
 * Grams are the sequence's words and its pairs of neighbours, each counted once. So it is 10 where none of its
 * steps was ever seen, 5.5 where the very same was seen once, 2.8 where four times, and it falls towards 1. An
 * empty sequence has nothing new. Rounded to one decimal.
 */
export function novelty(
  sequence: readonly string[],
  earlier: readonly (readonly string[])[],
): number {
  const grams = gramsOf(sequence);
  if (grams.size === 0) return LEAST_NOVELTY;
  const seen = earlier.map(gramsOf);
  let rarity = 0;
  for (const gram of grams) rarity += 1 / (1 + seen.filter((known) => known.has(gram)).length);
  const raw = LEAST_NOVELTY + (MOST_NOVELTY - LEAST_NOVELTY) * (rarity / grams.size);
  return Math.round(raw * 10) / 10;
}

/** Whether every word and pair of it was seen in some earlier task. */
export function isKnown(
  sequence: readonly string[],
  earlier: readonly (readonly string[])[],
): boolean {
  const seen = new Set(earlier.flatMap((one) => [...gramsOf(one)]));
  return [...gramsOf(sequence)].every((gram) => seen.has(gram));
}

/** Different calls of a task that changed something; and of one that only looked things up. */
const LEAST_CALLS = 2;
const LEAST_LOOKUPS = 3;

/**
 * Null where the task may teach something: it worked, no text in it speaks to the machine that reads it, it took
 * two different calls (three where it only looked things up) or overcame a failure, and something in it is new.
 */
export function triviality(task: {
  outcome: string;
  flagged: boolean;
  steps: readonly TaskStep[];
  earlier: readonly (readonly string[])[];
}): TrivialReason | null {
  const { outcome, flagged, steps, earlier } = task;
  if (outcome === 'failed' || outcome === 'blocked') return 'task_failed';
  if (outcome !== 'worked') return 'no_verdict';
  if (flagged) return 'instruction_like';
  const done = doneSteps(steps);
  if (done.length === 0) return 'no_steps';
  if (done.length > MAX_ITEMS) return 'too_many_steps';
  const overcame = steps.some(hasFailed) && overcome(steps).length > 0;
  if (overcame) return null;
  const fewest = done.some(changesAnything) ? LEAST_CALLS : LEAST_LOOKUPS;
  if (new Set(done.map(callOf)).size < fewest) return 'too_few_steps';
  return isKnown(sequenceOf(steps), earlier) ? 'nothing_new' : null;
}
