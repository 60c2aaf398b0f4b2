import { bm25Term, inverseDocumentFrequency } from '../terms';

/** A skill as it is looked for; `terms` are those of the query that its card holds. */
export interface SkillCandidate {
  id: string;
  terms: Readonly<Record<string, number>>;
  /** Terms of its card in all. */
  length: number;
  /** Cosine to the query; null without a vector on either side. */
  similarity: number | null;
}

/** Below this two texts are about different things, whatever the model. */
const LEAST_SIMILARITY = 0.3;

/**
 * Skills by how well they fit a query, the best first: half by its words (BM25 over the skills that are
 * visible), half by meaning, each relative to the best. What shares no word and is not near is left out.
 */
export function rankSkills(candidates: readonly SkillCandidate[]): { id: string; score: number }[] {
  const lexical = lexicalScores(candidates);
  const best = Math.max(...lexical, 0);
  const nearest = Math.max(...candidates.map(({ similarity }) => similarity ?? 0), 0);
  const hasVectors = nearest >= LEAST_SIMILARITY;
  return candidates
    .map(({ id, similarity }, at) => {
      const words = best > 0 ? (lexical[at] ?? 0) / best : 0;
      const near = hasVectors && (similarity ?? 0) >= LEAST_SIMILARITY;
      const meaning = near ? (similarity ?? 0) / nearest : 0;
      return { id, score: hasVectors ? (words + meaning) / 2 : words };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

function lexicalScores(candidates: readonly SkillCandidate[]): number[] {
  const holding = new Map<string, number>();
  for (const { terms } of candidates) {
    for (const term of Object.keys(terms)) holding.set(term, (holding.get(term) ?? 0) + 1);
  }
  const total = candidates.reduce((sum, { length }) => sum + length, 0);
  const average = candidates.length === 0 ? 0 : total / candidates.length;
  return candidates.map(({ terms, length }) =>
    Object.entries(terms).reduce((sum, [term, frequency]) => {
      const idf = inverseDocumentFrequency(candidates.length, holding.get(term) ?? 0);
      return sum + bm25Term(frequency, idf, length, average);
    }, 0),
  );
}
