import type { ErrorFamily } from '../../contracts/names';
import { wordsOfField } from '../input-fields';
import { literally } from '../literally';
import { givenValue, type Trial } from './trial';

/** What a failure says will not do: some values of one field. */
export interface Blame {
  field: string;
  /** As it was given; empty where nothing was. */
  value: string;
  /** Of an amount, what is still allowed, where the service said so. */
  limit: number | null;
  /** Never of what cannot be compared. */
  isRefused(value: string | null): boolean;
}

/** Of these the same call may work a minute later. */
export const PASSING: ReadonlySet<ErrorFamily | null> = new Set<ErrorFamily>([
  'timeout',
  'unfinished',
]);
/** These are mostly about the thing; they blame only a value that they name, and none that identifies. */
const ABOUT_THINGS: ReadonlySet<ErrorFamily | null> = new Set<ErrorFamily>([
  'unavailable',
  'not_found',
  'conflict',
  'insufficient',
  'auth',
]);

/** Names of fields that stand in errors of all kinds. */
const GENERIC = new Set(
  'id ids name key value type data text code number input body query path url date time user status state'.split(
    ' ',
  ),
);

const EXCESS =
  /\blimit|\bat most\b|\bmaximum\b|\bmax\b|exceed|\btoo (?:many|much|large|big|high|long)\b|\bno more than\b|\bover\b|\babove\b|\bup to\b/;
export const STATED_LIMIT =
  /(?:\blimit(?: is| of|:)?|\bat most|\bmaximum(?: is| of|:)?|\bmax(?:imum)?\.?:?|\bno more than|\bup to|\bnot exceed|\bexceeds?) (\d+(?:\.\d+)?)\b/g;
const IS_AMOUNT = /^\d{1,15}(?:\.\d+)?$/;
/** The error speaks of how a value is written. */
const OF_FORM = /\bformat|\bwritten\b|\bpattern\b|\bmatch|\biso\b|\bexpected\b|\bdigits?\b/;

/**
 * The field, and the values of it, that a failure's own words lay it to; null where they name none, or several.
 *
 * @param fields paths of all inputs of the operation
 */
export function namedBlame(failure: Trial, fields: readonly string[]): Blame | null {
  if (failure.reason === '' || PASSING.has(failure.family)) return null;
  const identifies = (field: string) => failure.roles.get(field) === 'identity';
  const byValue = fields.filter(
    (field) => !identifies(field) && isValueNamed(failure.reason, givenValue(failure, field)),
  );
  if (ABOUT_THINGS.has(failure.family)) return blameOf(failure, only(byValue));
  const byName = fields.filter(
    (field) =>
      isFieldNamed(failure.reason, field) &&
      (!identifies(field) || failure.family === 'validation'),
  );
  const both = byName.filter((field) => byValue.includes(field));
  const named = only(byName) ?? only(both) ?? (byName.length === 0 ? only(byValue) : null);
  return blameOf(failure, named ?? (byName.length === 0 ? amountOver(failure, fields) : null));
}

/** Blame of a text by its very value, for failures whose words say nothing. */
export function exactBlame(failure: Trial, field: string): Blame | null {
  const value = givenValue(failure, field);
  if (value === null || IS_AMOUNT.test(value)) return null;
  const isRefused = (other: string | null) => other !== null && sameText(other, value);
  return { field, value, limit: null, isRefused };
}

function blameOf(failure: Trial, field: string | null): Blame | null {
  if (field === null) return null;
  const value = givenValue(failure, field);
  if (value === null) return null;
  if (IS_AMOUNT.test(value)) return amountBlame(failure, field, Number(value));
  const form = formOf(value);
  if (form === null || failure.family !== 'validation' || !OF_FORM.test(failure.reason)) {
    return exactBlame(failure, field);
  }
  const isRefused = (other: string | null) => other !== null && formOf(other) === form;
  return { field, value, limit: null, isRefused };
}

/** An amount is refused by being too much; by anything else it says nothing of other amounts. */
function amountBlame(failure: Trial, field: string, amount: number): Blame | null {
  if (!EXCESS.test(failure.reason) && failure.family !== 'rate_limit') return null;
  const limit = statedLimit(failure.reason, amount);
  const isOver = (other: number) => (limit === null ? other >= amount : other > limit);
  return {
    field,
    value: String(amount),
    limit,
    isRefused: (other) => other !== null && IS_AMOUNT.test(other) && isOver(Number(other)),
  };
}

/** `at most 40 items in one call` names no field: the one amount that is over it. */
function amountOver(failure: Trial, fields: readonly string[]): string | null {
  const isOver = (value: string | null) =>
    value !== null && IS_AMOUNT.test(value) && statedLimit(failure.reason, Number(value)) !== null;
  return only(
    fields.filter(
      (field) => failure.roles.get(field) !== 'identity' && isOver(givenValue(failure, field)),
    ),
  );
}

function statedLimit(reason: string, given: number): number | null {
  const stated = [...reason.matchAll(STATED_LIMIT)].map((found) => Number(found[1]));
  const below = stated.filter((limit) => limit < given);
  return below.length === 0 ? null : Math.min(...below);
}

/** `sender_profile`, `sender profile`, `senderProfile` in an error; a word that any error has names no field. */
function isFieldNamed(reason: string, field: string): boolean {
  const words = wordsOfField(field.split('.').at(-1) ?? field);
  if (words.length === 0 || (words.length === 1 && GENERIC.has(words[0] ?? ''))) return false;
  // A pattern for each field of each failure would cost more than all the rest.
  if (!words.every((word) => reason.includes(word))) return false;
  return hasWords(reason, words.map(literally).join('[_ -]?'));
}

export function isWholeValueNamed(reason: string, value: string): boolean {
  const text = value.toLowerCase();
  return text.length > 1 && reason.includes(text) && hasWords(reason, literally(text));
}

/** The whole value; of one of several words, at least half of them. */
function isValueNamed(reason: string, value: string | null): boolean {
  if (value === null) return false;
  if (isWholeValueNamed(reason, value)) return true;
  const words = value
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => /\p{L}{3}/u.test(word));
  if (words.length < 2) return false;
  const named = words.filter((word) => reason.includes(word) && hasWords(reason, literally(word)));
  return named.length * 2 >= words.length;
}

function hasWords(text: string, pattern: string): boolean {
  return new RegExp(`(?<![\\p{L}\\p{N}_])${pattern}(?![\\p{L}\\p{N}_])`, 'u').test(text);
}

/**
 * How a value is written: `03/26/2026` as 9/9/9, `PT45M` as PT9M, `NOR` as AAA, `Norway` as Aa. Null for nothing and
 * for plain words, whose form says nothing.
 */
export function formOf(value: string): string | null {
  if (/\p{N}/u.test(value)) return value.replace(/\p{N}+/gu, '9');
  if (!/^\p{Lu}/u.test(value)) return null;
  return value.replace(/\p{Ll}+/gu, 'a').replace(/\p{Lu}/gu, 'A');
}

function sameText(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function only(fields: readonly string[]): string | null {
  return fields.length === 1 ? (fields[0] ?? null) : null;
}
