import type { MessageRole } from '../contracts/conversation';
import type { SummaryParts } from '../domain/conversation/summary-text';
import type { ModelUsage } from './usage';

/** A stretch of a conversation that is to be told, redacted. */
export interface ToldStretch {
  /** The summary so far; null where there is none. */
  previous: string | null;
  /** Oldest first. */
  messages: readonly { role: MessageRole; name: string | null; at: string; content: string }[];
  /** What must not be lost, as the rules found it: clauses in the words of the messages. */
  must_keep: readonly string[];
  /** Tokens that the whole summary may have. */
  budget_tokens: number;
}

/** Tells a conversation by a language model, steered: decisions, concrete data and open items first. */
export interface SummaryWriter {
  readonly model: string;
  readonly promptVersion: string;
  /**
   * @param signal ends the call; the promise then rejects
   * @returns the summary of all so far, in its parts, not yet redacted again
   * @throws {DistillerError} with a code of `src/contracts/failures.ts`, and what was spent until then
   */
  write(
    stretch: ToldStretch,
    signal: AbortSignal,
  ): Promise<{ parts: SummaryParts; usage: ModelUsage }>;
}
