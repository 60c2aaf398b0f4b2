import type { ErrorFamily } from '../../contracts/names';
import type { Lesson } from './own-warning';

/** What a kind of event's rules make of it. */
export interface Told {
  summary: string;
  /** A successful read: kept with low importance. */
  routine: boolean;
  topic: string | null;
}

export interface Findings {
  flagged: boolean;
  lesson: Lesson | null;
  family: ErrorFamily | null;
}

/** A task has a family of its own where its answer, not an error, shows how it fell short. */
export interface TaskTold extends Told {
  family: ErrorFamily | null;
}
