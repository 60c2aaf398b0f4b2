import type { CardHints } from '../../contracts/card';
import { adviceAtEnd } from '../distill/advice-at-end';
import { advice } from '../distill/error-family';
import { finish, lowerFirst, sentences } from '../distill/plain-text';
import { clipQuoted } from './clip-quoted';
import type { Episode } from './episode';

/** What the text of a failure says of it. */
export interface ToldFailure {
  /** Failures of one work with one mark are the same failure. */
  mark: string;
  /** Why, as a clause; empty where nobody said. */
  reason: string;
  /** What to do about it, as a sentence; may be empty. */
  advice: string;
}

/** What of a card tells of its failure. */
export interface FailedCard {
  summary: string;
  hints: Pick<CardHints, 'error_signature' | 'error_family'>;
}

const VERDICT = /(?:^|[.!?…”"')] )It (?:failed|was blocked)(?:[:,] ?|\.(?: |$))(.*)$/s;
/** `although the answer said “…”`: what an agent claimed is no reason, that it claimed it is one. */
const CLAIM = /^although the (answer|assistant) said\b/;
const AFTER_CLAIM = {
  answer: 'Check the result against the task before reporting.',
  assistant: 'Check the rules and the result before closing.',
} as const;
const REASON_LIMIT = 140;

/**
 * Reads a failure's card: the clause after `It failed`, and the sentence of advice that follows. A card that a
 * model worded otherwise is read by its error's signature and family.
 */
export function toldOf(card: FailedCard): ToldFailure {
  const { error_signature: signature, error_family: family } = card.hints;
  const after = VERDICT.exec(card.summary)?.[1];
  const [found = '', told = ''] = sentences(after ?? '');
  const claimed = CLAIM.exec(found)?.[1] as keyof typeof AFTER_CLAIM | undefined;
  if (claimed !== undefined) {
    const reason = `the ${claimed} said it was done, and it was not as asked`;
    return { mark: `claim|${claimed}`, reason, advice: AFTER_CLAIM[claimed] };
  }
  const next = family === null ? '' : advice(family, signature ?? found);
  const glued = adviceAtEnd(found);
  const said = glued.bare.replace(/[.\s]+$/, '');
  const reason = clipQuoted(said || (signature ?? ''), REASON_LIMIT);
  const advised = told === '' ? glued.advice : told;
  const what = advised !== '' && advised.length <= REASON_LIMIT ? advised : next;
  return {
    mark: signature ?? `${family ?? ''}|${what}`,
    reason: lowerFirst(reason),
    advice: what === '' ? '' : finish(what),
  };
}

/** What was attempted: the first sentence of a card; of a task, whoever it was given to, what it was. */
export function attemptOf(card: Episode, limit: number): string {
  const [before = ''] = card.summary.split(/ It (?:failed|was blocked)\b/, 1);
  const [first] = sentences(before);
  const attempt = (first ?? card.summary).replace(/[.\s]+$/, '');
  return clipQuoted(card.kind === 'delegation' ? taskIn(attempt) : attempt, limit);
}

const GIVEN = /^(?:\S+ was|Was) (?:(to) |asked: )/;

/** `scout was to book a room` → `the task was to book a room`. */
export function taskIn(attempt: string): string {
  return attempt.replace(GIVEN, (_given, to?: string) =>
    to === undefined ? 'the task was ' : 'the task was to ',
  );
}
