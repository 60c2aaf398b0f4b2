/**
 * Erasure: what it is asked for with, what it counts, and the receipt that proves it. Ids of what is erased stand in
 * Postgres while it runs and nowhere afterwards: what stays is keyed hashes, times and numbers.
 */

/** What can be named to be erased. `source` is a service; the two lists are selections. */
export const ERASURE_SELECTORS = [
  'subject',
  'person',
  'agent',
  'source',
  'project',
  'event_ids',
  'card_ids',
] as const;
export type ErasureSelectorName = (typeof ERASURE_SELECTORS)[number];
/** With what is named only where tombstones are applied to a backup. */
export const NAMED_FOR_ERASURE = [...ERASURE_SELECTORS, 'conversation_ids'] as const;
export type NamedForErasure = (typeof NAMED_FOR_ERASURE)[number];

/** At least one; of several all that any of them names. */
export interface ErasureSelector {
  subject?: string;
  person?: string;
  agent?: string;
  source?: string;
  project?: string;
  event_ids?: string[];
  card_ids?: string[];
}

/** What a tombstone stands for; held by a CHECK too. */
export const TOMBSTONE_KINDS = [
  'event',
  'card',
  'subject',
  'person',
  'agent',
  'source',
  'project',
  'conversation',
] as const;
export type TombstoneKind = (typeof TOMBSTONE_KINDS)[number];

/** A keyed hash in place of an id, hex. */
export interface Tombstone {
  kind: TombstoneKind;
  hash: string;
}

/**
 * `waiting`: accepted, its tombstones stand. `running`: it walks and purges. `verifying`: nothing is left to be
 * found by the walk. `held`: a legal hold keeps a part of it; the rest is gone. `unverified`: all was purged, and the
 * search still found something, which the receipt names.
 */
export const ERASURE_STATUSES = [
  'waiting',
  'running',
  'verifying',
  'completed',
  'held',
  'unverified',
] as const;
export type ErasureStatus = (typeof ERASURE_STATUSES)[number];

/** As what an erasure ends. */
export const ERASURE_ENDS = ['completed', 'held', 'unverified'] as const satisfies ErasureStatus[];
export type ErasureEndStatus = (typeof ERASURE_ENDS)[number];

/** Rows by kind; a kind of which there is none may be absent. */
export interface ErasureCounts {
  /** Gone, by table: `events`, `cards`, `conversations`, … */
  purged: Record<string, number>;
  /** Derived cards that rest on other evidence too, and were written again from that. */
  rederived: number;
  /** Cards that had to do with what was erased and were left as they are. */
  kept: number;
  /** Kept by a legal hold. */
  held: number;
}

export const NO_ERASURE_COUNTS: ErasureCounts = { purged: {}, rederived: 0, kept: 0, held: 0 };

/** One durable place that was searched for what was erased: a table, a store of Temporal, files. */
export interface SearchedPlace {
  place: string;
  /** Rows, histories or bytes that were looked through. */
  searched: number;
  found: number;
  /** Places where a text stands that others said too; left alone, and no finding. Absent where there is none. */
  shared?: number;
}

/** What is signed: times, numbers and keyed hashes, no content. */
export interface ErasureReceipt {
  erasure_id: string;
  workspace: string;
  /** As what it ended: only of one that is `completed` nothing is left. */
  status: ErasureEndStatus;
  requested_at: string;
  completed_at: string;
  /** What was named, as keyed hashes. */
  selector: Tombstone[];
  legal_basis: string | null;
  counts: ErasureCounts;
  places: SearchedPlace[];
  /** Of each id that was erased. */
  hashes: string[];
  /**
   * Erasures that ran beside it and named some of the same: what one of them took away no other could count or hash.
   * Absent where there was none.
   */
  beside?: string[];
  verified_at: string;
  signature: string;
  key_id: string;
  public_key: string;
}

/** As it is shown. */
export interface Erasure {
  id: string;
  operation_id: string;
  workflow_id: string;
  status: ErasureStatus;
  dry_run: boolean;
  /** What was named, by kind: how many of each. The names are shown nowhere. */
  selector: Partial<Record<NamedForErasure, number>>;
  legal_basis: string | null;
  /** Redacted; null where none was given, and once it has ended. */
  reason: string | null;
  requested_by: { kind: string; id: string };
  requested_at: string;
  completed_at: string | null;
  counts: ErasureCounts;
  receipt: ErasureReceipt | null;
}

/** What `POST /v1/erasures` answers. */
export interface ErasureAccepted {
  erasure_id: string;
  operation_id: string;
}

/** Input of the workflow `erase`. */
export interface EraseInput {
  workspace: string;
  erasure_id: string;
  operation_id: string;
}

/**
 * In this order; each is gone through batch by batch, and `find` to `purge` again until a walk finds nothing. A dry
 * run ends after `judge`.
 */
export const WALK_STAGES = ['find', 'follow', 'judge', 'rederive', 'purge'] as const;
export const ERASURE_STAGES = [...WALK_STAGES, 'directory'] as const;
export type ErasureStage = (typeof ERASURE_STAGES)[number];

/** A walk over all of it begins. */
export interface ErasureRound {
  round: number;
  /** Whether all that began before its tombstones stood has ended. */
  alone: boolean;
}

/** What a search came to. */
export interface ErasureSearched {
  found: number;
}

/** One batch of a stage. */
export interface ErasureBatchInput extends EraseInput {
  stage: ErasureStage;
}

export interface ErasureBatch {
  /** Whether the stage has more to do. */
  more: boolean;
  /** Rows that were found or changed. */
  touched: number;
}

/** What a workflow is told when it begins, or begins again. */
export interface ErasureBegun {
  /** False where it has ended before. */
  open: boolean;
  dry_run: boolean;
}

/** What the workflow ends with: reads as its record. */
export interface EraseResult {
  erasure_id: string;
  status: ErasureStatus;
  dry_run: boolean;
  rounds: number;
  counts: ErasureCounts;
}
