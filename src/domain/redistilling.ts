import type { FailureType } from '../contracts/failures';
import type { CardStatus } from '../contracts/names';

/** Passes in which a model may fail at one card before the stand-in's words stay for good. */
export const DISTILL_TRIES = 3;
/** So many failures in a row say that the model, its settings or we are at fault, not the events. */
export const FAILED_IN_A_ROW = 5;

/**
 * Why a card of the stand-in is not to be written again, or null where it is: what somebody confirmed or
 * refused is their verdict on these very words, and what is no longer in use needs no better ones.
 */
export function endOfDistilling(
  status: CardStatus,
  hasPayload: boolean,
): 'judged' | 'retired' | 'payload_missing' | null {
  switch (status) {
    case 'pending':
    case 'active':
      return hasPayload ? null : 'payload_missing';
    case 'validated':
    case 'rejected':
      return 'judged';
    case 'quarantined':
    case 'superseded':
    case 'archived':
    case 'deleted':
      return 'retired';
    default:
      return status satisfies never;
  }
}

/**
 * What a model call that failed for good says: the model is `away`, and so it would be for the next card;
 * its answer was `useless` for this one event; the fault was `ours`, which says nothing about the model; or
 * the event is `gone`.
 * @param type the failure's code; null where the call ran out of time or nobody took it
 */
export function meaningOf(type: FailureType | null): 'away' | 'useless' | 'ours' | 'gone' {
  switch (type) {
    case null:
    case 'model_rate_limited':
    case 'model_unavailable':
    case 'model_timeout':
    case 'model_not_configured':
    case 'store_unavailable':
      return 'away';
    case 'model_invalid_output':
    case 'model_refused':
      return 'useless';
    case 'internal_error':
    case 'embedder_elsewhere':
      return 'ours';
    case 'event_missing':
    case 'draft_missing':
    case 'proposal_missing':
    case 'erasure_missing':
      return 'gone';
    default:
      return type satisfies never;
  }
}
