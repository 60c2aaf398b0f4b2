import type { CardKind } from './names';
import type { PassCounts, UnitInput } from './passes';

/**
 * What a retention does, in this order: what is over is archived; what nobody may bring back any more, or a rule
 * of the policy forgets, is purged; what else has been out of use for the restore window leaves the index; then the words of closed proposals that rested on
 * what was purged, payloads of events at their horizon, and old drafts of runs together with the raw text of tools'
 * results in conversations at the horizon of the events.
 */
export const RETENTION_PARTS = [
  'expire',
  'purge',
  'evict',
  'quotes',
  'payloads',
  'drafts',
] as const;
export type RetentionPart = (typeof RETENTION_PARTS)[number];

/** Recalibration proposes and reports; the one thing that it writes itself is the counts of words and scopes. */
export const RECALIBRATION_PARTS = [
  'drift',
  'archive',
  'duplicates',
  'contradictions',
  'recount',
] as const;
export type RecalibrationPart = (typeof RECALIBRATION_PARTS)[number];

/** One batch of a part. */
export interface UpkeepBatchInput<Part extends string> {
  unit: UnitInput;
  part: Part;
  /** Where the batch before it ended: an id; empty at the beginning. */
  after: string;
  /** Cards that may still be touched, where the pass has a budget. */
  most: number | null;
}

export interface UpkeepBatch {
  /** Null: this part is done. */
  next: string | null;
  /** Of all that this run did so far, and not of the batch: said again it is the same. */
  counts: PassCounts;
}

/** Work whose success has changed: of one operation, or of one kind of card; labels, no text. */
export interface Drift {
  service: string | null;
  operation: string | null;
  kind: CardKind | null;
  /** Share that worked, 0–1, and of how many: in the thirty days before the last thirty, and in these. */
  before: { share: number; n: number };
  now: { share: number; n: number };
}

export interface RecalibrationBatch extends UpkeepBatch {
  /** Of the part `drift` alone. */
  drift?: Drift[];
}
