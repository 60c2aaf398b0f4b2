import type { CardScope } from './card';
import type { ErrorFamily, Outcome, PrincipalKind } from './names';

/** How a skill stands: waiting for its first version, in use, or no longer advised. */
export const SKILL_STATUSES = ['draft', 'current', 'deprecated'] as const;
export type SkillStatus = (typeof SKILL_STATUSES)[number];

/** `failed` is a version whose tests kept it from becoming current; `retired` one that was current. */
export const SKILL_VERSION_STATUSES = ['draft', 'current', 'retired', 'failed'] as const;
export type SkillVersionStatus = (typeof SKILL_VERSION_STATUSES)[number];

/**
 * Where a test comes from: the work that the skill was learned from, a later failure of one of its steps,
 * or somebody who wrote it down.
 */
export const SKILL_TEST_KINDS = ['origin', 'failure', 'manual'] as const;
export type SkillTestKind = (typeof SKILL_TEST_KINDS)[number];

export interface SkillStep {
  text: string;
  service?: string | undefined;
  operation?: string | undefined;
}

export interface SkillFailureHandling {
  when: string;
  then: string;
  error_family?: ErrorFamily | undefined;
  /** With its values masked, as a card's hints have it. */
  error_signature?: string | undefined;
}

/** What a skill says, in parts. Each text is one line. */
export interface SkillDocument {
  purpose: string;
  preconditions: string[];
  steps: SkillStep[];
  failure_handling: SkillFailureHandling[];
  causes: string[];
}

/** The sections that two versions are compared by, in the order in which they stand. */
export const SKILL_SECTIONS = [
  'description',
  'purpose',
  'preconditions',
  'steps',
  'failure_handling',
  'causes',
  'body',
] as const;
export type SkillSection = (typeof SKILL_SECTIONS)[number];

/** One call of a recorded piece of work. */
export interface TraceStep {
  service: string;
  operation: string;
  outcome: Outcome;
  error_family?: ErrorFamily | undefined;
  error_signature?: string | undefined;
  /** Of a call that worked after one that failed: what was different. */
  what_changed?: string | undefined;
}

/** What a version is held to, without a model: a recorded trace, or words. */
export type SkillCase =
  | { kind: 'origin' | 'failure'; trace: TraceStep[] }
  | { kind: 'manual'; must_mention: string[]; must_not_mention: string[] };

/** Why a test passed or did not; codes, so that they tell nothing that the skill does not say. */
export const REPLAY_REASONS = [
  'steps_follow_the_trace',
  'step_missing',
  'steps_out_of_order',
  'failure_answered',
  'failure_not_answered',
  'operation_not_in_steps',
  'words_as_asked',
  'word_missing',
  'word_not_wanted',
  'nothing_to_check',
] as const;
export type ReplayReason = (typeof REPLAY_REASONS)[number];

export interface ReplayResult {
  id: string;
  kind: SkillTestKind;
  passed: boolean;
  why: ReplayReason;
  /** The operation or the word that it turned on; null where none did. */
  at: string | null;
}

/** What came of a version's tests; null in a version that was never tested. */
export interface SkillTestResult {
  at: string;
  passed: number;
  failed: number;
  /** Tests that the version in use passes and this one does not. */
  regressions: string[];
  results: ReplayResult[];
}

export interface SkillTest {
  id: string;
  kind: SkillTestKind;
  /** Null to whoever may not see the work that it came from. */
  case: SkillCase | null;
  source_card: string | null;
  added_at: string;
  /** In the version that is shown; null where it was not tested since. */
  passed: boolean | null;
}

export interface SkillProvenance {
  /** Ids of events, to people and to the agent whose skill it is. */
  events: string[];
  /** Those that the reader may see. */
  cards: string[];
  run: string | null;
  model: string | null;
  prompt_version: string | null;
  writer: { kind: PrincipalKind | 'system'; id: string };
}

/** A skill in a list. */
export interface SkillEntry {
  name: string;
  card_id: string;
  /** The version in use; null where none is. */
  version: number | null;
  latest_version: number;
  status: SkillStatus;
  description: string;
  scope: CardScope;
  deprecated_at: string | null;
  /** Of the skill to use instead, where the reader may see it. */
  replaced_by: string | null;
  created_at: string;
}

/** A skill found by a query. `score` 0–1, relative to the best of the answer. */
export interface FoundSkill extends SkillEntry {
  score: number;
}

/** One version, whole. */
export interface Skill extends Omit<SkillEntry, 'version'> {
  version: number;
  version_status: SkillVersionStatus;
  current_version: number | null;
  document: SkillDocument;
  /** Markdown. */
  body: string;
  tests: SkillTest[];
  test_result: SkillTestResult | null;
  provenance: SkillProvenance;
  version_created_at: string;
  /** Why the policy keeps this version from being used until a person says so. */
  reason?: 'instruction_like';
}

export interface SkillVersionEntry {
  version: number;
  status: SkillVersionStatus;
  description: string;
  created_at: string;
  writer: SkillProvenance['writer'];
  test_result: Pick<SkillTestResult, 'at' | 'passed' | 'failed' | 'regressions'> | null;
}

/** What differs in one section. Lists have `added` and `removed`; texts `before` and `after`. */
export interface SkillSectionDiff {
  section: SkillSection;
  before?: string;
  after?: string;
  added?: string[];
  removed?: string[];
  /** The same items in another order. */
  reordered?: boolean;
}

export interface SkillDiff {
  name: string;
  from: number;
  to: number;
  sections: SkillSectionDiff[];
}
