import type { RedactionType } from './names';

/**
 * Where text is durable, in the order in which a rescan goes through it: events first, since what is found in one is
 * taken out of everything that was made from it.
 */
export const RESCAN_PLACES = [
  'events',
  'cards',
  'card_versions',
  'capture_drafts',
  'edges',
  'card_grants',
  'card_group_grants',
  'reasons',
  'proposals',
  'config_fixes',
  'skill_versions',
  'skill_tests',
  'insights',
  'insight_actions',
  'actions',
  'reflections',
  'run_drafts',
  'messages',
  'conversation_details',
  'conversations',
  'compaction_drafts',
  'pending_writes',
  'import_lines',
  'blackboard',
  'workspaces',
  'teams',
  'people',
  'subjects',
  'projects',
  'api_keys',
] as const;
export type RescanPlace = (typeof RESCAN_PLACES)[number];

/** The batch that is next, without the ids that it begins at: those stay in Postgres. A `look` only counts; a `repair` goes through the places where the look found something. */
export interface RescanAt {
  /** From 1: what comes late is found by the look of the next round. */
  round: number;
  step: 'look' | 'repair';
  place: RescanPlace;
  /** Counts the batches of a place, from 1. */
  batch: number;
}

/** How often each type was found, by place. */
export type RescanFindings = Partial<Record<RescanPlace, Partial<Record<RedactionType, number>>>>;

/** What a rescan has done; numbers, no content. */
export interface RescanNumbers {
  /** By the first look. */
  found: RescanFindings;
  /** Rows that were changed, and cards among them that have another version now. */
  repaired: number;
  cards: number;
  /** Rows that somebody changed meanwhile: the next look finds them as they are then. */
  skipped: number;
  /**
   * Rows whose identifiers hold what would be refused today. They are what things are called by and are not rewritten:
   * an erasure takes them away.
   */
  identifiers: number;
}

/** As `rescans.progress` has it. */
export interface RescanProgress extends RescanNumbers {
  /** Null: it has ended. */
  at: RescanAt | null;
  /** The key of the last row that was looked at, as JSON; empty at the beginning of a place. */
  after: string;
  dry_run: boolean;
  /** How often it looked. */
  rounds: number;
  /** Rows of each place in which the look under way, or the one before the repair under way, found something. */
  dirty: Partial<Record<RescanPlace, number>>;
}

export interface RescanInput {
  workspace: string;
  operation_id: string;
  n: number;
}

export interface RescanBatchInput extends RescanInput {
  at: RescanAt;
}

/** Where it goes on; null at the end. */
export interface RescanBatch {
  at: RescanAt | null;
}

/** Reads as the record of one rescan. */
export interface RescanResult {
  /** `partial`: rows are left that it could not repair in its rounds. */
  status: 'completed' | 'partial';
  stopped_by: 'still_found' | null;
  dry_run: boolean;
  rounds: number;
  /** Found by the first look, in all. */
  found: number;
  repaired: number;
  cards: number;
  skipped: number;
  identifiers: number;
  /** Rows of the last look; of a dry run, of its only one. */
  left: number;
}
