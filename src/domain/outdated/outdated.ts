import { type LessonCard, outdatedLesson } from './lessons';
import { withoutOutdated } from './outdated-words';
import { asksFor, type Refusal, refusalsOf, workedSince } from './refusals';
import {
  givenValue,
  mayOutdate,
  type Operation,
  type Trial,
  type TrialCard,
  trialsByOperation,
} from './trial';

/** Why a card no longer reads as advice. */
export interface Outdated {
  /** The card that says so. */
  winner: string;
  /** The field of which a value works no longer, or works again. */
  field: string;
  /** Of a success or a lesson: the value that fails now, empty where nothing was given. Null for a failure. */
  value: string | null;
  /** Since when, RFC 3339. */
  since: string;
  /** As much of the card as still reads as advice; null where it does not at all. */
  kept: string | null;
}

/**
 * Which of the cards tell of a value that has stopped working, or that works again (design §7). Of one service and
 * operation:
 *
 * - a success or a lesson with a value that a newer failure refuses, and that has not worked since;
 * - a failure with a value that has worked since;
 * - a failure that states another limit than a newer one;
 * - a failure whose remedy is refused: the value that it asks for, or the one with which the next call worked, while
 *   another works by now.
 *
 * Whoever vouches less outdates nobody. The cards are all that decide, in whatever order.
 */
export function outdatedAmong(cards: readonly (TrialCard & LessonCard)[]): Map<string, Outdated> {
  const texts = new Map(cards.map(({ id, summary }) => [id, summary]));
  const old = new Map<string, Outdated>();
  // A note may tell of several operations: what one leaves of it, the next looks at.
  for (const operation of trialsByOperation(cards)) {
    for (const [id, outdated] of outdatedOf(operation, cards, texts)) {
      old.set(id, outdated);
      texts.set(id, outdated.kept ?? '');
    }
  }
  return old;
}

function outdatedOf(
  operation: Operation,
  cards: readonly LessonCard[],
  texts: ReadonlyMap<string, string>,
): Map<string, Outdated> {
  const { trials } = operation;
  const old = new Map<string, Outdated>();
  const successes = trials.filter(({ worked }) => worked);
  const refusals = refusalsOf(trials);
  if (refusals.length === 0) return old;
  const standing = refusals.filter((one) => workedSince(one, successes) === undefined);
  for (const success of successes) {
    const outdated = successOutdated(success, standing);
    if (outdated !== null) old.set(success.id, outdated);
  }
  const good = successes.filter(({ id }) => !old.has(id));
  for (const refusal of refusals) {
    const outdated =
      workedAgain(refusal, successes) ??
      limitChanged(refusal, refusals) ??
      remedyRefused(refusal, standing, successes, good);
    if (outdated !== null) old.set(refusal.failure.id, outdated);
  }
  for (const card of cards) {
    const found = outdatedLesson(card, texts.get(card.id) ?? '', operation, standing);
    if (found === null) continue;
    const { failure, field, value, since } = found.refusal;
    old.set(card.id, outdatedBy(failure, { field, value, since, kept: found.kept }));
  }
  // Where nothing has worked since, the last success stays for its other fields.
  const last = old.get(good.length > 0 ? '' : (successes.at(-1)?.id ?? ''));
  if (last !== undefined)
    last.kept = withoutOutdated(texts.get(successes.at(-1)?.id ?? '') ?? '', last);
  return old;
}

function successOutdated(success: Trial, standing: readonly Refusal[]): Outdated | null {
  const against = standing.filter(
    (one) => mayOutdate(one.failure, success) && one.isRefused(givenValue(success, one.field)),
  );
  const newest = newestOf(against);
  if (newest === undefined) return null;
  const { field, failure } = newest;
  const since = Math.min(...against.filter((one) => one.field === field).map((one) => one.since));
  return outdatedBy(failure, { field, value: givenValue(success, field), since });
}

function workedAgain(refusal: Refusal, successes: readonly Trial[]): Outdated | null {
  const success = workedSince(refusal, successes);
  if (success === undefined) return null;
  return outdatedBy(success, { field: refusal.field, since: success.at });
}

function limitChanged(refusal: Refusal, refusals: readonly Refusal[]): Outdated | null {
  const { field, limit, failure } = refusal;
  if (limit === null) return null;
  const newest = newestOf(
    refusals.filter(
      (one) =>
        one.field === field &&
        one.limit !== null &&
        one.limit !== limit &&
        mayOutdate(one.failure, failure),
    ),
  );
  return newest === undefined ? null : outdatedBy(newest.failure, { field, since: newest.since });
}

/** Only where something else works by now: until then what was refused once is all that is known. */
function remedyRefused(
  { failure, field }: Refusal,
  standing: readonly Refusal[],
  successes: readonly Trial[],
  good: readonly Trial[],
): Outdated | null {
  const remedy = successes.find((one) => mayOutdate(one, failure));
  const against = standing.filter(
    (one) =>
      one.field === field &&
      mayOutdate(one.failure, failure) &&
      (asksFor(failure, one) ||
        (remedy !== undefined &&
          mayOutdate(one.failure, remedy) &&
          one.isRefused(givenValue(remedy, field)))),
  );
  const newest = newestOf(against);
  if (newest === undefined || !good.some(({ at }) => at > newest.since)) return null;
  return outdatedBy(newest.failure, { field, since: newest.since });
}

function newestOf(refusals: readonly Refusal[]): Refusal | undefined {
  return [...refusals]
    .sort((a, b) => a.failure.at - b.failure.at || (a.failure.id < b.failure.id ? -1 : 1))
    .at(-1);
}

function outdatedBy(
  winner: Trial,
  {
    field,
    value = null,
    since,
    kept = null,
  }: { field: string; value?: string | null; since: number; kept?: string | null },
): Outdated {
  return { winner: winner.id, field, value, since: new Date(since).toISOString(), kept };
}
