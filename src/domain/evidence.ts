import type { Card } from '../contracts/card';
import type { Intent, RecallProfile } from '../contracts/names';
import type { RecallWeights } from '../contracts/policy';
import type { ScoreTerms } from '../contracts/recall';
import { confidenceNow } from './confidence';
import { latestOf, wholeDays, wholeHours } from './read-time';

/** What the evidence score reads of a card. */
export interface EvidenceCard
  extends Pick<
    Card,
    'kind' | 'sign' | 'importance' | 'confidence' | 'trust' | 'key' | 'valid_from'
  > {
  /** The latest of recorded, used, edited and validated; RFC 3339. */
  touched_at: string;
  proven_uses: number;
  /** Cosine with the query, or null where a vector is missing. */
  dense: number | null;
  /** (0, 1], of `fuse`. */
  relevance: number;
}

export interface EvidenceContext {
  intent: Intent;
  profile: RecallProfile;
  /** Epoch milliseconds; `known_at` where a recall gives one. */
  now: number;
  weights: RecallWeights;
}

/** Null importance counts as this of 10 (design §7). */
export const DEFAULT_IMPORTANCE = 5;

/** The latest of recorded, used, edited and validated (design §7). */
export function touchedAt(card: {
  recorded_at: string;
  last_used_at: string | null;
  edited_at: string | null;
  validated_at: string | null;
}): string {
  return latestOf(card.recorded_at, card.last_used_at, card.edited_at, card.validated_at);
}

/**
 * The evidence score with its factors by name; `score` is their product (design §7):
 *
 * relevance × intent (2 for the favoured kinds) × uses (1 + 0.15·ln(1 + proven uses)) × recency
 * (e^(−days since touched / 30), at least 0.3) × sign (failed 1.1 when acting, worked 1.05, neutral
 * 1) × importance (0.5 + importance/20) × confidence as it stands now × trust (person 1, runtime 1,
 * agent 0.9, web 0.6). Profile `episodic` is a sum instead: 0.4·cosine + 0.3·e^(−0.01·hours) +
 * 0.3·importance/10, unscored importance 0.5; without a vector of the card or of the query relevance stands
 * for cosine, and is then among the terms.
 *
 * Ages are whole, so the same day gives the same score. A note (a card with a key) does not decay.
 */
export function evidence(card: EvidenceCard, context: EvidenceContext): ScoreTerms {
  switch (context.profile) {
    case 'fleet':
      return fleet(card, context);
    case 'episodic':
      return episodic(card, context);
    default:
      return context.profile satisfies never;
  }
}

/** The same terms for a card on one end of an open contradiction: halved (design §7). */
export function halved(terms: ScoreTerms, weights: RecallWeights): ScoreTerms {
  return {
    ...terms,
    contradiction: weights.contradiction,
    score: (terms.score ?? 0) * weights.contradiction,
  };
}

function fleet(card: EvidenceCard, { intent, now, weights }: EvidenceContext): ScoreTerms {
  const days = card.key === null ? wholeDays(card.touched_at, now) : 0;
  const terms = {
    relevance: card.relevance,
    intent: weights.intents[intent].includes(card.kind) ? weights.intent : 1,
    uses: 1 + weights.uses * Math.log1p(Math.max(0, card.proven_uses)),
    recency: Math.max(weights.recency_floor, Math.exp(-days / weights.recency_days)),
    sign:
      card.sign === 'failed' && intent === 'act' ? weights.failed_acting : weights.signs[card.sign],
    importance: 0.5 + importanceOf(card) / 20,
    confidence: confidenceNow(card.confidence, days),
    trust: weights.trust[card.trust],
  };
  return { ...terms, score: Object.values(terms).reduce((product, term) => product * term, 1) };
}

/** Created means happened here: an episode that is imported late is as old as it is. */
function episodic(card: EvidenceCard, { now, weights }: EvidenceContext): ScoreTerms {
  const shares = weights.episodic;
  const similarity = Math.min(1, Math.max(0, card.dense ?? card.relevance));
  const hours = wholeHours(card.valid_from, now);
  const summands = {
    similarity: shares.similarity * similarity,
    recency: shares.recency * Math.exp(-shares.decay_per_hour * hours),
    importance: shares.importance * (importanceOf(card) / 10),
  };
  return {
    ...(card.dense === null ? { relevance: similarity } : {}),
    ...summands,
    score: summands.similarity + summands.recency + summands.importance,
  };
}

function importanceOf(card: EvidenceCard): number {
  return Math.min(10, Math.max(0, card.importance ?? DEFAULT_IMPORTANCE));
}
