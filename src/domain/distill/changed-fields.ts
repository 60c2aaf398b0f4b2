import { clip, humanize, nameList, plain, singular } from './plain-text';

export interface ChangedField {
  field: string;
  /** Empty where the field was not there. */
  before: string;
  after: string;
}

/** The fields of two inputs that differ, by path, in the order of `after`, then of `before`. */
export function changedFields(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): ChangedField[] {
  const paths = [...new Set([...Object.keys(after), ...Object.keys(before)])];
  return paths
    .map((field) => ({
      field,
      before: own(before, field),
      after: own(after, field),
    }))
    .filter((change) => change.before !== change.after);
}

/**
 * What changed as a clause, e.g. `payment amount 304 → 608`; at most three fields, null when nothing
 * differs. It is an edge's reason, so it holds short values only.
 */
export function changedClause(changes: readonly ChangedField[]): string | null {
  if (changes.length === 0) return null;
  const parts = changes.slice(0, 3).map((change) => {
    const name = fieldName(change.field);
    if (change.before === '') return `${name} ${shown(change.after)} added`;
    if (change.after === '') return `${name} ${shown(change.before)} left out`;
    return `${name} ${shown(change.before)} → ${shown(change.after)}`;
  });
  return nameList(parts, changes.length, 3);
}

/** `another payment amount (304)`: the earlier input, told from the later one's side. */
export function earlierClause(changes: readonly ChangedField[]): string {
  if (changes.length > 3) return 'other inputs';
  const parts = changes.map((change) => {
    const name = fieldName(change.field);
    if (change.before === '') return `no ${name}`;
    const article = change.after === '' ? 'the' : 'another';
    return `${article} ${name} (${shown(change.before)})`;
  });
  return nameList(parts, parts.length, 3);
}

const GENERIC = new Set([
  'id',
  'name',
  'amount',
  'value',
  'number',
  'type',
  'date',
  'code',
  'key',
  'price',
  'status',
]);

/** `payment_methods.0.amount` → `payment amount`; `word.2` → `argument`. */
export function fieldName(path: string): string {
  const parts = path.split('.').filter((part) => part !== '' && !/^\d+$/.test(part));
  if (parts[0] === 'word' && parts.length === 1) return 'argument';
  const words = (part: string) =>
    part
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .replace(/[_-]+/g, ' ')
      .toLowerCase()
      .trim();
  const last = words(parts[parts.length - 1] ?? '');
  const parent = words(parts[parts.length - 2] ?? '').split(' ')[0] ?? '';
  const name = GENERIC.has(last) && parent !== '' ? `${singular(parent)} ${last}` : last;
  return clip(plain(name), 40) || 'value';
}

function shown(value: string): string {
  return clip(plain(humanize(value)), 40) || 'empty';
}

function own(fields: Readonly<Record<string, string>>, path: string): string {
  return Object.hasOwn(fields, path) ? (fields[path] ?? '') : '';
}
