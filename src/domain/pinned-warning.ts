import type { Card } from '../contracts/card';
import type { ScoreTerms } from '../contracts/recall';
import { isWarning } from './link-confidence';
import { lexicalTerms } from './terms';

/**
 * Share of the best card's relevance that a warning needs to be put before everything: about four
 * standard deviations below the best, where a card of the same service still speaks of the matter.
 */
export const RELEVANT_SHARE = 0.00005;

interface Pinnable extends Pick<Card, 'kind' | 'sign' | 'hints'> {
  terms: ScoreTerms;
  resolved_at: string | null;
}

/**
 * The warning an agent about to act must read first, or null: the best unresolved one of the service
 * the query is about, as long as it is relevant. That service is the one the filters name, else the
 * one the query names, else that of the most relevant card. `ranked` is best first.
 */
export function pinnedWarning<T extends Pinnable>(
  ranked: readonly T[],
  query: string,
  filters: { service?: string },
): T | null {
  const service = filters.service ?? namedService(ranked, query) ?? likeliestService(ranked);
  if (service === null) return null;
  const mostRelevant = Math.max(0, ...ranked.map(relevanceOf));
  return (
    ranked.find(
      (card) =>
        isWarning(card) &&
        card.hints.service === service &&
        card.resolved_at === null &&
        relevanceOf(card) >= RELEVANT_SHARE * mostRelevant,
    ) ?? null
  );
}

/**
 * Who is best at what is planned, or null: of the records of a task that the query names the surest, else the
 * first record that is relevant. `ranked` is best first.
 */
export function pinnedCompetence<T extends Pinnable & Pick<Card, 'confidence'>>(
  ranked: readonly T[],
  query: string,
): T | null {
  const records = ranked.filter((card) => card.kind === 'competence');
  const asked = lexicalTerms(query);
  const named = records.filter(({ hints }) => areAsked(hints.task_type, asked));
  const [surest] = named.toSorted((a, b) => b.confidence - a.confidence);
  if (surest !== undefined) return surest;
  const mostRelevant = Math.max(0, ...ranked.map(relevanceOf));
  return records.find((card) => relevanceOf(card) >= RELEVANT_SHARE * mostRelevant) ?? null;
}

function areAsked(label: string | null, asked: ReadonlyMap<string, number>): boolean {
  const words = [...lexicalTerms(label ?? '').keys()];
  return words.length > 0 && words.every((word) => asked.has(word));
}

function namedService(cards: readonly Pinnable[], query: string): string | null {
  const asked = lexicalTerms(query);
  const named = cards.find(({ hints }) => areAsked(hints.service, asked));
  return named?.hints.service ?? null;
}

function likeliestService(cards: readonly Pinnable[]): string | null {
  const [likeliest] = cards
    .filter((card) => card.hints.service !== null)
    .sort((a, b) => relevanceOf(b) - relevanceOf(a));
  return likeliest?.hints.service ?? null;
}

/** In profile `episodic` similarity stands for it, of every card. */
function relevanceOf(card: Pinnable): number {
  return card.terms.similarity ?? card.terms.relevance ?? 0;
}
