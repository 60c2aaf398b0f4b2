import type { Sign } from '../contracts/names';
import type { ModelLesson } from '../schemas/model-lessons';
import type { ModelUsage } from './usage';

/** A card of a group that is told as lessons, redacted. */
export interface LessonEpisode {
  /** What lessons cite it by: whole, and its own within the group. */
  n: number;
  sign: Sign;
  /** Whole days. */
  age_days: number;
  summary: string;
  /** A later success answers this warning. */
  resolved: boolean;
  /** How often it was seen. */
  times: number;
}

export interface LessonGroup {
  /** As a person reads it: `team support`. */
  scope: string;
  topic: string | null;
  /** The first {@link EPISODES_SHOWN} are shown; no lesson cites another. */
  episodes: readonly LessonEpisode[];
}

/** Some 24,000 characters with their summaries: about 6,000 tokens of English. Larger groups are halved. */
export const EPISODES_SHOWN = 60;

/** Makes lessons of episodes, by a language model. */
export interface WisdomWriter {
  /** As the provider names it. */
  readonly model: string;
  /** Changes with every change of the prompt. */
  readonly promptVersion: string;
  /**
   * @param signal ends the call; the promise then rejects
   * @returns one to eight lessons in words that are not yet redacted again; not every episode need be cited
   * @throws {DistillerError} with a code of `src/contracts/failures.ts`, and what was spent until then
   */
  write(
    group: LessonGroup,
    signal: AbortSignal,
  ): Promise<{ lessons: ModelLesson[]; usage: ModelUsage }>;
}
