import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from './dice';
import { eventOf } from './work';

export interface LoadOptions {
  /** Where the API is now; a client knows them all and goes on to the next when one is away. */
  urls(): readonly string[];
  key: string;
  dice: Dice;
  /** Events of a batch, least and most. */
  batch: readonly [number, number];
  /** Between two batches of one client. */
  pauseMs: number;
  clients: number;
}

interface Posted {
  items: { event_id: string; status: string }[];
}

/** Above the server's own wait for a connection: what takes longer hangs. */
const CALL_DEADLINE_MS = 45_000;
const RETRY_MS = 250;

/**
 * Clients that report work and never give up: a batch is sent again after a broken connection and after
 * any 5xx, as a runtime would. What was acknowledged is kept, to be looked for afterwards.
 */
export class Load {
  readonly acknowledged = new Set<string>();
  /** What no fault excuses: a refusal, a 5xx that is not a 503, a 503 that does not say when to come back. */
  readonly odd: string[] = [];
  readonly counts = { batches: 0, accepted: 0, duplicate: 0, unavailable: 0, broken: 0, reads: 0 };
  private sent = 0;
  private turn = 0;
  private stopping = false;
  private running: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: LoadOptions) {}

  start(): void {
    this.running = Promise.all(Array.from({ length: this.options.clients }, () => this.client()));
  }

  /** Finishes the batches in hand, however long they have to be sent again. */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.running;
  }

  /** One batch, until it is acknowledged. */
  async report(count: number): Promise<string[]> {
    const events = Array.from({ length: count }, () => eventOf(this.sent++));
    const answer = (await this.insist('POST', '/v1/events', { events })) as Posted;
    this.counts.batches += 1;
    for (const { event_id, status } of answer.items) {
      if (status === 'accepted' || status === 'duplicate') this.counts[status] += 1;
      else this.odd.push(`${event_id} was ${status}`);
      this.acknowledged.add(event_id);
    }
    return events.map((event) => event.event_id);
  }

  private async client(): Promise<void> {
    const { dice, batch, pauseMs } = this.options;
    while (!this.stopping) {
      await this.report(dice.between(...batch));
      if (dice.next() < 0.3) await this.read();
      await sleep(pauseMs);
    }
  }

  /** Reading goes on under fire too: it answers or says 503, and nothing else. */
  private async read(): Promise<void> {
    const list = await this.once('GET', '/v1/events?limit=5');
    const recall = await this.once('POST', '/v1/recall', { query: 'send to the readers' });
    this.counts.reads += 2;
    for (const [answer, field] of [
      [list, 'items'],
      [recall, 'cards'],
    ] as const) {
      if (answer !== null && !Array.isArray(answer[field])) {
        this.odd.push(`200 without ${field}: ${JSON.stringify(answer)}`);
      }
    }
  }

  private async insist(method: string, path: string, body: unknown): Promise<unknown> {
    for (;;) {
      const answer = await this.once(method, path, body);
      if (answer !== null) return answer;
      await sleep(RETRY_MS);
    }
  }

  /** Null where the call has to be made again. */
  private async once(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Record<string, unknown> | null> {
    const urls = this.options.urls();
    const url = urls[this.turn % urls.length];
    try {
      const answer = await fetch(`${url}${path}`, {
        method,
        signal: AbortSignal.timeout(CALL_DEADLINE_MS),
        headers: {
          authorization: `Bearer ${this.options.key}`,
          'cairn-agent': 'scout',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (answer.ok) return JSON.parse(text) as Record<string, unknown>;
      this.judge(`${method} ${path}`, answer, text);
    } catch (error) {
      this.counts.broken += 1;
      if (error instanceof Error && error.name === 'TimeoutError') {
        this.odd.push(`${method} ${path} hung for ${CALL_DEADLINE_MS} ms`);
      }
    }
    this.turn += 1;
    return null;
  }

  private judge(call: string, answer: Response, text: string): void {
    const retryAfter = answer.headers.get('retry-after') ?? '';
    if (answer.status === 503 && /^\d+$/.test(retryAfter)) this.counts.unavailable += 1;
    else this.odd.push(`${call} answered ${answer.status} (${retryAfter}): ${text.slice(0, 300)}`);
  }
}
