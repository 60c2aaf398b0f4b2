import type { CardKind, Disposition, DistilledBy, EdgeType, Sign } from './names';
import type { ModelOutcome } from './search-attributes';

/** Inputs and results of workflows and activities: ids, decisions, counts and reason codes, never content. */

export interface CaptureInput {
  workspace: string;
  event_id: string;
  operation_id: string;
}

export interface EdgeWritten {
  id: string;
  type: EdgeType;
  to: string;
  confidence: number;
}

/** Reads as the record of one capture. */
export interface CaptureResult {
  event_id: string;
  operation_id: string;
  disposition: Disposition;
  /** Why there is no card; a reason code. */
  reason: string | null;
  card_id: string | null;
  kind: CardKind | null;
  sign: Sign | null;
  edges: EdgeWritten[];
  distilled_by: DistilledBy | null;
  embedded: boolean;
  /** Failed steps of the same kind within the window, this one included; null where none applies. */
  strikes: number | null;
}

/** What a language model did in one capture. */
export interface ModelUse {
  outcome: ModelOutcome;
  /**
   * How often it was tried, each time by at most two calls; 0 where none was asked. Null where nothing
   * says it: a call that ran out of its time, or a capture that was cut short.
   */
  tries: number | null;
}

/** What the workflow ends with: the record, and what only the workflow knows. */
export interface CaptureEnding extends CaptureResult {
  model: ModelUse;
}

export interface Admission {
  /** `admit` goes on; anything else is the disposition that was recorded. */
  decision: 'admit' | Exclude<Disposition, 'pending'>;
  reason: string | null;
  card_id: string | null;
  distiller: DistilledBy;
}

export interface DistillResult {
  kind: CardKind;
  sign: Sign;
  distilled_by: DistilledBy;
  /** Own warnings that the draft refers to. */
  own_warnings: number;
}

export interface ModelDraft extends DistillResult {
  /** The try that this answer came at, from 1. */
  tries: number;
}

/** Of every failure that leaves an activity: the try that failed, from 1. */
export interface FailureDetails {
  tries: number;
}

/** What a pass over a workspace tells its activities: where it works, and its row of `runs`. */
export interface PassInput {
  workspace: string;
  operation_id: string;
}

/** Tells a running `embed` that there is more, so that none ends past a card that came late. */
export const MORE_SIGNAL = 'more';

/** What came of one capture in one step; reads as its record. */
export interface CapturedAtOnce {
  admission: Admission;
  /** Null where the event was not admitted, or a model is to distill it. */
  distilled: DistillResult | null;
  /** Null where a model is to distill it. */
  filed: CaptureResult | null;
}

export interface EmbedInput {
  workspace: string;
}

/** One batch; `done` is what the batches before it did. */
export interface EmbedBatchInput extends PassInput {
  done: EmbedResult;
}

export interface EmbedBatch {
  embedded: number;
  linked: number;
  /** Cards that are still without a vector. */
  remaining: number;
}

export interface EmbedResult {
  embedded: number;
  linked: number;
  batches: number;
}

export interface RedistillInput {
  workspace: string;
}

/** A card that the stand-in wrote, with the version that a rewriting may replace. */
export interface CardToRedistill {
  event_id: string;
  card_id: string;
  version: number;
}

export interface RedistillBatch {
  cards: CardToRedistill[];
  /** Cards that no model may write any more; settled in passing. */
  settled: number;
  /** Where the next batch begins; null at the end. */
  next: string | null;
}

export interface RedistillCounts {
  /** Cards that now have the model's words. */
  rewritten: number;
  /**
   * Cards that stay as they are: edited, judged or retired meanwhile, their event's payload is gone, or a
   * fault of ours came between.
   */
  kept: number;
  /** Cards for which the model's answer was of no use; tried again in another pass, three times in all. */
  useless: number;
}

/** Reads as the record of one pass. */
export interface RedistillResult extends RedistillCounts {
  status: 'completed' | 'partial';
  /** Why it ended early, a failure code; null where it went through all that waited. */
  stopped_by: string | null;
}

export interface ReembedInput {
  workspace: string;
  /** Whose vectors the cards are to have: the id of an embedder. */
  model: string;
}

/** What each step of a re-embedding is told. */
export interface ReembedPass extends PassInput {
  model: string;
  done: ReembedCounts;
}

/**
 * How it stands when it begins: cards lack vectors of the model; or all have them and others' are left
 * over; or nothing is to be done; or another model has taken its place.
 */
