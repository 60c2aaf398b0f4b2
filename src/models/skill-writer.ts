import type { SkillStep } from '../contracts/skill';
import type { ModelSkill, NoveltyReason } from '../schemas/model-skill';
import type { ToldStep } from './trace';
import type { ModelUsage } from './usage';

/** A procedure in words, not yet redacted again; `source` of a failure is the number of a step or card. */
export type SkillWords = Omit<ModelSkill, 'steps'> & {
  steps: SkillStep[];
};

export interface Novelty {
  /** 1–10; at 7 or more a skill is worth its place. */
  novelty: number;
  reason_code?: NoveltyReason;
  usage: ModelUsage;
}

/** Judges whether a finished task taught something new, and words what it taught, by a language model. */
export interface SkillWriter {
  readonly model: string;
  readonly promptVersion: string;
  /**
   * @param trace of one finished task, the earliest step first
   * @param knownSkills names of the skills that its agent could have loaded
   * @throws {DistillerError} with a code of `src/contracts/failures.ts`, and what was spent until then
   */
  score(
    trace: readonly ToldStep[],
    knownSkills: readonly string[],
    signal: AbortSignal,
  ): Promise<Novelty>;
  /** @throws {DistillerError} as `score` does */
  write(
    trace: readonly ToldStep[],
    signal: AbortSignal,
  ): Promise<SkillWords & { description: string; usage: ModelUsage }>;
}
