import { type ActionJudgement, judgedAction, type PastOutcome } from './boost';

const RANK = { high: 0, normal: 1, low: 2 } as const;

/**
 * What of an insight's actions is recommended now: without what a person has blocked, judged by what came of the same
 * action before, the best first (priority, then boost, then as it was written).
 *
 * @param past by hash; the caller leaves out what the reader's insight may not rest on
 * @param blocked hashes
 */
export function recommended<A extends { hash: string; position: number }>(
  actions: readonly A[],
  past: ReadonlyMap<string, readonly PastOutcome[]>,
  blocked: ReadonlySet<string>,
): { actions: (A & ActionJudgement)[]; removed: number } {
  const kept = actions.filter(({ hash }) => !blocked.has(hash));
  const judged = kept.map((action) => ({
    ...action,
    ...judgedAction(past.get(action.hash) ?? []),
  }));
  judged.sort(
    (a, b) => RANK[a.priority] - RANK[b.priority] || b.boost - a.boost || a.position - b.position,
  );
  return { actions: judged, removed: actions.length - kept.length };
}
