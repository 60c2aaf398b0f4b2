import { z } from 'zod';
import {
  CARD_FLAGS,
  CARD_KINDS,
  EVENT_KINDS,
  INTENTS,
  RECALL_PROFILES,
  SCOPE_TYPES,
  SIGNS,
  TRUSTS,
  WRITE_ROUTES,
} from '../contracts/names';
import { type Policy, type PolicyPatch, RECALL_ARMS } from '../contracts/policy';
import { durationMs, isDuration } from '../domain/durations';
import { idSchema, labelSchema } from './event';
import { windowSchema } from './insights';

/** A part of the document: any of its fields, and no others. */
const part = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape).partial();

/** Longer than any retention that somebody can mean, and short enough for a date to hold. */
const LONGEST_DAYS = 36_500;
const DAY_MS = 86_400_000;
const duration = z
  .string()
  .refine(isDuration, 'must be an ISO 8601 duration of weeks, days and time, such as P30D or PT1H')
  .refine(
    (text) => !isDuration(text) || durationMs(text) <= LONGEST_DAYS * DAY_MS,
    `must be at most ${LONGEST_DAYS} days`,
  );
const someTime = duration.refine(
  (text) => !isDuration(text) || durationMs(text) > 0,
  'must be longer than nothing',
);
const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day, HH:MM');
const timezone = labelSchema.refine(isTimezone, 'must be a time zone such as Europe/Berlin or UTC');
const share = z.number().min(0).max(1);
const weight = z.number().min(0).max(100);
const cards = z.int().min(1).max(1_000_000);

const match = part({
  service: labelSchema,
  operation: labelSchema,
  agent: labelSchema,
  kind: z.enum(EVENT_KINDS),
}).refine(
  (fields) => Object.values(fields).some((value) => value !== undefined),
  'must name a field: an empty match matches nothing',
);

const capture = part({
  auto_register_agents: z.boolean(),
  trust_rules: z.array(z.strictObject({ match, trust: z.enum(TRUSTS) })).max(500),
  write_rules: z.array(z.strictObject({ match, route: z.enum(WRITE_ROUTES) })).max(500),
  instruction_like: z.enum(['flag', 'quarantine']),
});

const weights = part({
  arms: z.partialRecord(z.enum(RECALL_ARMS), weight),
  intent: weight,
  intents: z.partialRecord(z.enum(INTENTS), z.array(z.enum(CARD_KINDS)).max(CARD_KINDS.length)),
  uses: weight,
  recency_days: z.number().positive().max(LONGEST_DAYS),
  recency_floor: share,
  signs: z.partialRecord(z.enum(SIGNS), weight),
  failed_acting: weight,
  trust: z.partialRecord(z.enum(TRUSTS), weight),
  contradiction: share,
  episodic: part({
    similarity: weight,
    recency: weight,
    importance: weight,
    decay_per_hour: weight,
  }),
});

const link = part({
  threshold: share,
  weights: part({
    service: weight,
    operation: weight,
    step: weight,
    task_type: weight,
    subject: weight,
    entities: weight,
    error: weight,
    inputs: weight,
    similarity: weight,
  }),
  alike: part({ satisfies: share, conflicts: share }),
});

const gateRule = z.strictObject({
  candidate: z.enum(['fact', 'skill', 'link', 'merge', 'archive']).optional(),
  min_confidence: share.optional(),
  min_evidence: z.int().min(1).max(1_000).optional(),
  max_evidence: z.int().min(0).max(1_000).optional(),
  min_sources: z.int().min(1).max(1_000).optional(),
  open_conflict: z.boolean().optional(),
  sensitive: z.boolean().optional(),
  scope: z.enum(SCOPE_TYPES).optional(),
  flag: z.enum(CARD_FLAGS).optional(),
  decision: z.enum(['approve', 'reject', 'escalate']),
});

const forgetMatch = part({
  service: labelSchema,
  operation: labelSchema,
  agent: labelSchema,
  kind: z.enum(CARD_KINDS),
  topic: labelSchema,
  project: labelSchema,
  subject: labelSchema,
  subject_kind: labelSchema,
}).refine(
  (fields) => Object.values(fields).some((value) => value !== undefined && value !== '*'),
  'must name a field: a rule that matches everything would forget everything',
);

