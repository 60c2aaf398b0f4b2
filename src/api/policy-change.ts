import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../contracts/event';
import type { Policy, PolicyPatch } from '../contracts/policy';
import { DEFAULT_POLICY, mergePolicy } from '../domain/policy';
import type { Directory } from '../intake/directory';
import { kept } from './listing';

type Members = Readonly<Record<string, unknown>>;

/** What a change makes of a policy. */
export interface PolicyChange {
  document: Policy;
  /** What a workspace stores: the fields that are not at their default. */
  stored: PolicyPatch;
  /** Paths of the fields that move, such as `strikes.count`, with what they were and become. */
  changed: { path: string; from: Json; to: Json }[];
}

export function applyPatch(stored: PolicyPatch, patch: PolicyPatch): PolicyChange {
  const before = mergePolicy(stored);
  const document = mergePolicy(patch, before);
  return {
    document,
    stored: difference(members(DEFAULT_POLICY), members(document)) as PolicyPatch,
    changed: changedPaths(members(before), members(document)),
  };
}

/**
 * Labels of a policy are kept and shown, so they are checked as those of an event are; an agent's
 * contact becomes the pseudonym that its events carry.
 * @throws Problem 422 where one holds a secret or a contact.
 */
export function checkLabels(patch: PolicyPatch, directory: Directory): PolicyPatch {
  return walk(patch, directory, []) as PolicyPatch;
}

function walk(value: unknown, directory: Directory, path: readonly string[]): unknown {
  const pointer = `/${path.join('/')}`;
  if (typeof value === 'string') {
    const isAgent = path.at(-1) === 'agent' && path.at(-2) === 'match';
    return kept(() => (isAgent ? directory.namedId(value) : directory.plainId(value)), pointer);
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => walk(item, directory, [...path, String(index)]));
  }
  if (!isMembers(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      kept(() => directory.plainId(key), pointer);
      return [key, walk(inner, directory, [...path, key])];
    }),
  );
}

/** The members of `value` that are not as in `base`, at every depth. */
function difference(base: Members, value: Members): Members {
  const members: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    const plain = base[key];
    if (isMembers(plain) && isMembers(inner)) {
      const deeper = difference(plain, inner);
      if (Object.keys(deeper).length > 0) members[key] = deeper;
    } else if (!same(plain, inner)) {
      members[key] = inner;
    }
  }
  return members;
}

function changedPaths(before: Members, after: Members, path = ''): PolicyChange['changed'] {
  return Object.entries(after).flatMap(([key, value]) => {
    const here = `${path}${key}`;
    const old = before[key];
    if (isMembers(old) && isMembers(value)) return changedPaths(old, value, `${here}.`);
    if (same(old, value)) return [];
    return [{ path: here, from: (old ?? null) as Json, to: value as Json }];
  });
}

function same(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(a, b);
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function members(policy: Policy): Members {
  return { ...policy };
}
