import type { CardKind, Disposition, DistilledBy, EdgeType, Sign } from './names';

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

export interface EmbedInput {
  workspace: string;
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
