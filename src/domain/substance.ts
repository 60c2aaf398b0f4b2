/** A question alone says nothing; its answer does. */
const OF_A_QUESTION = 0.5;

/**
 * How much a card can answer: ln(1 + words), half of it where all its sentences ask. Of two cards that
 * fit alike, the one that says more holds more of the answer.
 *
 * @param words of the indexed text, without stop words
 */
export function substance(summary: string, words: number): number {
  return Math.log1p(Math.max(0, words)) * (onlyAsks(summary) ? OF_A_QUESTION : 1);
}

function onlyAsks(summary: string): boolean {
  const text = summary.trim().replace(/["'”’)\]]+$/u, '');
  return /[?？]$/u.test(text) && !/[.!。！…](?:\s|$)/u.test(text.slice(0, -1));
}
