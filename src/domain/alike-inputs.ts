import type { FieldGroup, InputFields } from './input-fields';
import { FIELD_WEIGHTS, fieldGroups, isEmptyValue } from './input-fields';

/** At most this for a value that is near and not equal, so that one near field is never "alike". */
export const NEAR_STRING = 0.7;
export const NEAR_NUMBER = 0.5;
/** A value given where the other call gave none: half the same call, half another. */
export const NEAR_EMPTY = 0.5;
/** A list of names is the same list in part when at least this much of it is. */
const LEAST_SHARED_LIST = 0.6;
/** Two names share at least this much of their letter pairs, or they are two things. */
const LEAST_SHARED_PAIRS = 0.5;

/** How two calls' inputs compare. */
export interface InputComparison {
  /** Weighted overlap, 0–1. */
  alike: number;
  /** Every identifying field is there on both sides with the same value. */
  sameThing: boolean;
  /** No identifying field names something else: equal, near (`External`, `External_0`) or left out. */
  nearThing: boolean;
}

const compared = new WeakMap<InputFields, WeakMap<InputFields, InputComparison>>();

/**
 * Compares two calls' inputs field by field: the overlap that `alikeInputs` returns, and whether both
 * calls were about the same thing.
 */
export function compareInputs(a: InputFields, b: InputFields): InputComparison {
  const withA = compared.get(a) ?? new WeakMap<InputFields, InputComparison>();
  compared.set(a, withA);
  const found = withA.get(b) ?? comparison(a, b);
  withA.set(b, found);
  return found;
}

function comparison(a: InputFields, b: InputFields): InputComparison {
  const left = fieldGroups(a);
  const right = fieldGroups(b);
  const paths = [...new Set([...left.keys(), ...right.keys()])].sort();
  let total = 0;
  let shared = 0;
  let sameThing = true;
  let nearThing = true;
  for (const path of paths) {
    const one = left.get(path);
    const other = right.get(path);
    const weight = Math.max(weightOf(one), weightOf(other));
    const identifies = one?.role === 'identity' || other?.role === 'identity';
    const same = one && other ? sameness(one.values, other.values, identifies) : 0;
    total += weight;
    shared += weight * same;
    if (identifies) {
      sameThing &&= same === 1;
      nearThing &&= !one || !other || isNear(one, other, same);
    }
  }
  return { alike: total === 0 ? 1 : shared / total, sameThing, nearThing };
}

function weightOf(group: FieldGroup | undefined): number {
  return group ? FIELD_WEIGHTS[group.role] : 0;
}

function isNear(one: FieldGroup, other: FieldGroup, same: number): boolean {
  const isList = Math.max(one.values.length, other.values.length) > 1;
  const isGiven = !one.values.every(isEmptyValue) && !other.values.every(isEmptyValue);
  return isList && isGiven ? same >= LEAST_SHARED_LIST : same > 0;
}

/** Equal values first, then what is left over in order; a longer list counts against. */
function sameness(a: readonly string[], b: readonly string[], identifies: boolean): number {
  if (a.every(isEmptyValue) !== b.every(isEmptyValue)) return NEAR_EMPTY;
  const restA = [...a];
  const restB: string[] = [];
  let sum = 0;
  for (const value of b) {
    const at = restA.findIndex((other) => normalized(other) === normalized(value));
    if (at < 0) restB.push(value);
    else {
      restA.splice(at, 1);
      sum += 1;
    }
  }
  restA.sort();
  restB.sort();
  for (let index = 0; index < Math.min(restA.length, restB.length); index += 1) {
    sum += near(restA[index] ?? '', restB[index] ?? '', identifies);
  }
  return sum / Math.max(a.length, b.length);
}

function normalized(value: string): string {
  if (isEmptyValue(value)) return '';
  const number = asNumber(value);
  return number === null ? value.normalize('NFKC') : String(number);
}

/** Two numbers that identify, an order's or a day's, are the same or they are two things. */
function near(a: string, b: string, identifies: boolean): number {
  if (isEmptyValue(a) || isEmptyValue(b)) return NEAR_EMPTY;
  const x = asNumber(a);
  const y = asNumber(b);
  if (x !== null && y !== null) {
    if (identifies) return 0;
    const largest = Math.max(Math.abs(x), Math.abs(y));
    return NEAR_NUMBER * Math.max(0, 1 - Math.abs(x - y) / largest);
  }
  return nearString(a, b);
}

/**
 * Letter pairs shared (Dice), and none at all when both hold digits and neither's are among the
 * other's: `R1001` and `R1002` are two things, however alike they look.
 */
function nearString(a: string, b: string): number {
  const left = runs(a);
  const right = runs(b);
  if (digitsDiffer(left, right)) return 0;
  const shared = dice(pairs(left.join('')), pairs(right.join('')));
  return shared < LEAST_SHARED_PAIRS ? 0 : NEAR_STRING * shared;
}

/** Letters and digits without what joins them, in lower case. */
function runs(value: string): string[] {
  return (
    value
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

function digitsDiffer(a: readonly string[], b: readonly string[]): boolean {
  const left = a.filter((token) => /\p{N}/u.test(token));
  const right = b.filter((token) => /\p{N}/u.test(token));
  return left.length > 0 && right.length > 0 && !isSubset(left, right) && !isSubset(right, left);
}

function isSubset(part: readonly string[], whole: readonly string[]): boolean {
  const there = new Set(whole);
  return part.every((token) => there.has(token));
}

function pairs(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  const letters = text.length < 2 ? [text] : [];
  for (let index = 0; index + 2 <= text.length; index += 1)
    letters.push(text.slice(index, index + 2));
  for (const pair of letters) counts.set(pair, (counts.get(pair) ?? 0) + 1);
  return counts;
}

function dice(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let shared = 0;
  let total = 0;
  for (const [pair, count] of a) {
    shared += Math.min(count, b.get(pair) ?? 0);
    total += count;
  }
  for (const count of b.values()) total += count;
  return total === 0 ? 0 : (2 * shared) / total;
}

function asNumber(value: string): number | null {
  const text = value.trim();
  if (!/^[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i.test(text)) return null;
  // A code such as 007 or a long account number is a name, not an amount.
  if (/^[-+]?0\d/.test(text) || text.replace(/\D/g, '').length > 15) return null;
  return Number(text);
}
