import type { TeamStep } from '../contracts/proposal';
import type { FixDraft } from '../domain/config-fix';

/** A warning behind a fix, in the words of its card. */
export interface WarningText {
  summary: string;
}

/** Words for a configuration fix, by a language model. */
export interface FixDrafter {
  /**
   * @param warnings redacted, the latest last
   * @param template what the rules made of them: its title stands
   * @param signal ends the call; the promise then rejects
   * @throws {DistillerError} with a code of `src/contracts/failures.ts`
   */
  draft(
    step: TeamStep,
    warnings: readonly WarningText[],
    template: FixDraft,
    signal: AbortSignal,
  ): Promise<FixDraft>;
}
