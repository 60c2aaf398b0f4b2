import type { RecallWeights } from '../contracts/policy';
import { type ArmScores, fuse, LEAST_COSINE } from './fuse';
import { personalizedPageRank, type WalkedEdge } from './pagerank';

/** The most relevant cards, from which the walk starts and to which it returns. */
export const MOST_ANCHORS = 10;
/** Share of the best that a card needs: what the walk hardly reaches is no answer to the query. */
const LEAST_SHARE = 0.05;

/**
 * The graph arm (design §4): what the best of the other arms vouch for, by personalized PageRank from
 * them over the edges around. It scores the cards they lead to and not themselves: a crowd of successes
 * that support each other would else outshout the one warning that belongs to the query.
 *
 * @param candidates with their scores in the other arms
 * @param edges with both ends visible, within two hops of the best
 */
export function withGraph<T extends ArmScores>(
  candidates: readonly T[],
  edges: readonly WalkedEdge[],
  weights: RecallWeights['arms'],
): T[] {
  const anchors = anchorsOf(candidates, weights);
  const rank = personalizedPageRank(anchors, edges);
  const vouched = (id: string): number => (anchors.has(id) ? 0 : (rank.get(id) ?? 0));
  const best = Math.max(0, ...candidates.map(({ id }) => vouched(id)));
  return candidates.map((candidate) => {
    const score = vouched(candidate.id);
    return { ...candidate, graph: score > 0 && score >= LEAST_SHARE * best ? score : null };
  });
}

function anchorsOf(
  candidates: readonly ArmScores[],
  weights: RecallWeights['arms'],
): Map<string, number> {
  const found = candidates.filter(
    ({ lexical, dense }) => (lexical ?? 0) > 0 || (dense ?? 0) >= LEAST_COSINE,
  );
  const best = fuse(
    found.map((one) => ({ ...one, graph: null })),
    weights,
  ).slice(0, MOST_ANCHORS);
  return new Map(best.map(({ id, relevance }) => [id, relevance]));
}
