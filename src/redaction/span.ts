import type { RedactionType } from '../contracts/names';
import type { Budget } from './budget';

/**
 * A stretch of text to be replaced. Offsets are UTF-16 units, `end` exclusive. `normalised` is set
 * for contact data only: what the tag is computed from, so that spellings of one address agree.
 */
export interface Span {
  start: number;
  end: number;
  type: RedactionType;
  normalised?: string;
}

/** What a detector reads: text already folded to one spelling, with old placeholders masked. */
export interface Scan {
  readonly text: string;
  readonly budget: Budget;
  readonly names: readonly string[];
  /** The text is all that was said: no member of an object, no key, no identifier. */
  readonly isWhole: boolean;
  readonly spans: Span[];
}

export type Detector = (scan: Scan) => void;

/** Stands in the scanned copy for each character of a placeholder that was there before. */
export const MASK = '\uFFFC';

/** The stronger reading wins when spans overlap: a secret is never shown as contact data. */
const RANK: Readonly<Record<RedactionType, number>> = {
  failed: 12,
  private_key: 11,
  auth_header: 10,
  password: 9,
  token: 8,
  iban: 7,
  card: 6,
  ssn: 5,
  email: 4,
  phone: 3,
  external_ip: 2,
  name: 1,
};

/** Sorted, disjoint spans: the union of those that overlap, under the strongest type of each group. */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const sorted = [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
  const merged: Span[] = [];
  for (const span of sorted) {
    const last = merged[merged.length - 1];
    if (last === undefined || span.start >= last.end) {
      merged.push({ ...span });
      continue;
    }
    const end = Math.max(last.end, span.end);
    const stronger = RANK[span.type] > RANK[last.type] ? span : last;
    merged[merged.length - 1] = { ...stronger, start: last.start, end };
  }
  return merged;
}
