import type { EdgeType } from '../contracts/names';

/** An edge whose ends the reader can both see; it is walked either way. */
export interface WalkedEdge {
  from: string;
  to: string;
  /** `shares`: no edge, but a name that few cards have. */
  type: EdgeType | 'shares';
  /** 0–1. */
  confidence: number;
}

/** Design §4: the graph arm fetches at most this many visible edges. */
export const WALKED_EDGES_LIMIT = 2_000;
/** Share that goes back to the anchors at every step: a walk of about two hops, as many as are fetched. */
const RETURN = 0.5;
/** The rest halves with each step, so that after these less than a thousandth is still under way. */
const STEPS = 12;

/** How well a card at one end vouches for the relevance of the other; a contradiction does least. */
const PULL: Readonly<Record<WalkedEdge['type'], number>> = {
  supports: 1,
  constrains: 1,
  satisfies: 1,
  derived_from: 1,
  supersedes: 0.5,
  shares: 0.5,
  conflicts: 0.25,
};

/**
 * Personalized PageRank from the anchors over visible edges (design §4, after HippoRAG): the chance
 * that a walk that keeps returning to the anchors is at a card, by id, anchors included; the scores
 * sum to 1. Anchors are weighted by how relevant they are; those of weight 0 or less are left out.
 * The order of anchors and edges does not matter.
 */
export function personalizedPageRank(
  anchors: ReadonlyMap<string, number>,
  edges: readonly WalkedEdge[],
): Map<string, number> {
  const start = [...anchors].filter(([, weight]) => weight > 0).sort(byId);
  const total = start.reduce((sum, [, weight]) => sum + weight, 0);
  if (total === 0) return new Map();
  const home = new Map(start.map(([id, weight]) => [id, weight / total]));
  const ways = waysOf(edges);
  let rank = home;
  for (let step = 0; step < STEPS; step += 1) {
    const next = new Map([...home].map(([id, share]) => [id, RETURN * share]));
    const add = (id: string, share: number) => next.set(id, (next.get(id) ?? 0) + share);
    for (const [id, share] of [...rank].sort(byId)) {
      const out = ways.get(id);
      // A card without a way on sends its share home, or it would be lost.
      if (!out) for (const [anchor, part] of home) add(anchor, (1 - RETURN) * share * part);
      else for (const [to, part] of out) add(to, (1 - RETURN) * share * part);
    }
    rank = next;
  }
  return new Map([...rank].sort(byId));
}

function waysOf(edges: readonly WalkedEdge[]): Map<string, [string, number][]> {
  const weights = new Map<string, Map<string, number>>();
  for (const { from, to, type, confidence } of edges) {
    const weight = PULL[type] * Math.min(1, Math.max(0, confidence));
    if (from === to || !(weight > 0)) continue;
    for (const [a, b] of [
      [from, to],
      [to, from],
    ] as const) {
      const ways = weights.get(a) ?? new Map<string, number>();
      // Of several edges between two cards the strongest counts.
      ways.set(b, Math.max(ways.get(b) ?? 0, weight));
      weights.set(a, ways);
    }
  }
  return new Map(
    [...weights].map(([id, ways]) => {
      const sorted = [...ways].sort(byId);
      const sum = sorted.reduce((all, [, weight]) => all + weight, 0);
      return [id, sorted.map(([to, weight]) => [to, weight / sum])];
    }),
  );
}

function byId(a: readonly [string, number], b: readonly [string, number]): number {
  return a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0;
}
