import type { EventItem, EventsAnswer, SettledEvent } from '../contracts/event';
import { CaptureHandle, type CaptureOutcome } from './capture-handle';
import { CairnError } from './error';
import type { Operations } from './operations';
import type { CallOptions, Transport } from './transport';

/** The contract's most. */
export const LARGEST_BATCH = 500;
/** Characters of JSON: at most 24 MiB in UTF-8, and a body may have 32. */
const LARGEST_BODY = 8 * 1024 * 1024;

export interface CaptureOptions extends CallOptions {
  /** Milliseconds to wait for the card before the call answers, at most 30,000. */
  waitMs?: number;
  /**
   * Milliseconds, at most 30,000, for which the server leaves the capture's workflow to be started by whoever
   * calls; then it starts it. For runtimes on Cairn's own Temporal (`cairn-memory/temporal`).
   */
  startAfterMs?: number;
}

/** Sends events, which the server knows again by their ids: a repetition changes nothing. */
export class Capturing {
  constructor(
    private readonly transport: Transport,
    private readonly operations: Operations,
  ) {}

  /** @throws {CairnError} the event is refused */
  async one(event: SettledEvent, options: CaptureOptions): Promise<CaptureHandle> {
    const [item] = await this.post(JSON.stringify(event), options);
    if (item === undefined)
      throw new CairnError(0, 'no_item', 'the server answered without an item');
    return new CaptureHandle(this.operations, item);
  }

  async many(
    events: Iterable<SettledEvent> | AsyncIterable<SettledEvent>,
    options: CaptureOptions,
  ): Promise<CaptureOutcome[]> {
    const outcomes: CaptureOutcome[] = [];
    let batch: string[] = [];
    let size = 0;
    const send = async (): Promise<void> => {
      if (batch.length === 0) return;
      const first = outcomes.length;
      const items = await this.batch(batch, options);
      outcomes.push(...items.map((item, index) => this.outcomeOf(item, first + index)));
      batch = [];
      size = 0;
    };
    for await (const event of events) {
      const json = JSON.stringify(event);
      if (batch.length === LARGEST_BATCH || size + json.length > LARGEST_BODY) await send();
      batch.push(json);
      size += json.length;
    }
    await send();
    return outcomes;
  }

  /** Events that are JSON already; one that is too large even alone is refused as an item. */
  async batch(events: readonly string[], options: CaptureOptions): Promise<EventItem[]> {
    try {
      return await this.post(`{"events":[${events.join(',')}]}`, options);
    } catch (error) {
      const tooLarge = error instanceof CairnError && error.status === 413;
      if (!tooLarge || events.length > 1) throw error;
      return [{ status: 'refused', index: 0, reason: { code: 'too_large', detail: error.detail } }];
    }
  }

  private async post(json: string, options: CaptureOptions): Promise<EventItem[]> {
    const { waitMs = 0, startAfterMs = 0, signal } = options;
    const timeoutMs = options.timeoutMs ?? this.transport.timeoutMs + waitMs;
    const answer = await this.transport.call<EventsAnswer>('/v1/events', {
      method: 'POST',
      query: {
        wait_ms: waitMs > 0 ? waitMs : undefined,
        start_after_ms: startAfterMs > 0 ? startAfterMs : undefined,
      },
      json,
      repeat: 'free',
      timeoutMs,
      ...(signal && { signal }),
    });
    return answer.items;
  }

  private outcomeOf(item: EventItem, index: number): CaptureOutcome {
    if (item.status !== 'refused') return new CaptureHandle(this.operations, item);
    const reason = item.reason ?? { code: 'invalid', detail: 'the server gave no reason' };
    return { status: 'refused', index, eventId: item.event_id ?? null, reason };
  }
}
