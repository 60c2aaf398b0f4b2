import { bm25, lexicalTerms, termCount } from '../../src/domain/terms';
import type { Embedder } from '../../src/models/embedder';

export interface StoredCard {
  id: string;
  /** Of the indexed text, at unit length. */
  vector: number[];
  terms: Map<string, number>;
}

/** Weights of plain fusion by standard scores; the best of the measured baselines. */
const DENSE = 0.65;
const LEXICAL = 0.35;
/** The usual constant of reciprocal rank fusion. */
const RANK = 60;

/** What single methods make of the same cards: ids, best first, by method. */
export function rankings(
  cards: readonly StoredCard[],
  embedder: Embedder,
): (query: string) => Promise<Record<string, string[]>> {
  const lengths = cards.map(({ terms }) => termCount(terms));
  const frequency = new Map<string, number>();
  for (const { terms } of cards) {
    for (const term of terms.keys()) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  }
  const corpus = {
    documents: cards.length,
    averageLength: lengths.reduce((sum, length) => sum + length, 0) / cards.length,
    documentFrequency: (term: string) => frequency.get(term) ?? 0,
  };
  const order = (scores: number[]): number[] =>
    scores.map((_, index) => index).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  const ids = (indexes: number[]) => indexes.map((index) => cards[index]?.id ?? '');
  return async (query) => {
    const [vector] = await embedder.embed([query], undefined, { priority: 'query' });
    const terms = lexicalTerms(query);
    const lexical = cards.map((card) => bm25(terms, card.terms, corpus));
    const dense = cards.map((card) =>
      card.vector.reduce((sum, value, at) => sum + value * (vector?.[at] ?? 0), 0),
    );
    const ranks = [lexical, dense].map((scores) => {
      const place = new Map(order(scores).map((index, rank) => [index, rank]));
      return cards.map((_, index) => 1 / (RANK + 1 + (place.get(index) ?? cards.length)));
    });
    const [zDense, zLexical] = [standard(dense), standard(lexical)];
    return {
      bm25: ids(order(lexical)),
      dense: ids(order(dense)),
      rank_fusion: ids(order(cards.map((_, at) => (ranks[0]?.[at] ?? 0) + (ranks[1]?.[at] ?? 0)))),
      score_fusion: ids(
        order(cards.map((_, at) => DENSE * (zDense[at] ?? 0) + LEXICAL * (zLexical[at] ?? 0))),
      ),
    };
  };
}

function standard(scores: number[]): number[] {
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const variance = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / scores.length;
  return scores.map((score) => (score - mean) / (Math.sqrt(variance) || 1));
}
