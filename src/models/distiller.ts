import type { CardDraft } from '../contracts/card';
import type { SettledEvent } from '../contracts/event';
import type { FailureType } from '../contracts/failures';
import type { OwnWarning } from '../domain/distill/distill';
import type { ModelUsage } from './usage';

/** Makes the words of a card from one settled event; what rules decide it takes from the stand-in. */
export interface Distiller {
  /** As the provider names it; stands on every card it writes. */
  readonly model: string;
  /** Changes with every change of the prompt, so that cards of an old one can be found. */
  readonly promptVersion: string;
  /**
   * @param event redacted; its `metadata` is never shown to the model
   * @param ownWarnings the writer's own earlier warnings, the latest first
   * @param standIn what the rules made of the event: kind, sign, error, flags and fields come from it
   * @param signal ends the call; the promise then rejects
   * @returns a draft whose text is the model's, checked and cleaned, and not yet redacted again
   * @throws {DistillerError} with a code of `src/contracts/failures.ts`
   */
  distill(
    event: SettledEvent,
    ownWarnings: readonly OwnWarning[],
    standIn: CardDraft,
    signal: AbortSignal,
  ): Promise<CardDraft>;
}

/** Why there is no draft: a code, and nothing of what was sent or answered. It has no cause for that reason. */
export class DistillerError extends Error {
  override readonly name = 'DistillerError';

  /**
   * @param retryAfterMs what the provider asked for, in milliseconds; null where it named nothing
   * @param usage what was spent all the same; null where nothing was answered
   */
  constructor(
    readonly type: Extract<FailureType, `model_${string}`>,
    readonly retryAfterMs: number | null = null,
    readonly usage: ModelUsage | null = null,
  ) {
    super(type);
  }
}
