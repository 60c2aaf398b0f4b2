/** A finding of the same matter, and what became of it. */
export interface Earlier {
  decision: 'approved' | 'rejected' | 'escalated';
  /** Cards that it rested on. */
  sources: readonly string[];
  /** Whether what came of it is in use, or waits for a person. */
  stands: boolean;
}

/**
 * Whether a finding is looked at though the same was found before. What stands is not found again. What was rejected
 * or ran out wants a piece of evidence that it did not rest on; what was taken out of use after it had been
 * approved wants as much new evidence as it once had.
 */
export function isNews(sources: readonly string[], earlier: readonly Earlier[]): boolean {
  return earlier.every((one) => {
    if (one.stands) return false;
    const known = new Set(one.sources);
    const fresh = sources.filter((id) => !known.has(id)).length;
    return fresh >= (one.decision === 'approved' ? Math.max(1, one.sources.length) : 1);
  });
}
