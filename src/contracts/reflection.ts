import type { PassBudget, UnitInput } from './passes';

/** Where a reading of cards has come to: when the card was recorded, and its id. */
export interface Cursor {
  id: string;
  /** RFC 3339, to the millisecond. */
  at: string;
}

/** Cards that are looked at together, with the versions that they were read in. */
export interface ReflectionBatch {
  /** From 1. */
  n: number;
  cards: { id: string; version: number }[];
  /** The most that asking a model about them can cost; null where the stand-in looks. */
  cost: { calls: number; tokens: number } | null;
}

/** What a reflection of one scope is going to do. */
export interface ReflectionPlan {
  batches: ReflectionBatch[];
  /** Where the reading has come to once so many batches are done, none at first; null: as before. */
  cursors: (Cursor | null)[];
  /** Whether cards are left that nobody has looked at. */
  more: boolean;
  budget: Required<PassBudget>;
}

/** What one step of a reflection is told. */
export interface ReflectionStep {
  unit: UnitInput;
  batch: ReflectionBatch;
}

/** What a model, or the stand-in, left to be judged. */
export interface ReflectionFound {
  found: number;
  /** Spent, also where nothing came of it. */
  calls: number;
  tokens: number;
  /** A code, where the model's answer was of no use. */
  useless: string | null;
}

/** What became of the candidates of one batch. */
export interface ReflectionJudged {
  facts: number;
  links: number;
  skills: number;
  rejected: number;
  escalated: number;
  /** Kept, rejected or waiting already. */
  known: number;
  /** Left, since a card that they rest on is no longer what was read. */
  moved: number;
}

/** What the watch over what was approved saw. */
export interface WatchLooked {
  watched: number;
  demoted: number;
}
