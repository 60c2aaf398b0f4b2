import type { Failure } from '../consolidation/failure-lesson';
import { clip } from '../distill/plain-text';
import { type FactCandidate, MOST_SOURCES } from './candidate';
import { byTime, type ReflectionCard, weigh } from './card';

/** Fewer agree on nothing. */
export const LEAST = 2;
/** Of a clause that is quoted. */
export const CLAUSE = 110;

type About = Pick<Failure, 'label' | 'failed'> & { told: Pick<Failure['told'], 'mark'> };

/** A fact about one call; its sources are the newest of the cards that agree. */
export function factOf(
  { label, told, failed }: About,
  text: string,
  mark: string,
  agreeing: readonly ReflectionCard[],
  share = 1,
): FactCandidate {
  const hints = failed.at(-1)?.hints;
  const sources = [...new Set(agreeing)].sort(byTime).slice(-MOST_SOURCES);
  return {
    type: 'fact',
    text,
    matter: `${label}|${told.mark}|${mark}`,
    topic: null,
    service: hints?.service ?? null,
    operation: hints?.operation ?? null,
    error_signature: hints?.error_signature ?? null,
    error_family: hints?.error_family ?? null,
    sources: sources.map(({ id }) => id),
    ...weigh(sources, share),
  };
}

/** `airline.book_reservation failed 3 of 12 times: payment amounts do not add up`. */
export function headOf({ label, told, failed, of }: Failure): string {
  const why = told.reason === '' ? '' : ` with “${clip(told.reason, CLAUSE)}”`;
  return `${label} failed ${failed.length} of ${of} times${why}`;
}

/** Whether one of the words of `about` stands in the text. */
export function tells(text: string, about: string): boolean {
  const words = new Set(wordsOf(text));
  return wordsOf(about).some((word) => words.has(word));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? [];
}
