import { isHidden, showValue } from '../distill/arguments';
import { fieldName } from '../distill/changed-fields';
import { nameList } from '../distill/plain-text';
import { type FieldGroup, fieldGroups, isEmptyValue } from '../input-fields';
import type { Episode } from './episode';

/** More clauses than this are a table and no lesson. */
const MOST_CLAUSES = 2;
/** More values than this do not say which one it was. */
const MOST_VALUES = 3;
/** Where the first words of a text stand; their places say nothing. */
const WORDS_FIELD = 'word';

/** What stands in an input for contact data and secrets. */
const REDACTED = /\[(?:EMAIL|PHONE|EXT_IP|REDACTED|REDACTION)_/;
/** An id or a number of something: another one failing may be chance. */
const CODE = /(?=.*\d)(?=.*\p{L})/u;

/** One field over several calls: what was given, empty where nothing was. */
interface Column {
  path: string;
  role: FieldGroup['role'];
  values: string[];
  /** Something was given that must not be shown. */
  hides: boolean;
}

/**
 * What the inputs of the calls that failed have and those that worked have not, in words: `with batch size 180 or
 * more it failed, with 100 or less it worked`. Only what is so of all of them; a field that names another thing in each
 * call tells nothing, nor does an id that the reason does not speak of. At most two clauses.
 *
 * @param reason why it failed, as a clause
 */
export function contrastOf(
  failed: readonly Episode[],
  worked: readonly Episode[],
  reason: string,
): string[] {
  if (failed.length === 0 || worked.length === 0) return [];
  const paths = pathsOf([...failed, ...worked]);
  return paths
    .map((path) => clauseOf(columnOf(path, failed), columnOf(path, worked), reason))
    .filter((clause) => clause !== null)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MOST_CLAUSES)
    .map(({ text }) => text);
}

/**
 * What most of the calls were given: `mostly channel general`; at most two fields, empty where there is none. What the
 * newest call was not given is no longer typical.
 *
 * @param calls newest first
 */
export function typicalInputs(calls: readonly Episode[], word: string): string {
  const same = pathsOf(calls)
    .map((path) => columnOf(path, calls))
    .map(({ path, values }) => ({
      path,
      newest: values[0],
      ...mostFrequent(values.filter((value) => value !== '')),
    }))
    .filter(
      ({ value, count, newest }) =>
        value !== '' && value === newest && count > 1 && count * 2 > calls.length,
    )
    .sort((a, b) => b.count - a.count)
    .slice(0, MOST_CLAUSES)
    .map(({ path, value }) => `${fieldName(path)} ${value}`);
  return same.length === 0 ? '' : `${word} ${nameList(same)}`;
}

function clauseOf(
  failed: Column,
  worked: Column,
  reason: string,
): { rank: number; text: string } | null {
  if (failed.hides || worked.hides) return null;
  const name = fieldName(failed.path);
  const [bad, good] = [distinct(failed.values), distinct(worked.values)];
  if (bad.some((value) => good.includes(value))) return null;
  if (isNothing(bad)) {
    return { rank: 1, text: `without ${name} it failed, ${withOne(name, good)} it worked` };
  }
  if (isNothing(good)) {
    return { rank: 1, text: `${withOne(name, bad)} it failed, without it it worked` };
  }
  if (bad.includes('') || good.includes('')) return null;
  const limit = failed.role === 'identity' ? null : limitOf(bad, good);
  if (limit !== null) return { rank: 0, text: `with ${name} ${limit}` };
  if (bad.length > MOST_VALUES || good.length > MOST_VALUES) return null;
  const names = failed.role === 'identity' || worked.role === 'identity';
  const isRepeated = bad.length < failed.values.length && good.length < worked.values.length;
  if (names && !isRepeated) return null;
  if ([...bad, ...good].some((value) => CODE.test(value)) && !speaksOf(reason, name, bad)) {
    return null;
  }
  return {
    rank: failed.role === 'plain' ? 2 : 3,
    text: `with ${name} ${orList(bad)} it failed, with ${orList(good)} it worked`,
  };
}

/** `payment method gift_card_81 was not found` speaks of payment ids. */
function speaksOf(reason: string, name: string, values: readonly string[]): boolean {
  const words = name.split(' ').filter((word) => word.length > 3);
  return [...words, ...values].some((word) => reason.includes(word));
}

/** Numbers of which all that failed lie on one side of all that worked. */
function limitOf(bad: readonly string[], good: readonly string[]): string | null {
  const [failed, worked] = [bad.map(Number), good.map(Number)];
  if (![...failed, ...worked].every(Number.isFinite)) return null;
  const says = (values: number[], edge: number, side: string) =>
    values.length === 1 ? `${edge}` : `${edge} or ${side}`;
  const [least, most] = [Math.min(...failed), Math.max(...failed)];
  const [lowest, highest] = [Math.min(...worked), Math.max(...worked)];
  if (highest < least) {
    return `${says(failed, least, 'more')} it failed, with ${says(worked, highest, 'less')} it worked`;
  }
  if (most < lowest) {
    return `${says(failed, most, 'less')} it failed, with ${says(worked, lowest, 'more')} it worked`;
  }
  return null;
}

function withOne(name: string, values: readonly string[]): string {
  return values.length > MOST_VALUES ? `with ${name} given` : `with ${name} ${orList(values)}`;
}

function orList(values: readonly string[]): string {
  if (values.length < 2) return values.join('');
  return `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}

function isNothing(values: readonly string[]): boolean {
  return values.length === 1 && values[0] === '';
}

function pathsOf(calls: readonly Episode[]): string[] {
  const paths = new Set(calls.flatMap((call) => [...fieldGroups(call.input_fields).keys()]));
  return [...paths]
    .filter((path) => path !== WORDS_FIELD && !isHidden(path.split('.').at(-1) ?? path))
    .sort();
}

function columnOf(path: string, calls: readonly Episode[]): Column {
  const groups = calls.map((call) => fieldGroups(call.input_fields).get(path));
  const role = groups.find((group) => group !== undefined)?.role ?? 'plain';
  const values = groups.map(shownOf);
  const hides = groups.some((group, at) => isGiven(group) && values[at] === '');
  return { path, role, values, hides };
}

function isGiven(group: FieldGroup | undefined): boolean {
  return (group?.values ?? []).some((value) => !isEmptyValue(value));
}

/** Empty too where it must not be shown: long prose, contact data, what speaks to a machine. */
function shownOf(group: FieldGroup | undefined): string {
  const values = (group?.values ?? []).filter((value) => !isEmptyValue(value));
  if (values.length === 0 || values.some((value) => REDACTED.test(value))) return '';
  return showValue(values.length === 1 ? (values[0] ?? '') : values);
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].sort((a, b) => Number(a) - Number(b) || (a < b ? -1 : 1));
}

function mostFrequent(values: readonly string[]): { value: string; count: number } {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [best] = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return { value: best?.[0] ?? '', count: best?.[1] ?? 0 };
}
