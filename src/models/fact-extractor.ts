import type { MessageRole } from '../contracts/conversation';
import type { ModelUsage } from './usage';

/** The last messages of a conversation, redacted; `n` is what a fact names its message by. */
export interface SaidLast {
  /** What the subject is called; null where only their words are known. */
  subject: string | null;
  messages: readonly {
    n: number;
    role: MessageRole;
    name: string | null;
    at: string;
    content: string;
  }[];
}

export interface ExtractedFact {
  text: string;
  /** The message of the user that says it. */
  source: number;
}

/** Finds what a subject tells of themselves that lasts, by a language model. */
export interface FactExtractor {
  readonly model: string;
  readonly promptVersion: string;
  /**
   * @param signal ends the call; the promise then rejects
   * @returns at most twenty, not yet redacted again; none is an answer
   * @throws {DistillerError} with a code of `src/contracts/failures.ts`, and what was spent until then
   */
  extract(
    said: SaidLast,
    signal: AbortSignal,
  ): Promise<{ facts: ExtractedFact[]; usage: ModelUsage }>;
}
