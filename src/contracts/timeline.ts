import type { WorkflowType } from './names';

/** What a step of a workflow's history is. `patched`: a marker of a change of the program. */
export const STEP_KINDS = [
  'started',
  'activity',
  'local_activity',
  'timer',
  'signal',
  'update',
  'child',
  'continued',
  'patched',
  'ended',
] as const;
export type StepKind = (typeof STEP_KINDS)[number];

/** Only what has not ended `waits`, and only in a workflow that runs. */
export const STEP_STATUSES = ['done', 'waiting', 'failed', 'timed_out', 'cancelled'] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];

/** How Temporal says that a run stands. */
export const TIMELINE_STATUSES = [
  'running',
  'paused',
  'completed',
  'failed',
  'cancelled',
  'terminated',
  'timed_out',
  'continued',
] as const;
export type TimelineStatus = (typeof TIMELINE_STATUSES)[number];

/** A code and our words for it; what a failure says of its own is not shown. */
export interface StepFailure {
  code: string;
  message: string;
}

export interface TimelineStep {
  /** RFC 3339, UTC. */
  at: string;
  /** Null while it waits. */
  ended_at: string | null;
  kind: StepKind;
  /** In words; no content. */
  name: string;
  status: StepStatus;
  /** Tries so far, the first included. */
  attempts: number;
  /** Why it failed; of one that is tried again, or was, why the try before did. */
  failure: StepFailure | null;
  /** Ids that it brought or left: of a child its workflow id, of a new run its run id; else `card crd_1, event call-7`. */
  detail: string | null;
}

/** One run of a workflow, in the order of what happened. */
export interface Timeline {
  workflow_id: string;
  run_id: string;
  type: WorkflowType;
  status: TimelineStatus;
  started_at: string;
  closed_at: string | null;
  /** In Temporal's history, of which a step takes several. */
  events: number;
  steps: TimelineStep[];
  /** The history is longer than what was read; the steps are those of its beginning. */
  truncated: boolean;
  /** Runs of the same workflow id that Temporal still has, newest first, this one among them; 50 at the most. */
  runs: { run_id: string; status: TimelineStatus; started_at: string }[];
  /** This run in Temporal's own pages; null where nobody said where they are. */
  ui: string | null;
}
