import type { MessageRole } from '../../contracts/conversation';

/** A message that no summary tells yet. */
export interface Untold {
  n: number;
  role: MessageRole;
  /** As it stands in a context. */
  tokens: number;
}

/** One round: what a model reads at once, and what one transaction counts through. */
const MOST_MESSAGES = 120;
const MOST_TOKENS = 12_000;

export interface Chunk {
  /** The last message that the summary tells after this round. */
  through: number;
  /** Whether another round has something to tell. */
  more: boolean;
}

/**
 * What the next round tells: the oldest messages, but for the newest that stay as they are. A call of a tool and its
 * results stay together; messages of the system are no part of a summary and are passed over.
 *
 * @param untold in order, none of which a summary tells
 * @returns null where there is nothing to be told
 */
export function chunkOf(untold: readonly Untold[], keepRecent: number): Chunk | null {
  const spoken = untold.filter(({ role }) => role !== 'system');
  const end = wholeBefore(spoken, spoken.length - Math.max(0, keepRecent));
  if (end <= 0) return null;
  let taken = 0;
  let tokens = 0;
  while (taken < end) {
    tokens += spoken[taken]?.tokens ?? 0;
    if (taken > 0 && (taken >= MOST_MESSAGES || tokens > MOST_TOKENS)) break;
    taken += 1;
  }
  // A round that would cut a call from its results ends before the call, or goes on where it began with it.
  const cut = wholeBefore(spoken, taken);
  const at = cut > 0 ? cut : wholeAfter(spoken, taken, end);
  const last = spoken[at - 1];
  return last === undefined ? null : { through: last.n, more: at < end };
}

/** The greatest cut at or before `at` with no result of a tool after it that belongs to a call before it. */
function wholeBefore(spoken: readonly Untold[], at: number): number {
  let cut = Math.min(at, spoken.length);
  while (cut > 0 && spoken[cut]?.role === 'tool') cut -= 1;
  return cut;
}

function wholeAfter(spoken: readonly Untold[], at: number, end: number): number {
  let cut = at;
  while (cut < end && spoken[cut]?.role === 'tool') cut += 1;
  return cut;
}