export interface ReembedBegun {
  state: 'shadowing' | 'clearing' | 'served' | 'superseded';
  /** The model that is being replaced; null where there is none. */
  from: string | null;
  /** When the shadowing began; null where there is none. */
  since: string | null;
}

export interface ReembedBatch {
  state: 'embedded' | 'superseded';
  embedded: number;
  /** The last card that was looked at; null at the end. */
  next: string | null;
}

/** `missing`: cards came meanwhile that lack a vector of the model, and nothing was switched. */
export interface ReembedCut {
  outcome: 'cut' | 'missing' | 'superseded';
}

/** One batch of cards that were filed while others had no vector of the model to be compared by. */
export interface ReembedLinked {
  linked: number;
  /** The last card that was looked at; null at the end. */
  next: string | null;
}

export interface ReembedCleared {
  state: 'cleared' | 'superseded';
  cleared: number;
  /** The last card that was looked at; null at the end. */
  next: string | null;
}

export interface ReembedCounts {
  /** Cards that were given a vector of the model. */
  embedded: number;
  /** Walks over all cards: one, and another for what came late. */
  rounds: number;
  batches: number;
  /** Edges that likeness shows between them and cards that were filed meanwhile. */
  linked: number;
  /** Vectors of other models that went after the cut. */
  cleared: number;
}

/** Reads as the record of one re-embedding. */
export interface ReembedResult extends ReembedCounts {
  /** `partial`: another model took its place before it was done. */
  status: 'completed' | 'partial';
  stopped_by: 'superseded' | null;
  model_from: string | null;
  model_to: string;
}

export interface SealInput {
  workspace: string;
  /** The first block that it is to seal. */
  n: number;
  /** Of whoever asked for it. */
  operation_id?: string;
}

/** How far may be sealed, and what has to have ended before. Numbers as text: Postgres has longer ones. */
export interface SealHorizon {
  audit: string;
  access: string;
  /** Of a transaction that began after these rows were there. */
  xid: string;
}

/** What a pass has sealed, and the head of the chain after it: the anchor outside of Postgres. */
export interface SealTotals {
  /** The last block there is, and its head; null where nothing was ever sealed. */
  n: number | null;
  head: string | null;
  /** Blocks that this pass sealed, and their rows. */
  seals: number;
  audit_rows: number;
  access_rows: number;
}

export interface SealBlockInput extends PassInput {
  n: number;
  /** Null: up to what is there now. */
  horizon: SealHorizon | null;
}

/** `waiting`: a transaction that began before the horizon is still open, and nothing was sealed. */
export interface SealBatch {
  state: 'sealed' | 'waiting';
  /** Whether there is more up to the horizon. */
  more: boolean;
  horizon: SealHorizon;
  totals: SealTotals;
}

/** Reads as the record of one sealing. */
export interface SealResult extends SealTotals {
  status: 'completed';
}

export interface SweepBatch extends SweepCounts {
  /** The last workspace of the batch; null where there are no more. */
  next: string | null;
}

/** Reads as the record of one sweep. */
export interface SweepCounts {
  workspaces: number;
  /** Pending captures whose start was sent once more. */
  restarted: number;
  /** Workspaces whose `embed` and `redistill` were started. */
  embeds: number;
  redistills: number;
  /** Workspaces whose vectors are to be another model's; absent in a run that began before it was looked for. */
  reembeds?: number;
  /** Workspaces whose logs were to be sealed; absent in a run that began before it was looked for. */
  seals?: number;
  /** Proposals whose start was sent once more; absent in a run that began before it was looked for. */
  proposals?: number;
  /** Reflections of scopes that have been quiet; absent in a run that began before it was looked for. */
  reflections?: number;
  /** Compactions whose start was sent once more; absent in a run that began before it was looked for. */
  compactions?: number;
  /** Erasures whose start was sent once more; absent in a run that began before it was looked for. */
  erasures?: number;
  /** Follow-ups of insights whose start was sent once more; absent in a run that began before it was looked for. */
  follow_ups?: number;
  /** Imports whose start was sent once more; absent in a run that began before it was looked for. */
  imports?: number;
  /** Rescans that were due or lost; absent in a run that began before it was looked for. */
  rescans?: number;
  /** Idempotency keys that were old enough to go. */
  forgotten: number;
  /** Workspaces that could not be swept, for a fault of ours; the log has its kind. */
  failed: number;
}
