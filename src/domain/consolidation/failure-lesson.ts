import { finish, upperFirst } from '../distill/plain-text';
import { epochMs } from '../read-time';
import { clipQuoted } from './clip-quoted';
import { compareText, type Episode, isUnresolvedWarning } from './episode';
import { contrastOf } from './input-contrast';
import { attemptOf, type ToldFailure, toldOf } from './told-failure';

/** Failures of one work for one reason. */
export interface Failure {
  /** `slack.get_users_in_channel`, or the work in other words. */
  label: string;
  told: ToldFailure;
  failed: Episode[];
  /** Of the same work, what worked. */
  worked: Episode[];
  /** Of the same work, what has no verdict. */
  neutral: Episode[];
  /** How often it was done in all. */
  of: number;
}

/** What one lesson may take of the note. */
export const LESSON_LIMIT = 330;
const EXAMPLE_LIMIT = 130;

/** The failures of one work by their reason, the most frequent first. */
export function failuresOf(label: string, cards: readonly Episode[]): Failure[] {
  const byMark = new Map<string, Episode[]>();
  for (const card of cards.filter(({ sign }) => sign === 'failed')) {
    const { mark } = toldOf(card);
    byMark.set(mark, [...(byMark.get(mark) ?? []), card]);
  }
  const worked = cards.filter(({ sign }) => sign === 'worked');
  const neutral = cards.filter(({ sign }) => sign === 'neutral');
  return [...byMark.values()].map((failed) => ({
    label,
    told: toldOf(newest(failed)),
    failed,
    worked,
    neutral,
    of: cards.length,
  }));
}

export function isResolved(failure: Failure): boolean {
  return failure.failed.some(({ resolved }) => resolved !== null);
}

export function lastAt(failure: Failure): string {
  return newest(failure.failed).valid_from;
}

/**
 * How often it fails and why, what to do about it, what changed where it then worked, and whether it is still
 * open; what does not fit is left out from the end.
 */
export function failureLesson(failure: Failure): string {
  const { label, told, failed, of } = failure;
  const reasons = new Set(failed.map((card) => toldOf(card).reason));
  const last = reasons.size > 1 && told.reason !== '' ? ', the last time' : '';
  const why = told.reason === '' ? '' : `${last}: ${told.reason}`;
  const changes = changesOf(failed, told.reason);
  const contrast = changes === '' ? contrastOf(failed, failure.worked, told.reason) : [];
  return joined([
    finish(`${label} failed ${times(failed.length, of)}${why}`),
    told.advice,
    changes,
    ...contrast.map((clause) => upperFirst(finish(clause))),
    exampleOf(failure),
    openness(failed),
  ]);
}

/** `3 of 14 times`, `once`, `both times`. */
export function times(count: number, of: number): string {
  if (of === 1) return 'the one time it was done';
  if (count === of) return of === 2 ? 'both times' : `all ${of} times`;
  return `${count} of ${of} times`;
}

/** `It worked later with payment amount 304 → 608.` by the edges from the successes. */
function changesOf(failed: readonly Episode[], reason: string): string {
  const changes = failed.flatMap(({ resolved }) => {
    if (resolved === null) return [];
    return [resolved.split('it worked later, ')[1] ?? ''];
  });
  if (changes.length === 0) return '';
  const told = new Set(changes.filter((change) => change !== '' && change !== 'in other words'));
  const same = 'with the same inputs';
  const changed = [...told].filter((change) => change !== same).sort();
  const parts = [...new Set(changed.map((change) => shortChange(change, reason)))]
    .filter((change) => change !== '')
    .slice(0, 2);
  if (told.has(same)) parts.push(same);
  const [first = '', ...others] = parts;
  const either = [first, ...others.map((part) => `or ${part}`)].join(', ');
  const ways = either.length > TWO_WAYS_LIMIT ? first : either;
  return finish(`It worked later${ways === '' ? '' : ` ${ways}`}`);
}

const CHANGE_LIMIT = 90;
const TWO_WAYS_LIMIT = 130;

/** Where a further field of a list of changes begins, by its name: `, end time 13:00:00 → 13:00`. */
const NEXT_CHANGE = /(?:, | and )(?=[a-z]+(?: [a-z]+){0,4} .*?(?: → | added| left out))/;

/**
 * A long list of changes by the one that the reason speaks of, else the first that is told whole; one that is long by
 * itself says nothing.
 */
function shortChange(change: string, reason: string): string {
  if (change.length <= CHANGE_LIMIT) return `with ${change}`;
  const fields = change
    .split(NEXT_CHANGE)
    .filter((field) => IS_CHANGE.test(field) && field.length <= CHANGE_LIMIT);
  const said = new Set(reason.split(/[\s,]+/).filter((word) => /\d/.test(word)));
  const told =
    fields.find((field) => field.split(/[\s,]+/).some((word) => said.has(word))) ??
    fields.find((field) => !field.includes('…')) ??
    fields[0];
  return told === undefined ? '' : `with ${told}`;
}

const IS_CHANGE = / → | added$| left out$/;

/** Of work that has no inputs to tell it by, what it was. */
function exampleOf({ failed }: Failure): string {
  const last = newest(failed);
  const isCall = last.hints.operation !== null && last.kind !== 'delegation';
  if (isCall && Object.keys(last.input_fields).some((path) => !path.startsWith('word.'))) return '';
  const attempt = attemptOf(last, EXAMPLE_LIMIT);
  const { service, operation } = last.hints;
  return attempt === `Called ${operation} on ${service}` ? '' : `For example: ${finish(attempt)}`;
}

/** A warning that nothing resolved speaks until something does. */
function openness(failed: readonly Episode[]): string {
  const open = failed.filter(isUnresolvedWarning);
  const day = dayOf(newest(failed).valid_from);
  if (open.length === 0) return `Last on ${day}.`;
  const which = open.length === failed.length ? 'Still open' : `${open.length} still open`;
  return `${which}, last on ${day}.`;
}

function newest(cards: readonly Episode[]): Episode {
  const [first] = [...cards].sort(
    (a, b) => epochMs(b.valid_from) - epochMs(a.valid_from) || compareText(a.id, b.id),
  );
  if (first === undefined) throw new Error('a failure has a card');
  return first;
}

/** In UTC; the day of a card is as its surfaces show it. */
export function dayOf(time: string): string {
  return new Date(epochMs(time)).toISOString().slice(0, 10);
}

/** The last part, whether it is still open, always has its place. */
function joined(parts: readonly string[]): string {
  const end = parts.at(-1) ?? '';
  let text = '';
  for (const part of parts.slice(0, -1)) {
    if (part === '') continue;
    const longer = text === '' ? part : `${text} ${part}`;
    if (longer.length + 1 + end.length <= LESSON_LIMIT) text = longer;
  }
  if (text === '') text = clipQuoted(parts[0] ?? '', LESSON_LIMIT - end.length - 2);
  return `${text} ${end}`.trim();
}
