import type { CardScope } from './card';
import type { Drift } from './upkeep';

/** What changes memory on its own accord. `learning` runs when a task ends; the others can be asked for too. */
export const PASS_TYPES = [
  'consolidation',
  'reflection',
  'learning',
  'recalibration',
  'retention',
] as const;
export type PassType = (typeof PASS_TYPES)[number];

/** Those that have a Schedule, and that `POST /v1/runs/{type}` starts. */
export const SCHEDULED_PASSES = [
  'consolidation',
  'reflection',
  'recalibration',
  'retention',
] as const satisfies PassType[];
export type ScheduledPass = (typeof SCHEDULED_PASSES)[number];

/** The workflow that does one unit of a pass: one scope, or the whole workspace. */
export const UNIT_WORKFLOW = {
  consolidation: 'consolidateScope',
  reflection: 'reflectScope',
  recalibration: 'recalibrate',
  retention: 'retain',
} as const satisfies Record<ScheduledPass, string>;

/** What a pass may spend; what is absent is not bounded by it. */
export interface PassBudget {
  cards?: number;
  calls?: number;
  tokens?: number;
}

/** What a pass is started with: all of it but the workspace and the type may be absent. */
export interface PassRequest {
  workspace: string;
  type: ScheduledPass;
  /** Of whoever asked; a scheduled one makes its own. */
  operation_id?: string;
  /** One scope only; absent: all of the workspace. */
  scope?: CardScope;
  dry_run?: boolean;
  budget?: PassBudget;
  /** When it was asked for or planned, RFC 3339; absent: now. */
  at?: string;
}

/** One part of a pass, with the id of its workflow. */
export interface PassUnit {
  operation_id: string;
  workflow_id: string;
  scope: CardScope;
}

/** What the workflow of one unit is started with. */
export interface UnitInput {
  workspace: string;
  operation_id: string;
  /** The run that it is a part of. */
  parent_id: string;
  scope: CardScope;
  /** `2026-11-30`, or `2026-11` of a monthly pass; in the workspace's zone. */
  day: string;
  dry_run: boolean;
  budget: PassBudget | null;
}

/** Numbers by name, as the record of a run shows them. */
export type PassCounts = Record<string, number>;

/** What the workflow of one unit ends with: reads as its record. */
export interface UnitResult {
  status: 'completed' | 'partial';
  /** Why it ended early, a code; null where it did all. */
  stopped_by: string | null;
  counts: PassCounts;
  /** Of a recalibration: work whose success has changed. */
  drift?: Drift[];
}

/** Units that did not do all, by scope; a long list names the first of them. */
export interface PartialUnit {
  scope: CardScope;
  operation_id: string;
  reason: string;
}

/** What a pass ends with. */
export interface PassResult {
  status: 'completed' | 'partial';
  day: string;
  units: number;
  partial: number;
  failed: number;
  counts: PassCounts;
  named: PartialUnit[];
}

/** To a pass that runs: it starts nothing further, and goes on. Cancelling is Temporal's own. */
export const PAUSE_SIGNAL = 'pause';
export const RESUME_SIGNAL = 'resume';

export const RUN_CHANGES = [
  'created',
  'retired',
  'edited',
  'linked',
  'proposed',
  'rejected',
  'purged',
  'skipped',
] as const;
export type RunChangeKind = (typeof RUN_CHANGES)[number];

/** One line of a run's diff. */
export interface RunChange {
  change: RunChangeKind;
  card_id: string | null;
  version_before: number | null;
  version_after: number | null;
  related: string[];
  /** A code. */
  reason: string | null;
}

/** What a pass is told when it has begun. */
export interface PassBegun {
  operation_id: string;
  day: string;
  /** Why nothing is to be done: the policy has it paused, the workspace has no memory, it ended before it began. */
  skip: 'paused' | 'memory_off' | 'ended' | null;
}

/** How a pass goes on, as its fan-out asks for it. */
export interface UnitsInput {
  workspace: string;
  operation_id: string;
  /** The last scope that was opened. */
  after: CardScope | null;
  /** How many at the most; absent: a batch. */
  most?: number;
}

export interface UnitsBatch {
  units: PassUnit[];
  /** Null where there are no more. */
  next: CardScope | null;
}

/** Why a unit may not begin: another pass works on its scope. */
export interface ScopeTaken {
  taken: boolean;
  /** Whose it is meanwhile. */
  held_by: string | null;
}

/** How the workflow of a run ended, for its row. */
export interface RunEnd {
  workspace: string;
  operation_id: string;
  end:
    | { state: 'completed'; result: PassResult | UnitResult }
    | { state: 'cancelled'; counts: PassCounts }
    | { state: 'failed'; error: string; counts: PassCounts };
}

/** What the learning loop of one task is started with. */
export interface LearnInput {
  workspace: string;
  operation_id: string;
  /** The event that ended the task. */
  event_id: string;
}
