import type { CompactionInput, CompactionResult } from './conversation';

/** How a conversation stands when its compaction begins: counts and codes. */
export interface CompactionBegun {
  /** Why nothing is to be done; null where something is. */
  skip: 'gone' | 'archived' | 'ended' | null;
  /** The version of the summary that the first round starts from. */
  version: number;
  through: number;
  /** Of what no summary tells. */
  tokens: number;
  /** Whether there are messages to be told. */
  tells: boolean;
  /** Whether the last messages are to be looked through for facts. */
  facts: boolean;
  asks_model: boolean;
}

/** One round: on the summary of this version. */
export type CompactionRound = CompactionInput & { version: number };

export interface SummaryCommitted {
  /** `moved`: the summary has another version by now, and nothing was written. */
  state: 'committed' | 'nothing' | 'moved';
  /** Of the summary now. */
  version: number;
  through: number;
  /** Whether another round has something to tell. */
  more: boolean;
  written_by: 'model' | 'fallback' | null;
  items: number;
  missing: number;
  put_back: number;
  tokens_after: number;
}

export type FactsFiled = CompactionResult['facts'];

export type CompactionEnd = CompactionInput & { result: CompactionResult };
