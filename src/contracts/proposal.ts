import type { CardKind, CardStatus, EdgeType, ScopeType, Sign } from './names';

/** What a person is asked to decide (contract, Deciding). */
export const PROPOSAL_TYPES = [
  'config_fix',
  'promotion',
  'contradiction',
  'skill',
  'fact',
  'link',
  'merge',
  'archive',
] as const;
export type ProposalType = (typeof PROPOSAL_TYPES)[number];

export const PROPOSAL_STATUSES = [
  'open',
  'approved',
  'rejected',
  'expired',
  'applied',
  'proven',
  'reopened',
  'lapsed',
] as const;
export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number];

/** A person may still decide it. */
export const DECIDABLE_STATUSES = ['open', 'reopened'] as const satisfies ProposalStatus[];

export const DECISIONS = ['approve', 'reject'] as const;
export type Decision = (typeof DECISIONS)[number];

/** `temporal`: straight to the workflow, by Temporal's own CLI or UI. */
export const DECISION_CHANNELS = ['api', 'temporal'] as const;
export type DecisionChannel = (typeof DECISION_CHANNELS)[number];

/** Why a decision changed nothing. */
export const DECISION_REFUSALS = [
  /** It is no decision: a field is missing or is no value of its list. */
  'malformed',
  /** Somebody has decided it. */
  'already_decided',
  /** It was decided for another version than the one that stands. */
  'stale_version',
  'expired',
  /** No such person, no right to decide, or the proposer. */
  'not_allowed',
  /** The policy wants decisions through the API. */
  'direct_decisions_off',
  /** What it would change is no longer as it was proposed; it has a new version to look at. */
  'world_changed',
  /** Another card stands under that key in that scope. */
  'key_taken',
] as const;
export type DecisionRefusal = (typeof DECISION_REFUSALS)[number];

/** A step of a team's work, as strikes count it. */
export interface TeamStep {
  team: string;
  workflow: string;
  step: string;
}

/** How a step did: before a fix was applied, or since. */
export interface StepFigures {
  worked: number;
  failed: number;
}

export interface ConfigFixChange extends TeamStep {
  /** What to change, in words; a runtime that knows its own configuration does it. */
  fix: string;
  /** Figures of the window before the fix and of the time after it, where it was reopened. */
  before?: StepFigures;
  after?: StepFigures;
}

export interface PromotionChange {
  card_id: string;
  /** The version that was looked at. */
  card_version: number;
  from: { type: ScopeType; id: string };
  to: { type: Exclude<ScopeType, 'agent'>; id: string };
  /** Why it was asked for, redacted; null where nobody said, or it was erased. */
  reason?: string | null;
}

export interface ContradictionChange {
  /** Suggested: the side that shows meanwhile. */
  winner: string;
  loser: string;
  /** Of winner and loser, as they were looked at. */
  card_versions: [number, number];
}

/** Cards by their id, each in the version that was looked at. */
export type CardVersions = Record<string, number>;

/** A reflected fact or skill; its words stand with the reflection, where they can be erased. */
export interface ReflectedChange {
  reflection_id: string;
  card_versions: CardVersions;
}

export interface LinkChange extends ReflectedChange {
  from: string;
  to: string;
  edge_type: EdgeType;
  confidence: number;
}

/** Near-duplicates: one stays, and takes the place of the others. */
export interface MergeChange {
  keep: string;
  merge: string[];
  /** Of all of them. */
  card_versions: CardVersions;
}

/** Cards that nobody uses; those that moved on meanwhile stay. */
export interface ArchiveChange {
  card_ids: string[];
  card_versions: CardVersions;
}

export type ProposalChange =
  | ConfigFixChange
  | PromotionChange
  | ContradictionChange
  | ReflectedChange
  | LinkChange
  | MergeChange
  | ArchiveChange
  | Record<string, unknown>;

export interface ProposalDecision {
  by: string;
  decision: Decision;
  /** Null where none was given, or it was erased. */
  reason: string | null;
  reason_code: string | null;
  channel: DecisionChannel;
  version: number;
  at: string;
}

export interface Proposal {
  id: string;
  type: ProposalType;
  status: ProposalStatus;
  version: number;
  title: string;
  /** Null for a reader who is not to see what it was made from. */
  summary: string | null;
  drafted_by: 'model' | 'fallback' | 'person' | 'rule';
  team: string | null;
  /** Those that the reader may see. */
  evidence: string[];
  /** For a reader who gets no summary, without what was made from cards or names them. */
  change: ProposalChange;
  proposed_by: { kind: 'person' | 'agent' | 'runtime' | 'system'; id: string };
  created_at: string;
  expires_at: string;
  closed_at: string | null;
  reminders: number;
  decisions: ProposalDecision[];
  operation_id: string;
  workflow_id: string;
  run_id: string | null;
}

/** A card of the evidence, as the reader of the proposal sees it. */
export interface EvidenceCard {
  id: string;
  kind: CardKind;
  sign: Sign;
  status: CardStatus;
  summary: string;
  agent: string | null;
}

/** One proposal, with both sides to look at. */
export interface ProposalDetail extends Proposal {
  /** In the order of `evidence`. */
  cards: EvidenceCard[];
}

/** What asking for a promotion answers; of one that waits already, its ids. */
export interface AskedPromotion {
  proposal_id: string;
  operation_id: string;
}

export const CONFIG_FIX_STATUSES = [
  'approved',
  'applied',
  'proven',
  'reopened',
  'lapsed',
] as const satisfies ProposalStatus[];
export type ConfigFixStatus = (typeof CONFIG_FIX_STATUSES)[number];

/** The runtime's side of an approved fix. */
export interface ConfigFix {
  id: string;
  proposal_id: string;
  version: number;
  status: ConfigFixStatus;
  team: string;
  step: { workflow: string; step: string };
  fix: string;
  approved_at: string;
  applied_at: string | null;
  config_version: string | null;
  /** What the runtime said of it, redacted. */
  note: string | null;
  /** Since it was applied. */
  observed: StepFigures;
  closed_at: string | null;
}
