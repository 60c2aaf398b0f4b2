import type { EventKind, Trust, WriteRoute } from '../contracts/names';
import type { Policy, PolicyMatch, PolicyPatch } from '../contracts/policy';
import { DOLLARS_OF_ONE } from './insights/dollar-rates';

/**
 * The defaults of a workspace. Numbers are of design §7 unless a comment names another source.
 */
export const DEFAULT_POLICY: Policy = deepFreeze({
  capture: {
    auto_register_agents: true,
    trust_rules: [],
    write_rules: [],
    instruction_like: 'flag',
  },
  redaction: { contact_data: 'tokenize' },
  recall: {
    profile: 'fleet',
    limit: 5,
    budget_tokens: 1000,
    weights: {
      // Measured by bench:retrieval; docs/recall.md says what each is.
      arms: {
        dense: 0.36,
        dense_context: 0.36,
        lexical: 0.12,
        lexical_context: 0.16,
        graph: 0.1,
        structured: 0.25,
        named: 0.8,
        time: 0.5,
        neighbour: 0.25,
        episode: 0.2,
        substance: 0.35,
        recency: 0.05,
      },
      intent: 2,
      intents: {
        act: ['constraint', 'experience'],
        plan: ['competence', 'delegation'],
        look_up: ['knowledge', 'insight'],
      },
      uses: 0.15,
      recency_days: 30,
      recency_floor: 0.3,
      signs: { worked: 1.05, failed: 1, neutral: 1 },
      failed_acting: 1.1,
      trust: { person: 1, runtime: 1, agent: 0.9, web: 0.6 },
      contradiction: 0.5,
      episodic: { similarity: 0.4, recency: 0.3, importance: 0.3, decay_per_hour: 0.01 },
    },
  },
  resolve: { tie: 'PT1H' },
  link: {
    threshold: 0.6,
    weights: {
      service: 0.2,
      operation: 0.25,
      step: 0.2,
      task_type: 0.1,
      subject: 0.15,
      entities: 0.1,
      error: 0.15,
      inputs: 0.3,
      similarity: 0.3,
    },
    alike: { satisfies: 0.5, conflicts: 0.75 },
  },
  strikes: { count: 3, window: 'P30D' },
  proposals: { ttl: 'P14D', reminders: ['P3D', 'P7D'], direct_decisions: true },
  gate: {
    rules: [
      { flag: 'instruction_like', decision: 'reject' },
      { sensitive: true, scope: 'team', decision: 'reject' },
      { max_evidence: 1, candidate: 'fact', decision: 'reject' },
      { open_conflict: true, decision: 'escalate' },
      { scope: 'team', decision: 'escalate' },
      { candidate: 'fact', min_confidence: 0.8, min_evidence: 3, decision: 'approve' },
      { candidate: 'skill', min_confidence: 0.6, decision: 'approve' },
      { candidate: 'link', min_confidence: 0.8, decision: 'approve' },
    ],
  },
  consolidation: {
    at: '02:00',
    timezone: 'UTC',
    max_retire_share: 0.5,
    min_cards: 20,
    min_sources: 3,
    duplicate_similarity: 0.8,
    paused: false,
  },
  reflection: {
    budget: { cards: 200, calls: 20, tokens: 50_000 },
    // Between retention and consolidation: a note takes the place of the episodes that a reflection reads.
    at: '01:30',
    quiet: 'PT6H',
    demote_after: 2,
    paused: false,
  },
  recalibration: {
    day: 1,
    at: '04:00',
    archive_unused: 'P90D',
    archive_below: 0.3,
    duplicate_similarity: 0.9,
    paused: false,
  },
  retention: {
    by_kind: {
      experience: null,
      constraint: null,
      delegation: null,
      knowledge: null,
      insight: null,
      convention: null,
      competence: null,
      skill_lesson: null,
    },
    restore_window: 'P30D',
    event_payload: 'P30D',
    forget: [],
    at: '01:00',
    paused: false,
  },
  learning: { novelty: 7, similarity: 0.8 },
  conversations: { ceiling_tokens: 8000, summary_tokens: 2000, keep_recent: 20, facts: true },
  // Labor expires with the next schedule, a menu does not (source of the urgency score).
  insights: {
    time_sensitivity: { labor: 15, inventory: 12, menu: 8, other: 5 },
    window: 'P21D',
    rates: DOLLARS_OF_ONE,
    urgent_above: 70,
    min_change: 0.05,
  },
  webhooks: { allow_private: false },
  limits: {
    event_bytes: 256 * 1024,
    batch_events: 500,
    nesting: 32,
    link_candidates: 50,
    recall_candidates: 100,
    // Far above what one server of two cores answers; they end a flood, and no fleet at work meets them.
    requests_per_minute: 120_000,
    key_requests_per_minute: 60_000,
    key_requests_at_once: 500,
    events_per_minute: 600_000,
    // What a workspace may hold is for whoever runs it to say.
    events_per_day: null,
    cards: null,
    payload_bytes: null,
    open_conversations: null,
  },
} satisfies Policy);

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