const bound = z.int().min(1).max(1e15).nullable();
/** A command asks up to a handful of routes, and whoever set a rate too low has to be able to raise it. */
const rate = z.int().min(60).max(1e9).nullable();

/** What intake and filing hold in any case, and may only be stricter; then rates and quotas. */
const limits = part({
  event_bytes: z
    .int()
    .min(1024)
    .max(256 * 1024),
  batch_events: z.int().min(1).max(500),
  nesting: z.int().min(1).max(32),
  link_candidates: z.int().min(1).max(50),
  recall_candidates: z.int().min(1).max(1000),
  requests_per_minute: rate,
  key_requests_per_minute: rate,
  key_requests_at_once: bound,
  events_per_minute: bound,
  events_per_day: bound,
  cards: bound,
  payload_bytes: bound,
  open_conversations: bound,
});

/** Any part of the policy; what is left out stays as it is, lists are replaced whole. */
export const policyPatchSchema = part({
  capture,
  redaction: part({ contact_data: z.enum(['tokenize', 'keep_for_subjects']) }),
  recall: part({
    profile: z.enum(RECALL_PROFILES),
    limit: z.int().min(1).max(50),
    budget_tokens: z.int().min(1).max(100_000),
    weights,
  }),
  resolve: part({ tie: duration }),
  link,
  strikes: part({ count: z.int().min(1).max(100), window: someTime }),
  proposals: part({
    ttl: someTime,
    reminders: z.array(someTime).max(20),
    direct_decisions: z.boolean(),
  }),
  gate: part({ rules: z.array(gateRule).max(200) }),
  consolidation: part({
    at: clockTime,
    timezone,
    max_retire_share: share,
    min_cards: z.int().min(0).max(1_000_000),
    min_sources: z.int().min(2).max(1_000),
    duplicate_similarity: share,
    paused: z.boolean(),
  }),
  reflection: part({
    budget: part({ cards, calls: z.int().min(0).max(10_000), tokens: z.int().min(0).max(1e9) }),
    at: clockTime,
    quiet: someTime,
    demote_after: z.int().min(1).max(1_000),
    paused: z.boolean(),
  }),
  recalibration: part({
    paused: z.boolean(),
    day: z.int().min(1).max(28),
    at: clockTime,
    archive_unused: someTime,
    archive_below: share,
    duplicate_similarity: share,
  }),
  retention: part({
    by_kind: z.partialRecord(z.enum(CARD_KINDS), someTime.nullable()),
    restore_window: duration,
    event_payload: someTime,
    forget: z.array(z.strictObject({ match: forgetMatch, after: someTime })).max(200),
    at: clockTime,
    paused: z.boolean(),
  }),
  learning: part({ novelty: z.number().min(1).max(10), similarity: share }),
  conversations: part({
    ceiling_tokens: z.int().min(500).max(1_000_000),
    summary_tokens: z.int().min(100).max(100_000),
    keep_recent: z.int().min(2).max(1_000),
    facts: z.boolean(),
  }),
  insights: part({
    time_sensitivity: z.record(idSchema, z.number().min(0).max(15)),
    window: windowSchema,
    rates: z.record(
      z.string().regex(/^[A-Z]{3}$/, 'must be a currency of ISO 4217, such as EUR'),
      z.number().positive().max(1_000_000),
    ),
    urgent_above: z.number().min(0).max(100),
    min_change: share,
  }),
  webhooks: part({ allow_private: z.boolean() }),
  limits,
});

/** `GET` shows the version beside the document; sent back, it must be the one of If-Match. */
export const putPolicySchema = policyPatchSchema.extend({ version: z.int().min(0).optional() });
export const policyAnswerSchema = policyPatchSchema.extend({ version: z.int() });

// The schema and the wire type have the same fields at every depth.
type Plain<T> = T extends readonly (infer Item)[]
  ? Plain<Item>[]
  : T extends object
    ? { [K in keyof T]-?: Plain<Exclude<T[K], undefined>> }
    : T;
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
const sameAsPolicy: Same<Plain<z.output<typeof policyPatchSchema>>, Plain<Policy>> = true;
void sameAsPolicy;

/** The patch as the rest of the code knows it: no field is there and undefined. */
export function patchOf(parsed: z.output<typeof policyPatchSchema>): PolicyPatch {
  return JSON.parse(JSON.stringify(parsed)) as PolicyPatch;
}

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
