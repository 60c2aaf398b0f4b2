/** The redacted inputs' scalar fields by path, as a card keeps them: `flights.0.date` → `2024-05-20`. */
export type InputFields = Readonly<Record<string, string>>;

/** How much a field counts: what the work was about, what it was about it, how it was done. */
export type FieldRole = 'identity' | 'plain' | 'flag';

export const FIELD_WEIGHTS: Readonly<Record<FieldRole, number>> = {
  identity: 3,
  plain: 1,
  flag: 0.5,
};

/** Last words of a path that name the thing worked on. */
const IDENTITY_WORDS = new Set(
  (
    'id ids key name names query search keyword keywords path file filename url uri link email user users ' +
    'username channel recipient recipients sender account iban customer client reservation order ticket ' +
    'origin destination from to city country hotel restaurant company product item number code command word ' +
    'repo repository branch host date day time start end table database subject title symbol'
  ).split(' '),
);
/** Last words of a path that choose a way of doing it. */
const FLAG_WORDS = new Set(
  (
    'type format mode cabin class status state kind level lang language locale sort order_by limit offset ' +
    'page size verbose debug dry force recursive recurring insurance enabled flag timeout retries encoding'
  ).split(' '),
);
/** Words anywhere in a path that make it the means of the work, which another try may change. */
const MEANS_WORDS = new Set(['payment', 'payments', 'card', 'wallet']);

/** Above this many words a value is prose, not a name: `body`, `description`. */
const NAME_WORDS = 8;
const CODE = /^(?=.*\d)(?=.*\p{L})\S{4,}$/u;
const EMPTY = new Set(['', 'null', 'undefined', 'none', '[]', '{}']);

/** A field of the inputs with the indices of its path taken out and its values together. */
export interface FieldGroup {
  path: string;
  role: FieldRole;
  values: string[];
}

/** A new card is compared with fifty others, and each of them more than once. */
const known = new WeakMap<InputFields, ReadonlyMap<string, FieldGroup>>();

/**
 * Groups `flights.0.date` and `flights[1].date` into `flights.date`, values in the order of their
 * paths, so that a list of two and a list of three can be compared. Sorted by path.
 */
export function fieldGroups(fields: InputFields): ReadonlyMap<string, FieldGroup> {
  const found = known.get(fields) ?? grouped(fields);
  known.set(fields, found);
  return found;
}

function grouped(fields: InputFields): Map<string, FieldGroup> {
  const groups = new Map<string, FieldGroup>();
  for (const path of Object.keys(fields).sort(byNaturalOrder)) {
    const value = (fields[path] ?? '').trim();
    const general = path
      .replace(/\[(\d*)\]/g, '.$1')
      .split('.')
      .filter((part) => part !== '' && !/^\d+$/.test(part))
      .join('.');
    const group = groups.get(general);
    if (group) group.values.push(value);
    else groups.set(general, { path: general, role: 'plain', values: [value] });
  }
  for (const group of groups.values()) group.role = roleOf(group);
  return groups;
}

/** Null, empty and `None` are one value: nothing was given. */
export function isEmptyValue(value: string): boolean {
  return EMPTY.has(value.toLowerCase());
}

function roleOf(group: FieldGroup): FieldRole {
  const words = wordsOfField(group.path.split('.').at(-1) ?? group.path);
  const given = group.values.filter((value) => !isEmptyValue(value));
  if (given.some((value) => value.split(/\s+/).length > NAME_WORDS)) return 'plain';
  if (given.length > 0 && given.every((value) => /^(?:true|false)$/i.test(value))) return 'flag';
  if (wordsOfField(group.path).some((word) => MEANS_WORDS.has(word))) return 'plain';
  if (isCount(words, given)) return 'plain';
  if (words.some((word) => IDENTITY_WORDS.has(word))) return 'identity';
  if (words.some((word) => FLAG_WORDS.has(word))) return 'flag';
  return given.some((value) => CODE.test(value)) ? 'identity' : 'plain';
}

/** A number under a plural says how many there were, not which: `recipients: 250`, `users_per_call: 40`. */
function isCount(words: readonly string[], given: readonly string[]): boolean {
  const isPlural = words.some((word) => /[^s]s$/.test(word) && word !== 'address');
  const isOneNumber = given.length === 1 && /^\d{1,9}$/.test(given[0] ?? '');
  return isPlural && isOneNumber && !/^(?:id|key|code)$/.test(words.at(-1) ?? '');
}

/** `paymentId`, `payment_id` and `payment-id` are the words payment and id. */
export function wordsOfField(name: string): string[] {
  return name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

function byNaturalOrder(a: string, b: string): number {
  const left = a.split(/(\d+)/);
  const right = b.split(/(\d+)/);
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const x = left[index] ?? '';
    const y = right[index] ?? '';
    if (x === y) continue;
    const numeric = /^\d+$/.test(x) && /^\d+$/.test(y) ? Number(x) - Number(y) : 0;
    return numeric !== 0 ? numeric : x < y ? -1 : 1;
  }
  return 0;
}
