import type { ReflectionCard } from './card';

/** A bound that a service named: `at most 100 items`. */
export interface Limit {
  /** As it is told. */
  text: string;
  /** Two of one mark are the same limit. */
  mark: string;
}

const WORDS = [
  'at most',
  'no more than',
  'not more than',
  'not exceed(?:ing)?',
  'up to',
  'max(?:imum)?(?: allowed)?(?: value| size| length| number)?(?: is| of|:)?',
  'limit(?:ed)?(?: is| of| to|:)?',
  'at least',
  'no fewer than',
  'min(?:imum)?(?: value| length| number)?(?: is| of|:)?',
].join('|');
const UNIT =
  '(?:\\s?%|\\s?[kmg]i?b\\b|\\s+(?!(?:and|or|but|was|were|is|are|for|of|the|with|got|in|at|per|a|an|each|every|exceeded|reached)\\b)[a-z][a-z-]{1,24})?';
const PER = '(?:\\s+(?:per|a|an|each|every)\\s+[a-z]{3,20})?';
const LIMIT = new RegExp(`\\b(${WORDS})\\s+(\\d[\\d,]*(?:\\.\\d+)?)(${UNIT}${PER})`, 'gi');
const LEAST = /^(?:at least|no fewer|min)/;

/** The limits that a warning names; a number that only happens to stand there is none. */
export function limitsIn(summary: string): Limit[] {
  const found = new Map<string, Limit>();
  for (const [, words = '', figure = '', unit = ''] of summary.matchAll(LIMIT)) {
    const side = LEAST.test(words.toLowerCase()) ? 'at least' : 'at most';
    const text = `${side} ${figure}${unit.toLowerCase().trimEnd()}`;
    const mark = `${side} ${figure.replaceAll(',', '')}`;
    if (!found.has(mark)) found.set(mark, { text, mark });
  }
  return [...found.values()];
}

/** The warnings that name each limit, by its mark. */
export function warningsByLimit(
  warnings: readonly ReflectionCard[],
): Map<string, { limit: Limit; cards: ReflectionCard[] }> {
  const byMark = new Map<string, { limit: Limit; cards: ReflectionCard[] }>();
  for (const card of warnings) {
    for (const limit of limitsIn(card.summary)) {
      const known = byMark.get(limit.mark);
      if (known === undefined) byMark.set(limit.mark, { limit, cards: [card] });
      else known.cards.push(card);
    }
  }
  return byMark;
}
