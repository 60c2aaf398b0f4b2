import type { Json } from './event';
import type { CardKind, Trust, WriteRoute } from './names';
import type { Policy, PolicyMatch } from './policy';
import type { TeamStep } from './proposal';

/** How much of what is stored a preview looks at. */
export const PREVIEW_BOUNDS = {
  days: 30,
  events: 10_000,
  strikes: 20_000,
  conflicts: 10_000,
  insights: 10_000,
  /** Of a list in the answer. */
  named: 50,
} as const;

/** A number under the policy of now, and under the candidate. */
export interface BeforeAfter {
  before: number;
  after: number;
}

/** Events or cards that would take another way. */
export interface Moved<Way extends string> {
  from: Way;
  to: Way;
  events: number;
}

/** A rule of the candidate, by its place in the list, and how many events it matches. */
export interface RuleHits<Way extends string> {
  index: number;
  match: PolicyMatch;
  to: Way;
  events: number;
}

export interface RuleEffects<Way extends string> {
  moved: Moved<Way>[];
  rules: RuleHits<Way>[];
}

/**
 * What a candidate would have done with what is stored. A part that the candidate does not touch is left out.
 * Nothing of this happens when the policy is put: it holds for what comes after.
 */
export interface PolicyEffects {
  write_rules?: RuleEffects<WriteRoute>;
  trust_rules?: RuleEffects<Trust>;
  /** Flagged cards of the window that are, and would have been, held back when they were filed. */
  instruction_like?: BeforeAfter;
  strikes?: {
    /** Steps that have as many failures in one window as open a proposal. */
    steps: BeforeAfter;
    /** Those that only the candidate would strike out, and those that it no longer would. */
    begin: (TeamStep & { failures: number })[];
    end: (TeamStep & { failures: number })[];
  };
  /** Conflicts between cards in use that no rule settles. */
  contradictions?: BeforeAfter;
  /** Insights of the window that are, and would have been, told as urgent. */
  urgent_insights?: BeforeAfter;
  retention?: {
    /** Cards in use that are older than the horizon of their kind, for the kinds that change. */
    by_kind?: { kind: CardKind; from: string | null; to: string | null; past: number }[];
    /** Payloads of events that are past their horizon. */
    event_payloads?: BeforeAfter;
    /** Cards that the rules of forgetting take at the next retention. */
    forget?: BeforeAfter;
  };
}

export interface PolicyPreview {
  valid: boolean;
  /** What is wrong with a candidate that is not valid. */
  problems: { pointer: string; detail: string }[];
  changed: { path: string; from: Json; to: Json }[];
  /** The whole policy as it would be; null where it is not valid. */
  document: Policy | null;
  /** Of which events the effects speak. Those that rules keep out of memory left nothing to look at. */
  looked_at: {
    since: string;
    until: string;
    events: number;
    events_capped: boolean;
    not_kept: number;
  } | null;
  effects: PolicyEffects;
}
