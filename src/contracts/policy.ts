import type {
  CardFlag,
  CardKind,
  EventKind,
  Intent,
  RecallProfile,
  ScopeType,
  Sign,
  Trust,
  WriteRoute,
} from './names';

/**
 * The policy document of a workspace (contract "Policy"). Stored versioned; `GET /v1/policy` shows
 * it with every default filled in. Durations are ISO 8601 (`P30D`, `PT1H`), clock times `HH:MM` in
 * `consolidation.timezone`, weights and thresholds plain numbers. The defaults and their sources
 * stand in `policy-defaults.ts`.
 */
export interface Policy {
  capture: CapturePolicy;
  redaction: { contact_data: 'tokenize' | 'keep_for_subjects' };
  recall: RecallPolicy;
  resolve: {
    /** `valid_from` closer than this does not count as newer. */
    tie: string;
  };
  link: LinkPolicy;
  strikes: {
    /** Failures of one step within `window`, counted from `occurred_at`, that open a proposal. */
    count: number;
    window: string;
  };
  proposals: {
    ttl: string;
    /** Counted from the opening; one at or past `ttl` is not sent. */
    reminders: string[];
    /** Whether a decision sent straight to Temporal is accepted. */
    direct_decisions: boolean;
  };
  gate: { rules: GateRule[] };
  consolidation: {
    at: string;
    timezone: string;
    /** Of a scope's active cards that one pass may retire, 0–1. */
    max_retire_share: number;
    /** Scopes with fewer active cards are not held to the share. */
    min_cards: number;
    /** Of what lies in one group, the fewest that become a note. */
    min_sources: number;
    /** 0–1; at or above, cards of one sign, scope and member are one. */
    duplicate_similarity: number;
    paused: boolean;
  };
  reflection: {
    budget: { cards: number; calls: number; tokens: number };
    at: string;
    /** Of a scope in which nothing was filed; then it is reflected on before the night. */
    quiet: string;
    /** Of what was approved: outcomes that turn against it, more than those that bear it out, before it is demoted. */
    demote_after: number;
    paused: boolean;
  };
  recalibration: {
    paused: boolean;
    /** Day of the month, 1–28. */
    day: number;
    at: string;
    archive_unused: string;
    archive_below: number;
    duplicate_similarity: number;
  };
  retention: {
    /** Becomes `expires_at`, from `recorded_at`, when a card is filed; null keeps it. */
    by_kind: Record<CardKind, string | null>;
    restore_window: string;
    event_payload: string;
    /** What is purged a time after it was recorded, whatever its kind's horizon says; none by default. */
    forget: ForgetRule[];
    at: string;
    paused: boolean;
  };
  learning: {
    /** 1–10; at or above, a task is distilled into a skill. */
    novelty: number;
    /** 0–1; at or above, a skill is merged or skipped. */
    similarity: number;
  };
  conversations: {
    /** Tokens of what the summary does not cover; past it a compaction starts. */
    ceiling_tokens: number;
    /** Tokens that a summary may have. */
    summary_tokens: number;
    /** The newest messages that stay as they were said, whatever the summary tells. */
    keep_recent: number;
    /** Whether facts about the subject are made of what is said, and put into its context. */
    facts: boolean;
  };
  insights: {
    /** Domain → points of urgency, 0–15; `other` for a domain not named. */
    time_sensitivity: Record<string, number>;
    /** From action taken to measuring it. */
    window: string;
    /** Currency by ISO 4217 → US dollars of one; the dollar itself is 1. */
    rates: Record<string, number>;
    /** 0–100; above it an insight is told to webhooks (`insight.urgent`). */
    urgent_above: number;
    /** Relative change of a metric below which an action changed nothing. */
    min_change: number;
  };
  webhooks: {
    /** Whether one may lead to this machine or a network of one's own, and be plain http. */
    allow_private: boolean;
  };
  limits: LimitsPolicy;
}

/**
 * What a rule looks at. Every field given must match; a value may end in `*`. A rule without any
 * field matches nothing, so an empty match cannot switch a workspace off by accident.
 */
export interface PolicyMatch {
  service?: string;
  operation?: string;
  agent?: string;
  kind?: EventKind;
}

/** What a forgetting rule looks at: labels, ids and the kind of a subject. As with every rule, an empty one matches nothing. */
export interface ForgetMatch {
  service?: string;
  operation?: string;
  agent?: string;
  /** Of the card. */
  kind?: CardKind;
  topic?: string;
  project?: string;
  subject?: string;
  /** Of the subject that it is about, such as `customer`. */
  subject_kind?: string;
}

export interface ForgetRule {
  match: ForgetMatch;
  /** Counted from when it was recorded. */
  after: string;
}

