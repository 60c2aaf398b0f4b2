import type { CompactionReason } from '../../contracts/conversation';

/** What decides whether a conversation is to be worked on; counts, no text. */
export interface Backlog {
  /** Of the messages that the summary does not cover, tool results as they are cleared; system messages left out. */
  unsummarized_tokens: number;
  /** Of those among them that are older than the newest `keep_recent`. */
  older_tokens: number;
  /** Messages of the user and the assistant that came since facts were last looked for. */
  fact_messages: number;
  /** Whether facts may be made at all: by the policy, and with a subject about whom something may be remembered. */
  facts: boolean;
}

/** So many spoken messages are looked through for facts at a time (the source's "last ten"). */
export const FACT_MESSAGES = 10;

/**
 * Where the newest messages alone pass the ceiling, each further one would ask for a compaction that has one
 * message to tell; so it waits until it is worth this share of the ceiling.
 */
const WORTH = 1 / 8;

/** Why a compaction is due, or null. */
export function compactionDue(
  backlog: Backlog,
  ceilingTokens: number,
): Exclude<CompactionReason, 'closed'> | null {
  const isOver = backlog.unsummarized_tokens > ceilingTokens;
  if (isOver && backlog.older_tokens >= ceilingTokens * WORTH) return 'ceiling';
  if (backlog.facts && backlog.fact_messages >= FACT_MESSAGES) return 'facts';
  return null;
}
