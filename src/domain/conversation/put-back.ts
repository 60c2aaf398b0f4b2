import type { DetailKind, MessageRole } from '../../contracts/conversation';
import { lexicalTerms } from '../terms';
import { missingFrom } from './check';
import { type Budget, LINE_COST, lineOf, PART_OF } from './summary';
import { summaryParts, summaryText } from './summary-text';

/** What a summary is given back: a clause, and who said it when. */
export interface PutBack {
  kind: DetailKind;
  text: string;
  name: string | null;
  role: MessageRole;
  at: string;
  weight: number;
}

/** What came back, and what had no room. */
export interface Restored<Detail> {
  text: string;
  put: Detail[];
  left: Detail[];
}

/** Tokens: a day, a name and two words. */
const SHORTEST_LINE = 12;

/**
 * Puts back what the check found missing: decisions first, then what is open, then the concrete by its weight, a clause
 * a line. For decisions and open items the story makes room. What has none stays where it is found when it is asked about.
 */
export function putBack<Detail extends PutBack>(
  summary: string,
  missing: readonly Detail[],
  { tokens, count }: Budget,
): Restored<Detail> {
  const parts = summaryParts(summary);
  const order: Readonly<Record<DetailKind, number>> = { decision: 0, open: 1, concrete: 2 };
  const queue = [...missing].sort(
    (a, b) => order[a.kind] - order[b.kind] || b.weight - a.weight || (a.at < b.at ? -1 : 1),
  );
  let used = count(summaryText(parts));
  const put: Detail[] = [];
  const left: Detail[] = [];
  for (const detail of queue) {
    if (detail.kind === 'concrete' && used + SHORTEST_LINE > tokens) {
      left.push(detail);
      continue;
    }
    const line = lineOf(detail);
    const price = count(line) + LINE_COST;
    while (detail.kind !== 'concrete' && used + price > tokens && parts.story.length > 0) {
      const dropped = parts.story.shift() ?? '';
      used -= count(dropped) + LINE_COST;
    }
    if (used + price > tokens) {
      left.push(detail);
      continue;
    }
    parts[PART_OF[detail.kind]].push(line);
    used += price;
    put.push(detail);
  }
  return { text: summaryText(parts), put, left };
}

/** The details that the text does not hold in full. @returns those, and those that it does */
export function checked<Detail extends { items: readonly string[]; terms: readonly string[] }>(
  summary: string,
  details: readonly Detail[],
): { held: Detail[]; missing: Detail[] } {
  const gaps = new Set(missingFrom(summary, details).map(({ detail }) => detail));
  const lines = linesOfWords(summary);
  const held: Detail[] = [];
  const missing: Detail[] = [];
  for (const detail of details) {
    const isHeld = !gaps.has(detail) && isTold(lines, detail.terms);
    (isHeld ? held : missing).push(detail);
  }
  return { held, missing };
}

/** A line of its own says it: most of its words stand together. */
const TOLD = 0.6;

/** Which lines hold a word. */
type LinesOfWords = ReadonlyMap<string, readonly number[]>;

function linesOfWords(summary: string): LinesOfWords {
  const held = new Map<string, number[]>();
  for (const [at, line] of summary.split('\n').entries()) {
    for (const term of lexicalTerms(line).keys()) held.set(term, [...(held.get(term) ?? []), at]);
  }
  return held;
}

function isTold(lines: LinesOfWords, terms: readonly string[]): boolean {
  if (terms.length === 0) return true;
  const shared = new Map<number, number>();
  for (const term of terms) {
    for (const line of lines.get(term) ?? []) {
      const count = (shared.get(line) ?? 0) + 1;
      if (count / terms.length >= TOLD) return true;
      shared.set(line, count);
    }
  }
  return false;
}
