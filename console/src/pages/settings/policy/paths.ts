import type { Policy } from '../../../../../src/contracts/policy';

type IsLeaf<T> = [T] extends [readonly unknown[]]
  ? true
  : [T] extends [object]
    ? string extends keyof T
      ? true
      : false
    : true;
type PathOf<T, Before extends string = ''> = {
  [K in keyof T & string]: IsLeaf<T[K]> extends true
    ? `${Before}${K}`
    : PathOf<T[K], `${Before}${K}.`>;
}[keyof T & string];

/** Every field of the policy: `strikes.count`, `recall.weights.arms.dense`. */
export type PolicyPath = PathOf<Policy>;

/** What `GET /v1/policy` answers. */
export type PolicyAnswer = Policy & { version: number };

/** Fields that were changed here and are not saved. */
export type Edits = Readonly<Partial<Record<PolicyPath, unknown>>>;

type Members = Readonly<Record<string, unknown>>;

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function readAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, key) => (isMembers(at) ? at[key] : undefined), value);
}

/** A copy with `next` there; `undefined` takes the field away, and what is empty by that. */
export function writeAt(value: unknown, path: string, next: unknown): Members {
  const [key = '', ...rest] = path.split('.');
  const members = isMembers(value) ? value : {};
  const inner = rest.length === 0 ? next : writeAt(members[key], rest.join('.'), next);
  if (inner === undefined || (rest.length > 0 && Object.keys(inner as Members).length === 0)) {
    return Object.fromEntries(Object.entries(members).filter(([name]) => name !== key));
  }
  return { ...members, [key]: inner };
}

/** What is sent: the changed fields and no others. */
export function patchOf(edits: Edits): Members {
  return Object.entries(edits).reduce<Members>(
    (patch, [path, value]) => writeAt(patch, path, value),
    {},
  );
}

/** As JSON has it: the order of members says nothing. */
export function same(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((one, at) => same(one, b[at]));
  }
  if (!isMembers(a) || !isMembers(b)) return a === b;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => same(a[name], b[name]));
}
