import type { Outcome } from '../contracts/names';
import type { ToldStep } from './trace';
import type { ModelUsage } from './usage';

/** A task that did not reach its goal, redacted. */
export interface FailedTask {
  goal: string;
  status: Extract<Outcome, 'failed' | 'blocked'>;
  /** The earliest step first. */
  trace: readonly ToldStep[];
}

/** Turns a failed task into one sentence of advice, by a language model; nothing else of it is kept. */
export interface FailureReflector {
  readonly model: string;
  readonly promptVersion: string;
  /**
   * @param signal ends the call; the promise then rejects
   * @returns one sentence of at most 240 characters on what to do differently, not yet redacted again
   * @throws {DistillerError} with a code of `src/contracts/failures.ts`, and what was spent until then
   */
  reflect(
    task: FailedTask,
    signal: AbortSignal,
  ): Promise<{ reflection: string; usage: ModelUsage }>;
}
