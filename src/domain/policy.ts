import type { EventKind, Trust, WriteRoute } from '../contracts/names';
import type { Policy, PolicyMatch, PolicyPatch } from '../contracts/policy';
import { POLICY_DEFAULTS } from '../contracts/policy-defaults';

export const DEFAULT_POLICY: Policy = deepFreeze(POLICY_DEFAULTS);

/**
 * The policy with `patch` laid over `base`: objects field by field, arrays and scalars whole. A null
 * replaces (it means "keep for ever" in `retention.by_kind`); undefined leaves what was there.
 */
export function mergePolicy(patch: PolicyPatch, base: Policy = DEFAULT_POLICY): Policy {
  return merge(base, patch) as Policy;
}

/** What a rule is matched against: labels and ids, never text. */
export interface PolicySubject {
  service?: string | null;
  operation?: string | null;
  agent?: string | null;
  kind?: EventKind | null;
}

/** Whether every field of the match holds; an empty match holds for nothing. */
export function ruleMatches(match: PolicyMatch, subject: PolicySubject): boolean {
  const wanted = Object.entries(match).filter(([, value]) => value !== undefined);
  return (
    wanted.length > 0 &&
    wanted.every(([field, value]) => fits(value as string, subject[field as keyof PolicySubject]))
  );
}

const ROUTE_STRICTNESS: Readonly<Record<WriteRoute, number>> = {
  durable: 0,
  transient: 1,
  sensitive: 2,
};

/** The strictest route whose rule matches; `durable` when none does (design §5: the stricter wins). */
export function writeRoute(policy: Policy, subject: PolicySubject): WriteRoute {
  return policy.capture.write_rules
    .filter((rule) => ruleMatches(rule.match, subject))
    .reduce<WriteRoute>(
      (strictest, { route }) =>
        ROUTE_STRICTNESS[route] > ROUTE_STRICTNESS[strictest] ? route : strictest,
      'durable',
    );
}

/** From the least to the most trusted; a rule may only move a card to the left. */
export const TRUST_RANK: Readonly<Record<Trust, number>> = {
  web: 0,
  agent: 1,
  runtime: 2,
  person: 3,
};

/** The credential's trust, lowered by the lowest rule that matches, never raised (design §3). */
export function trustOf(policy: Policy, credential: Trust, subject: PolicySubject): Trust {
  return policy.capture.trust_rules
    .filter((rule) => ruleMatches(rule.match, subject))
    .reduce<Trust>(
      (lowest, { trust }) => (TRUST_RANK[trust] < TRUST_RANK[lowest] ? trust : lowest),
      credential,
    );
}

/** Sources that anybody's words can come through; a runtime and a person answer for theirs. */
const UNTRUSTED: readonly Trust[] = ['agent', 'web'];

/** Whether a card is held back for a person when it is filed: flagged, untrusted, and so by the policy. */
export function heldBack(
  policy: Policy,
  card: { flags: readonly string[]; trust: Trust },
): boolean {
  return (
    policy.capture.instruction_like === 'quarantine' &&
    card.flags.includes('instruction_like') &&
    UNTRUSTED.includes(card.trust)
  );
}

function fits(wanted: string, given: string | null | undefined): boolean {
  if (given === null || given === undefined) return false;
  return wanted.endsWith('*') ? given.startsWith(wanted.slice(0, -1)) : given === wanted;
}

function merge(base: unknown, patch: unknown): unknown {
  if (patch === undefined) return base;
  if (!isObject(base) || !isObject(patch)) return patch;
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(patch)) {
    if (key !== '__proto__') merged[key] = merge(base[key], value);
  }
  return merged;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}
