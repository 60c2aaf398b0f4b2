import type { RecallArm, RecallWeights } from '../contracts/policy';
import { RECALL_ARMS } from '../contracts/policy';

/** One card's raw score in each arm; null where the arm did not bring it. */
export type ArmScores = Readonly<Record<RecallArm, number | null>> & { readonly id: string };

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
  lexical: false,
  graph: false,
  structured: false,
  recency: false,
};

/**
 * Least spread that counts as one standard deviation: with a handful of candidates the real one can
 * be next to nothing, and a cosine of .62 against .61 must not decide a recall. Cosine's is absolute
 * (about half of its spread over a LoCoMo conversation); the others' is this share of the largest.
 */
const LEAST_SPREAD_DENSE = 0.05;
const LEAST_SPREAD_SHARE = 0.2;

/** Widths that a score of one standard deviation less costs: relevance falls by 1/e. */
const TEMPERATURE = 1;

/**
 * Merges the arms of a recall: z-scores per arm, weighted (retrieval.md: .65 dense + .35 lexical,
 * which beats rank fusion), an arm that brought nothing leaving its weight to the rest. The sum is
 * mapped to e^(z − best), so that a factor of the evidence score (an intent's 2) is worth ln 2 = 0.7
 * standard deviations. Best first; ties by id.
 */
export function fuse(
  candidates: readonly ArmScores[],
  weights: RecallWeights['arms'],
): Relevance[] {
  const present = RECALL_ARMS.filter(
    (arm) => weights[arm] > 0 && candidates.some((one) => isScore(one[arm])),
  );
  const total = present.reduce((sum, arm) => sum + weights[arm], 0);
  const normal = new Map(present.map((arm) => [arm, zScores(candidates, arm)]));
  const fused = candidates.map((one, index) => {
    const arms: Partial<Record<RecallArm, number>> = {};
    let z = 0;
    for (const arm of present) {
      const score = normal.get(arm)?.[index] ?? 0;
      arms[arm] = score;
      z += (weights[arm] / total) * score;
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

function zScores(candidates: readonly ArmScores[], arm: RecallArm): number[] {
  const found = candidates.map((one) => one[arm]).filter(isScore);
  const missing = MISSING_IS_LEAST[arm] ? Math.min(...found) : 0;
  const raw = candidates.map((one) => (isScore(one[arm]) ? one[arm] : missing));
  // Sorted before summing, so that the order of the rows cannot move the last digit.
  const sorted = [...raw].sort((a, b) => a - b);
  const mean = sum(sorted) / sorted.length;
  const variance = sum(sorted.map((value) => (value - mean) ** 2)) / sorted.length;
  const largest = Math.max(...sorted.map(Math.abs));
  const least = arm === 'dense' ? LEAST_SPREAD_DENSE : LEAST_SPREAD_SHARE * largest;
  const spread = Math.max(Math.sqrt(variance), least);
  return raw.map((value) => (spread > 0 ? (value - mean) / spread : 0));
}

function isScore(value: number | null | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
