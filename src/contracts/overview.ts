import type { Disposition } from './names';
import type { ProposalType } from './proposal';

/** One bucket of a series begins `at`, and ends where the next one begins; the last one is not over. */
export interface CountAt {
  at: string;
  count: number;
}

export type DispositionCounts = Partial<Record<Disposition, number>>;

/** Cards, and their share of all cards that are looked at; 0 where there is none. */
export interface CardShare {
  count: number;
  share: number;
}

/**
 * How good what is remembered is. `cards` are those that people see when they browse: in use (pending, active,
 * validated) or held back (rejected, quarantined), and not expired; the shares are of these.
 */
export interface MemoryQuality {
  cards: number;
  /** Rejected or quarantined, or in use and flagged as reading like an instruction. */
  junk: CardShare;
  /** In use, and word for word, but for upper case, what an earlier one of the same scope, kind, sign and subject says. */
  duplicates: CardShare;
  /** In use, and no longer valid, or not filed, edited, confirmed or used for the policy's `archive_unused`. */
  stale: CardShare;
  /** In use, and in the answer of no recall yet. */
  never_recalled: CardShare;
}

/** Answered calls of language models, and their tokens as the endpoint counts them. */
export interface ModelSpending {
  calls: number;
  input_tokens: number;
  output_tokens: number;
  /** In money; null where no prices are known. */
  amount: number | null;
}

export interface SpendingBy extends ModelSpending {
  /** What asked, such as `distillByModel`. */
  activity: string;
  /** As the endpoint calls it. */
  model: string;
}

/** How a workspace does: what came in over the last days, what waits, and how good what is remembered is. */
export interface Overview {
  at: string;
  /** How long a bucket of each series is: hours for one or two days, else days of the workspace's zone. */
  bucket: 'PT1H' | 'P1D';
  captures: {
    /** By when the event was taken; `counts` leaves out what did not happen. */
    series: { at: string; counts: DispositionCounts }[];
    totals: DispositionCounts;
  };
  backlog: {
    pending: number;
    oldest_pending_at: string | null;
    /** Cards of the stand-in that wait for the model to write them. */
    needs_distill: number;
    /** Starts that were committed and not yet sent to Temporal; no webhooks. */
    outbox: number;
  };
  /** What waits for a person; `oldest_open_at` is since when the oldest does. */
  proposals: {
    open: number;
    by_type: Partial<Record<ProposalType, number>>;
    oldest_open_at: string | null;
  };
  /** Cards that contradict each other and wait for a person to choose. */
  contradictions: { open: number };
  /** At most a minute old. */
  quality: MemoryQuality;
  recalls: { series: CountAt[]; total: number };
  cost: {
    series: ({ at: string } & ModelSpending)[];
    totals: ModelSpending;
    /** The largest first. */
    by: SpendingBy[];
  };
  agents: { known: number; writes_stopped: number };
  /** Asked for, and neither completed nor given up; no dry runs. */
  erasures: { open: number };
}

/** What is remembered by which models, as this server is configured. */
export interface Models {
  /** What words the cards of captures. `rules`: no model is configured. */
  distiller: LanguageModel;
  /** What words notes, lessons, skills and summaries. */
  writer: LanguageModel;
  embedder: {
    /** Null until it is loaded. */
    id: string | null;
    /** Null until it is known, and where there are no vectors. */
    dimensions: number | null;
    /** `absent`: recall goes by words. */
    state: 'ready' | 'loading' | 'absent';
  };
  /** Cards that have a vector of each model, those of the most first. */
  vectors: { embedder: string; cards: number }[];
  /** The run that puts vectors of another model in their place; null while none runs. */
  reembedding: string | null;
}

export interface LanguageModel {
  kind: 'model' | 'rules';
  /** As the endpoint calls it; null for rules. */
  model: string | null;
  /** The host of its address, with the port where that is named; null for rules. */
  endpoint: string | null;
}
