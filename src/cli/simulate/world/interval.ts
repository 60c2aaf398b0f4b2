export interface Interval {
  mean: number;
  /** Ends of the 95 % interval of the mean; both are the mean where there is one value only. */
  low: number;
  high: number;
}

/** Student's t at 97.5 %, by degrees of freedom from 1; beyond the list, the normal's. */
const T = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228] as const;

/** Mean of one value a seed, with its 95 % t-interval. Throws where there is none. */
export function intervalOf(values: readonly number[]): Interval {
  const n = values.length;
  if (n === 0) throw new Error('no values to average');
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  if (n === 1) return { mean, low: mean, high: mean };
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1);
  const half = (T[n - 2] ?? 1.96) * Math.sqrt(variance / n);
  return { mean, low: mean - half, high: mean + half };
}
