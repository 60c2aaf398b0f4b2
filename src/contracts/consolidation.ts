import type { UnitInput } from './passes';

/** What came of one part of a plan, in counts and codes. */
export interface PartOutcome {
  outcome:
    | 'written'
    /** In a dry run: what would be. */
    | 'drafted'
    /** A source is no longer what was read: its words have to be found again, without it. */
    | 'moved'
    /** Fewer sources are left than make a note. */
    | 'too_few'
    /** What it was made from was erased, or the run has ended. */
    | 'gone';
  /** The card that was made or kept. */
  card_id: string | null;
  retired: number;
  skipped: number;
}

/** One part of a plan: a note or a merge. */
export interface PlanPart {
  part: string;
  kind: 'note' | 'merge';
  /** How many cards it is made from. */
  sources: number;
}

export interface PlanInput {
  unit: UnitInput;
  /** The last part that was looked at; '' begins. */
  after: string;
}

export interface PlanBatch {
  parts: PlanPart[];
  /** Null where there are no more. */
  next: string | null;
  /** Whether a model writes the notes; `away` where it has left the whole of this night alone already. */
  model: 'none' | 'asked' | 'away';
  /** Of the plan as a whole, with the first batch only: episodes read, and those that wait for another night. */
  read: number;
  waiting: number;
}

export interface PartInput {
  unit: UnitInput;
  part: string;
}

/** What a draft cost; no model, no calls. */
export interface DraftResult {
  /** False where there is nothing left to draft. */
  drafted: boolean;
  calls: number;
  tokens: number;
}
