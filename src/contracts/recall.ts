import type { Card } from './card';
import type { JsonObject } from './event';
import type { CardKind, Intent, RecallProfile, Section, Sign, Via } from './names';

/** `POST /v1/recall`. Scope comes from the credential and is never part of the body. */
export interface RecallRequest {
  query: string;
  /** By rules from the query when absent. */
  intent?: Intent;
  profile?: RecallProfile;
  /** Cards in the answer, 5 unless the policy says otherwise. */
  limit?: number;
  /** o200k tokens of `context`, 1,000 unless the policy says otherwise. */
  budget_tokens?: number;
  /** Bounds the world: `valid_from` and `valid_to`. RFC 3339; a future one is allowed. */
  as_of?: string;
  /** Bounds what had been recorded, and is `now` in every formula. */
  known_at?: string;
  project?: string;
  /** A subject: cards about it and about nobody in particular, and none about others. */
  about?: string;
  filters?: RecallFilters;
  /** Answers 304 when this is still the version. */
  if_context_version?: string;
  explain?: boolean;
}

export interface RecallFilters {
  kind?: CardKind | CardKind[];
  sign?: Sign | Sign[];
  service?: string;
  operation?: string;
  workflow?: string;
  step?: string;
  subject?: string;
  topic?: string;
  project?: string;
  session?: string;
  since?: string;
  until?: string;
  key?: string;
  /** Contained in the card's metadata. */
  metadata?: JsonObject;
}

export interface RecalledCard extends Card {
  score: number;
  /** The nearest way in which the reader sees it; `vias` has them all. */
  via: Via;
  vias: Via[];
  /** Near-identical cards that this one stands for, itself counted. */
  folded?: Folded;
  /** Ids of the later successes that answer this warning. */
  resolved_by?: string[];
  /** Of a success that nothing has followed yet, or a lesson: a value of which it speaks has failed since. */
  outdated?: OutdatedValue;
  /** With `explain`: every factor of the score by name. */
  terms?: ScoreTerms;
}

export interface Folded {
  count: number;
  last_at: string;
}

/** A field's value that worked and works no longer. */
export interface OutdatedValue {
  /** Its path in the inputs. */
  field: string;
  /** Empty where nothing was given. */
  value: string;
  since: string;
  /** The failure that says so. */
  by: string;
}

/** Factors of a score by name; `score` is what they came to. */
export type ScoreTerms = Record<string, number>;

export const DROP_REASONS = [
  'not_relevant',
  'policy',
  'conflict',
  'open_contradiction',
  'derived_from_loser',
  'outdated_value',
  'folded',
  'older_lesson',
  'limit',
  'budget',
] as const;
export type DropReason = (typeof DROP_REASONS)[number];

export interface Dropped {
  id: string;
  reason: DropReason;
  /**
   * The card that stands in its place: of a conflict the winner, also over what it came of; of an outdated value the card
   * that says so; of a fold the card shown.
   */
  winner?: string;
  terms?: ScoreTerms;
}

export interface RecallSection {
  name: Section;
  title: string;
  cards: string[];
}

/** How many cards of each way of being visible were there to be found. */
export type Pools = Record<Via, number>;

export interface RecallAnswer {
  recall_id: string;
  context_version: string;
  /** Arms that were left out, e.g. `dense` when the query's embedding was late. */
  degraded?: string[];
  intent: Intent;
  /** Ready for a prompt; empty when nothing was found. */
  context: string;
  tokens: number;
  sections: RecallSection[];
  cards: RecalledCard[];
  /** With `explain`. */
  dropped?: Dropped[];
  pools: Pools;
  took_ms: number;
}

export interface RecallFeedback {
  card_id: string;
  useful: boolean;
}
