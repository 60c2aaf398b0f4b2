import { compareInputs } from './alike-inputs';
import type { InputFields } from './input-fields';
import { lexicalTerms } from './terms';

/** A vector as Postgres, the embedder or a test gives it. */
export type Vector = ArrayLike<number>;

/** Cosine in [−1, 1]; 0 where the lengths differ or one is all zeros, never NaN. */
export function cosine(a: Vector, b: Vector): number {
  if (a.length !== b.length || a.length === 0) return 0;
  let dot = 0;
  let normA = 0;
  let normB = 0;
  for (let index = 0; index < a.length; index += 1) {
    const x = a[index] ?? 0;
    const y = b[index] ?? 0;
    dot += x * y;
    normA += x * x;
    normB += y * y;
  }
  const norm = Math.sqrt(normA) * Math.sqrt(normB);
  if (!(norm > 0)) return 0;
  const value = dot / norm;
  return Number.isFinite(value) ? Math.min(1, Math.max(-1, value)) : 0;
}

/**
 * Overlap of two texts' term sets (Jaccard), 0–1; two texts without a term are alike when they are
 * the same text. What stands in for cosine where a vector is missing.
 */
export function textSimilarity(a: string, b: string): number {
  const left = lexicalTerms(a);
  const right = lexicalTerms(b);
  if (left.size === 0 || right.size === 0) return a.trim() === b.trim() ? 1 : 0;
  return overlap(new Set(left.keys()), new Set(right.keys()));
}

/** Jaccard overlap of two sets, 0–1; 0 when both are empty. */
export function overlap(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let shared = 0;
  for (const item of left) if (right.has(item)) shared += 1;
  const union = left.size + right.size - shared;
  return union === 0 ? 0 : shared / union;
}

/**
 * Weighted overlap of two calls' inputs in [0, 1] (design §7, *alike inputs*): the sum over all
 * fields of weight × sameness, divided by the sum of the weights. A field that identifies the thing
 * (an id, a name, a query, a date, a path) weighs 3, a flag or a way of doing it 0.5, anything else 1.
 * Equal values count 1, a near string up to 0.7, a near number up to 0.5, a value against none 0.5, a
 * field that one side lacks 0. Symmetric; 1 for identical inputs, also for two calls without any.
 *
 * @example alikeInputs({ channel: 'External' }, { channel: 'External_0' }) // 0.65
 * @example alikeInputs({ channel: 'External' }, { channel: 'general' }) // 0
 */
export function alikeInputs(a: InputFields, b: InputFields): number {
  return compareInputs(a, b).alike;
}
