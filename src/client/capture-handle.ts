import type { EventItem, Refused } from '../contracts/event';
import type { CaptureResult } from '../contracts/messages';
import type { Disposition } from '../contracts/names';
import type { Operations, WaitOptions } from './operations';

/**
 * An event that was taken. It is durable from here on; whether it becomes a card is decided in the
 * background, and {@link CaptureHandle.result} waits for that.
 */
export class CaptureHandle {
  readonly eventId: string;
  readonly operationId: string;
  readonly workflowId: string;
  /** `duplicate`: the same event was taken before, and nothing new was made. */
  readonly status: 'accepted' | 'duplicate';
  /** As it was when the call answered. */
  readonly disposition: Disposition;
  /** The card, where there was one when the call answered. */
  readonly cardId: string | null;

  constructor(
    private readonly operations: Operations,
    item: EventItem,
  ) {
    this.eventId = item.event_id ?? '';
    this.operationId = item.operation_id ?? '';
    this.workflowId = item.workflow_id ?? '';
    this.status = item.status === 'duplicate' ? 'duplicate' : 'accepted';
    this.disposition = item.disposition ?? 'pending';
    this.cardId = item.card_id ?? null;
  }

  /**
   * What became of the event: its card, kind, sign and edges, or the reason why there is no card.
   * Needs no connection to Temporal.
   *
   * @throws {CairnError} `deadline` when it is not decided in time, `operation_failed` when its
   *   workflow failed
   * @example
   * const handle = await client.capture(event);
   * const { disposition, card_id } = await handle.result({ deadlineMs: 10_000 });
   */
  async result(options: WaitOptions = {}): Promise<CaptureResult> {
    return await this.operations.result<CaptureResult>(this.operationId, options);
  }
}

/** An event that was not taken, and why; sending it again unchanged gives the same. */
export interface RefusedEvent {
  status: 'refused';
  /** Position among the events given, from 0. */
  index: number;
  /** Null where the id itself may not be repeated. */
  eventId: string | null;
  reason: Refused;
}

export type CaptureOutcome = CaptureHandle | RefusedEvent;
