import type { CaptureHandle, CaptureOutcome } from '../../client/capture-handle';
import type { CairnClient } from '../../client/client';
import { CairnError } from '../../client/error';
import { pause } from '../../client/waiting';
import type { SettledEvent } from '../../contracts/event';
import { Failed } from '../failure';
import type { ImportCounts, LineProblem } from './counts';

export interface NumberedEvent {
  line: number;
  event: SettledEvent;
}

export interface SenderDependencies {
  client: Pick<CairnClient, 'captureMany'>;
  counts: ImportCounts;
  /** An event that was taken, or known. */
  taken(handle: CaptureHandle): void;
  refused(problem: LineProblem): void;
  note(line: string): void;
  /** For tests: waits of minutes. */
  sleep?: (ms: number) => Promise<void>;
}

/** A whole batch is one transaction of the server; larger ones only lengthen it. */
export const BATCH = 250;
/** The server records one while the next one is on its way; more would only queue there. */
const IN_FLIGHT = 2;
const FIRST_PAUSE_MS = 1_000;
const LAST_PAUSE_MS = 15_000;
/** A restart takes seconds and a failover a minute or two: after this it is for a person. */
const PATIENCE_MS = 300_000;

/**
 * Sends events in batches, at most two at once. While the server is away it waits and goes on; the
 * server knows each event by its id, so a batch that was sent twice is taken once.
 */
export class Sender {
  private batch: NumberedEvent[] = [];
  private readonly inFlight = new Set<Promise<void>>();
  private failure: Error | undefined;
  /** Calls that found the server away and try again. */
  private waiting = 0;

  constructor(private readonly deps: SenderDependencies) {}

  /** @throws what a batch failed with; nothing is sent after that */
  async add(event: NumberedEvent): Promise<void> {
    this.batch.push(event);
    if (this.batch.length >= BATCH) await this.send();
  }

  /** Sends the rest and waits for all. @throws what a batch failed with */
  async end(): Promise<void> {
    if (this.batch.length > 0 && this.failure === undefined) await this.send();
    await Promise.all(this.inFlight);
    if (this.failure !== undefined) throw this.failure;
  }

  private async send(): Promise<void> {
    const batch = this.batch;
    this.batch = [];
    while (this.inFlight.size >= IN_FLIGHT) await Promise.race(this.inFlight);
    if (this.failure !== undefined) throw this.failure;
    const sending = this.deliver(batch)
      .catch((error: unknown) => {
        this.failure ??= error instanceof Error ? error : new Error(String(error));
      })
      .finally(() => this.inFlight.delete(sending));
    this.inFlight.add(sending);
  }

  private async deliver(batch: readonly NumberedEvent[]): Promise<void> {
    const outcomes = await this.outcomesOf(batch);
    if (outcomes === null) {
      const half = Math.ceil(batch.length / 2);
      await this.deliver(batch.slice(0, half));
      await this.deliver(batch.slice(half));
      return;
    }
    outcomes.forEach((outcome, index) => {
      const line = batch[index]?.line ?? 0;
      if (outcome.status === 'refused') {
        const { code, detail, pointer } = outcome.reason;
        const reason = pointer === undefined ? detail : `${pointer}: ${detail}`;
        const id = outcome.eventId === null ? {} : { event_id: outcome.eventId };
        this.deps.refused({ line, ...id, code, reason });
        return;
      }
      if (outcome.status === 'accepted') this.deps.counts.accepted += 1;
      else this.deps.counts.duplicates += 1;
      this.deps.taken(outcome);
    });
  }

  /**
   * @returns null where the server refuses the body as a whole, before it looks at the events: one of
   *   several is at fault, and halving finds it
   */
  private async outcomesOf(batch: readonly NumberedEvent[]): Promise<CaptureOutcome[] | null> {
    try {
      return await this.patiently(() =>
        this.deps.client.captureMany(batch.map(({ event }) => event)),
      );
    } catch (error) {
      if (!(error instanceof CairnError) || !AT_FAULT.has(error.status)) throw error;
      if (batch.length > 1) return null;
      const reason = { code: 'invalid' as const, detail: error.detail };
      return [{ status: 'refused', index: 0, eventId: null, reason }];
    }
  }

  /** The client itself has tried for some seconds by the time that it gives up. */
  private async patiently<T>(call: () => Promise<T>): Promise<T> {
    const sleep = this.deps.sleep ?? pause;
    let since: number | undefined;
    try {
      for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(LAST_PAUSE_MS, wait * 2)) {
        try {
          return await call();
        } catch (error) {
          if (!(error instanceof CairnError) || !isAway(error)) throw error;
          if (since === undefined && this.waiting++ === 0)
            this.deps.note(`Waiting: ${error.detail}.`);
          since ??= Date.now();
          if (Date.now() - since > PATIENCE_MS) {
            const minutes = PATIENCE_MS / 60_000;
            throw new Failed(`${error.detail}; gave up after ${minutes} minutes.`, error.code);
          }
          await sleep(wait);
        }
      }
    } finally {
      if (since !== undefined && --this.waiting === 0) this.deps.note('Going on.');
    }
  }
}

/** The body, and not the key or the server. */
const AT_FAULT = new Set([400, 413, 422]);

function isAway(error: CairnError): boolean {
  return error.status === 0
    ? error.code !== 'not_json'
    : [429, 502, 503, 504].includes(error.status);
}
