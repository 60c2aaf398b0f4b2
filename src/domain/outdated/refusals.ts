import { type Blame, exactBlame, isWholeValueNamed, namedBlame, PASSING } from './blame';
import { givenValue, mayOutdate, type Trial } from './trial';

/** A failure, and what it refuses. */
export interface Refusal extends Blame {
  failure: Trial;
  /** Epoch milliseconds: since when it is known. */
  since: number;
}

/** So many failures of one kind with one value in common say that it is that value. */
export const LEAST_REPEATED = 2;

/** These are about the thing or the moment, whatever the values have in common. */
const SAYS_NOTHING: ReadonlySet<Trial['family']> = new Set<Trial['family']>([
  'not_found',
  'conflict',
  'insufficient',
  'unavailable',
]);

/**
 * What the failures of one operation refuse (design §7): by their own words; else by what the same call had
 * otherwise when it worked afterwards; else by what several of them have in common since it last worked, while
 * another value worked.
 *
 * @param trials of one operation, the oldest first
 */
export function refusalsOf(trials: readonly Trial[]): Refusal[] {
  const fields = fieldsOf(trials);
  const successes = trials.filter(({ worked }) => worked);
  const found: Refusal[] = [];
  const silent: Trial[] = [];
  for (const failure of trials) {
    if (failure.worked || PASSING.has(failure.family)) continue;
    const blame = namedBlame(failure, fields) ?? contrasted(failure, successes, fields);
    if (blame === null) silent.push(failure);
    else found.push({ ...blame, failure, since: failure.at });
  }
  return [...found, ...repeated(silent, successes, fields)];
}

export function fieldsOf(trials: readonly Trial[]): string[] {
  return [...new Set(trials.flatMap(({ values }) => [...values.keys()]))].sort();
}

/** The one input that the same call had otherwise when it worked: nothing else can have been the reason. */
function contrasted(
  failure: Trial,
  successes: readonly Trial[],
  fields: readonly string[],
): Blame | null {
  if (failure.family !== null && SAYS_NOTHING.has(failure.family)) return null;
  for (const success of successes) {
    if (!mayOutdate(success, failure) || success.rest !== failure.rest) continue;
    const changed = fields.filter(
      (field) => givenValue(failure, field) !== givenValue(success, field),
    );
    const [field] = changed;
    if (field === undefined || changed.length > 1) continue;
    if (failure.roles.get(field) === 'identity' || success.roles.get(field) === 'identity')
      continue;
    return exactBlame(failure, field);
  }
  return null;
}

function repeated(
  silent: readonly Trial[],
  successes: readonly Trial[],
  fields: readonly string[],
): Refusal[] {
  const out: Refusal[] = [];
  for (const field of fields) {
    const groups = new Map<string, Trial[]>();
    for (const failure of silent) {
      const value = givenValue(failure, field);
      if (!value || failure.family === null || SAYS_NOTHING.has(failure.family)) continue;
      if (failure.roles.get(field) === 'identity') continue;
      const key = JSON.stringify([failure.family, value.toLowerCase()]);
      groups.set(key, [...(groups.get(key) ?? []), failure]);
    }
    for (const failures of groups.values()) out.push(...commonTo(failures, successes, field));
  }
  return out;
}

function commonTo(
  failures: readonly Trial[],
  successes: readonly Trial[],
  field: string,
): Refusal[] {
  const [any] = failures;
  const blame = any === undefined ? null : exactBlame(any, field);
  if (blame === null) return [];
  const lastWorked = successes.filter((one) => blame.isRefused(givenValue(one, field))).at(-1)?.at;
  const since = failures.filter(({ at }) => lastWorked === undefined || at > lastWorked);
  const [first] = since;
  if (first === undefined || since.length < LEAST_REPEATED) return [];
  const another = successes.some(
    (one) =>
      one.at > first.at &&
      givenValue(one, field) !== null &&
      !blame.isRefused(givenValue(one, field)),
  );
  return another ? since.map((failure) => ({ ...blame, failure, since: first.at })) : [];
}

/** The newest success since with a value that was refused: it is no longer refused. */
export function workedSince(refusal: Refusal, successes: readonly Trial[]): Trial | undefined {
  return successes.findLast(
    (one) => mayOutdate(one, refusal.failure) && refusal.isRefused(givenValue(one, refusal.field)),
  );
}

/** Whether a failure's own words name a value, other than its own, that is refused: they ask for it. */
export function asksFor(failure: Trial, refusal: Refusal): boolean {
  return (
    refusal.value !== '' &&
    !refusal.isRefused(givenValue(failure, refusal.field)) &&
    isWholeValueNamed(failure.reason, refusal.value)
  );
}
