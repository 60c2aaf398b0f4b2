import type { JsonObject } from './event';
import type { OperationState } from './names';
import type { PassBudget, RunChange } from './passes';

/** An operation is a run's handle: the same id works on both. */
export interface Operation {
  id: string;
  type: string;
  state: OperationState;
  result: JsonObject | null;
  error: string | null;
  workflow_id: string;
  run_id: string | null;
  started_at: string | null;
  finished_at: string | null;
}

export interface Run {
  id: string;
  type: string;
  scope: { type: string; id: string } | null;
  status: 'running' | 'completed' | 'partial' | 'failed';
  /** A code, where it failed. */
  error: string | null;
  counts: JsonObject;
  /** In tokens. */
  cost: number;
  workflow_id: string;
  run_id: string | null;
  started_at: string | null;
  finished_at: string | null;
  /** It says what it would do, and does not do it. */
  dry_run: boolean;
  /** What it was held to; null where the policy's budget holds. */
  budget: PassBudget | null;
  /** Of the policy, and of what made words and vectors. */
  versions: JsonObject;
  /** The run that this is a unit of. */
  parent_id: string | null;
  /** `2026-11-30`, or `2026-11` of a monthly pass; of runs that are of a day. */
  day: string | null;
  paused: boolean;
  /** The person who asked for it; null where a Schedule did. */
  asked_by: string | null;
  undone_at: string | null;
}

/** One line of a run's diff, as it is read. */
export interface RunChangeLine extends RunChange {
  /** Of the unit that did it, where the run has units. */
  run_id: string;
  /** Counts the lines of its run, from 1. */
  n: number;
  at: string;
  undone_at: string | null;
  /** Why it could not be taken back. */
  not_undone: NotUndone | null;
}

/** Text that a dry run would have written. */
export interface RunDraft {
  run_id: string;
  part: string;
  /** The cards that it was made from, each of which its reader may see. */
  sources: string[];
  draft: JsonObject;
}

export interface RunDetail extends Run {
  /** How a pass ended: its units, and those that did not do all. Null until then. */
  result: JsonObject | null;
  /** The first lines of what it did, or would do: its own and those of its units. The rest is at `/changes`. */
  diff: RunChangeLine[];
  /** Whether `diff` is not all of it. */
  diff_capped: boolean;
  /** Of a dry run: the first of its texts. */
  drafts: RunDraft[];
}

/**
 * Why a line of a diff stays as it is: the card has changed since; it is gone, stopped or erased; another card has
 * its key now; a proposal was decided; the note that tells it was changed since and stays in use.
 */
export const NOT_UNDONE = ['moved', 'gone', 'key_taken', 'decided', 'note_kept'] as const;
export type NotUndone = (typeof NOT_UNDONE)[number];

export interface RunUndone {
  /** Changes that were taken back. */
  undone: number;
  /** The first thousand that could not be, by card; of an edge or a proposal its id. */
  not_undone: { card_id: string | null; related: string[]; reason: NotUndone }[];
  /** False where it takes longer than one request may: ask again, and it goes on. */
  done: boolean;
}

/** Every list answers so. `total` is exact to 10,000; beyond it `total_capped` is true. */
export interface Page<T> {
  items: T[];
  next_cursor: string | null;
  total: number;
  total_capped?: boolean;
}
