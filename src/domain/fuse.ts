import type { RecallArm, RecallWeights } from '../contracts/policy';
import { RECALL_ARMS } from '../contracts/policy';

/** One card's raw score in each arm; null or left out where the arm did not bring it. */
export type ArmScores = Readonly<Partial<Record<RecallArm, number | null>>> & {
  readonly id: string;
};

export interface Relevance {
  id: string;
  /** (0, 1]; the best candidate has 1. */
  relevance: number;
  /** The normalised score of each arm that took part, before its weight. */
  arms: Partial<Record<RecallArm, number>>;
}

/**
 * What an arm gives a card that it did not bring: cosine has no zero, so the least one seen stands
 * for it; every other arm counts what it found, and a card it did not find has none of it.
 */
const MISSING_IS_LEAST: Readonly<Record<RecallArm, boolean>> = {
  dense: true,
  dense_context: true,
  lexical: false,
  lexical_context: false,
  graph: false,
  structured: false,
  named: false,
  time: false,
  neighbour: false,
  episode: false,
  substance: true,
  recency: false,
};

/**
 * One standard deviation of each arm over a whole corpus; a share of the largest score found where
 * `ofLargest`. Measured on LoCoMo (760 questions): cosine of all-MiniLM-L6-v2 0.122, BM25 0.110 of
 * the best. Fixed, and not taken from the candidates, because those are the top of each arm: with
 * their own mean and deviation recall@10 fell from .675 to .661 (100 an arm) and to .652 (30), with
 * these it is .673 whatever the number. The other three are bounded scores of our own.
 */
export const ARM_SPREAD: Readonly<Record<RecallArm, { spread: number; ofLargest: boolean }>> = {
  dense: { spread: 0.122, ofLargest: false },
  dense_context: { spread: 0.122, ofLargest: false },
  lexical: { spread: 0.11, ofLargest: true },
  lexical_context: { spread: 0.11, ofLargest: true },
  graph: { spread: 0.2, ofLargest: true },
  structured: { spread: 0.25, ofLargest: false },
  named: { spread: 0.25, ofLargest: false },
  time: { spread: 0.25, ofLargest: false },
  // Deviations already: the store adds up the arms above.
  neighbour: { spread: 1, ofLargest: false },
  episode: { spread: 1, ofLargest: false },
  // ln(1 + words): a text half as long again is 0.8 deviations.
  substance: { spread: 0.5, ofLargest: false },
  recency: { spread: 0.25, ofLargest: false },
};

/** Cosine below which a card that no other arm found is not an answer to the query. */
export const LEAST_COSINE = 0.1;

/**
 * Weighted standard deviations that cost relevance a factor of e. Twelve arms spread further than five did:
 * with 1 an intent's factor of 2 lifted what hardly fits above what does (recall@10 .786 against .794).
 */
const TEMPERATURE = 0.4;

/**
 * Merges the arms of a recall: scores in standard deviations of their arm, weighted (retrieval.md:
 * .65 dense + .35 lexical, which beats rank fusion); an arm that brought nothing leaves the decision
 * to the rest. The sum is mapped to e^((z − best) / 0.4), so that a factor of the evidence score (an
 * intent's 2) is worth 0.4 · ln 2 = 0.3 deviations. Best first; ties by id.
 *
 * Give each candidate its score in every arm, also in those that did not bring it, where it can be
 * had: left out, recall@10 is .666 with 100 candidates an arm, .651 with 30.
 */
export function fuse(
  candidates: readonly ArmScores[],
  weights: RecallWeights['arms'],
): Relevance[] {
  const present = RECALL_ARMS.filter(
    (arm) => weights[arm] > 0 && candidates.some((one) => isScore(one[arm])),
  );
  const normal = new Map(present.map((arm) => [arm, deviations(candidates, arm)]));
  const fused = candidates.map((one, index) => {
    const arms: Partial<Record<RecallArm, number>> = {};
    let z = 0;
    for (const arm of present) {
      const score = normal.get(arm)?.[index] ?? 0;
      arms[arm] = score;
      z += weights[arm] * score;
    }
    return { id: one.id, z, arms };
  });
  const best = fused.reduce((most, one) => Math.max(most, one.z), Number.NEGATIVE_INFINITY);
  return fused
    .map(({ id, z, arms }) => ({
      id,
      relevance: Math.max(Number.MIN_VALUE, Math.exp((z - best) / TEMPERATURE)),
      arms,
    }))
    .sort((a, b) => b.relevance - a.relevance || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

/** Where the mean lies moves every card alike, so the least score found is the zero. */
function deviations(candidates: readonly ArmScores[], arm: RecallArm): number[] {
  const found = candidates.map((one) => one[arm]).filter(isScore);
  const least = MISSING_IS_LEAST[arm] ? Math.min(...found) : 0;
  const { spread, ofLargest } = ARM_SPREAD[arm];
  const unit = ofLargest ? spread * Math.max(0, ...found) : spread;
  return candidates.map((one) => {
    const score = one[arm];
    return unit > 0 ? ((isScore(score) ? score : least) - least) / unit : 0;
  });
}

function isScore(value: number | null | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