export interface CapturePolicy {
  auto_register_agents: boolean;
  /** May only lower the credential's trust. */
  trust_rules: { match: PolicyMatch; trust: Trust }[];
  /** Of several that match, the strictest route wins. */
  write_rules: { match: PolicyMatch; route: WriteRoute }[];
  /**
   * What becomes of a card that speaks to the machine that reads it (the flag of that name) and whose
   * trust is `agent` or `web`: it is flagged, or held back as well until a person releases it.
   */
  instruction_like: 'flag' | 'quarantine';
}

export interface RecallPolicy {
  profile: RecallProfile;
  limit: number;
  /** Tokens of o200k. */
  budget_tokens: number;
  weights: RecallWeights;
}

export interface RecallWeights {
  /** Share of each arm in relevance; an arm that found nothing leaves its share to the rest. */
  arms: Record<RecallArm, number>;
  /** Factor of the kinds that an intent favours. */
  intent: number;
  intents: Record<Intent, CardKind[]>;
  /** Before ln(1 + proven uses). */
  uses: number;
  /** Days after which the recency factor has fallen to 1/e, and where it stops falling. */
  recency_days: number;
  recency_floor: number;
  signs: Record<Sign, number>;
  /** The factor of `failed` when the intent is `act`. */
  failed_acting: number;
  trust: Record<Trust, number>;
  /** On both ends of an open contradiction. */
  contradiction: number;
  episodic: { similarity: number; recency: number; importance: number; decay_per_hour: number };
}

/**
 * What can speak for a card: its text by meaning and by words; both once more together with what was
 * told beside it in its session or task; cards that lead to it; the service and operation the query
 * names; who acts in it; when; what its neighbours and its episode are worth; how much it says; how new.
 */
export const RECALL_ARMS = [
  'dense',
  'dense_context',
  'lexical',
  'lexical_context',
  'graph',
  'structured',
  'named',
  'time',
  'neighbour',
  'episode',
  'substance',
  'recency',
] as const;
export type RecallArm = (typeof RECALL_ARMS)[number];

export interface LinkPolicy {
  /** Edges below this confidence are not written. */
  threshold: number;
  weights: LinkWeights;
  /** How alike the inputs must be, 0–1. */
  alike: { satisfies: number; conflicts: number };
}

/** Shares in an edge's confidence; a feature that neither card has leaves its share to the rest. */
export interface LinkWeights {
  service: number;
  operation: number;
  step: number;
  task_type: number;
  subject: number;
  entities: number;
  error: number;
  inputs: number;
  similarity: number;
}

/** Every condition given must hold; the first rule that matches decides, else a person does. */
export interface GateRule {
  candidate?: 'fact' | 'skill' | 'link' | 'merge' | 'archive';
  min_confidence?: number;
  /** Independent pieces of evidence: cards of different events. */
  min_evidence?: number;
  max_evidence?: number;
  /** Different agents that the evidence comes from. */
  min_sources?: number;
  /** Whether a piece of its evidence is one end of an undecided contradiction. */
  open_conflict?: boolean;
  /** Whether it holds what redaction would take out, or is about a subject. */
  sensitive?: boolean;
  /** It would stand in a scope at least as wide. */
  scope?: ScopeType;
  flag?: CardFlag;
  decision: 'approve' | 'reject' | 'escalate';
}

export interface LimitsPolicy {
  /** Bytes of one event as JSON. */
  event_bytes: number;
  batch_events: number;
  /** Depth of nested objects and arrays. */
  nesting: number;
  /** Cards compared with a new one. */
  link_candidates: number;
  /** Cards taken from the arms before they are ranked. */
  recall_candidates: number;
  /**
   * Requests a minute of all keys of the workspace together but those of owners and operators, who have to
   * be able to revoke a key that floods. Null, here and below: no bound.
   */
  requests_per_minute: number | null;
  /** Requests a minute of each key; a key may have a lower number of its own. */
  key_requests_per_minute: number | null;
  /** Requests of one key that are in hand at once; each counts one more for every MiB of its body. */
  key_requests_at_once: number | null;
  /** Events a minute of the workspace, whatever batches they come in. */
  events_per_minute: number | null;
  /** New events a day, by the date in UTC. */
  events_per_day: number | null;
  /** Cards that are kept, those that were retired included and deleted ones not. */
  cards: number | null;
  /** Bytes that the payloads of events take in the database. */
  payload_bytes: number | null;
  open_conversations: number | null;
}

/** A change of the policy: any part of it; arrays are replaced whole. */
export type PolicyPatch = DeepPartial<Policy>;

type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]?: DeepPartial<T[K]> }
    : T;
