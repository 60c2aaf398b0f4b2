import pino from 'pino';
import { DeliverySender } from '../../src/api/delivery-sender';
import type { ResolveHost } from '../../src/api/webhook-address';
import type { WebhookDelivery, WebhookEvent } from '../../src/contracts/webhook';
import { type Announcement, announce } from '../../src/store/webhooks';
import { startApi, type TestApi } from './api';
import { TestClock } from './filing';
import { until } from './webhook-receiver';

export interface QueuedItem {
  action: string;
  webhook_id: string | null;
  leased_until: string | null;
}

/** The API with the sender that a server has beside it, on a clock that stands still until it is moved. */
export class WebhookLane {
  private sender: DeliverySender | null = null;

  private constructor(
    readonly api: TestApi,
    readonly clock: TestClock,
  ) {}

  static async start(): Promise<WebhookLane> {
    const clock = new TestClock('2026-03-02T12:00:00Z');
    return new WebhookLane(await startApi({ clock: clock.now }), clock);
  }

  /** Starts to send; a second call does nothing. */
  send(options: { resolve?: ResolveHost; deadlineMs?: number } = {}): void {
    if (this.sender !== null) return;
    const { database, secretKey } = this.api;
    const log = pino({ level: 'silent' });
    this.sender = new DeliverySender({
      database,
      clock: this.clock.now,
      log,
      secretKey,
      ...options,
    });
    this.sender.start();
  }

  poke(): void {
    this.sender?.poke();
  }

  async stopSending(): Promise<void> {
    await this.sender?.stop();
    this.sender = null;
  }

  async close(): Promise<void> {
    await this.stopSending();
    await this.api.close();
  }

  async allowPrivate(allowed: boolean): Promise<void> {
    const { version } = (await this.api.call('GET', '/v1/policy')).body;
    const answer = await this.api.call('PUT', '/v1/policy', {
      body: { webhooks: { allow_private: allowed } },
      headers: { 'if-match': `"${version}"` },
    });
    if (answer.status !== 200) throw new Error(answer.text);
  }

  async put(id: string, url: string, events: WebhookEvent[], secret?: string | null) {
    return await this.api.call('PUT', `/v1/webhooks/${id}`, {
      body: { url, events, ...(secret === undefined ? {} : { secret }) },
    });
  }

  /** As a filing or a decision would, in a transaction of its own. */
  async announce(type: WebhookEvent, data: Announcement['data']): Promise<void> {
    await this.api.database.inWorkspace('default', (tx) =>
      announce(tx, { type, at: this.clock.now(), data }),
    );
    this.poke();
  }

  async ping(id: string): Promise<number> {
    const answer = await this.api.call('POST', `/v1/webhooks/${id}/ping`);
    if (answer.status !== 202) throw new Error(answer.text);
    this.poke();
    return answer.body.n;
  }

  async deliveries(id: string): Promise<WebhookDelivery[]> {
    return (await this.api.call('GET', `/v1/webhooks/${id}/deliveries?limit=500`)).body.items;
  }

  /** The delivery once it has been tried so often. */
  async tried(id: string, n: number, attempts: number): Promise<WebhookDelivery> {
    return await until(async () =>
      (await this.deliveries(id)).find((one) => one.n === n && one.attempts >= attempts),
    );
  }

  /** Lets the time come at which it is tried next. */
  wait({ next_at }: WebhookDelivery): void {
    if (next_at === null) throw new Error('it is not tried again');
    this.clock.set(next_at);
    this.poke();
  }

  /** What is committed and not sent, starts too. */
  async outbox(): Promise<QueuedItem[]> {
    return await this.api.database.inWorkspace('default', (tx) =>
      tx.query<QueuedItem>('SELECT action, webhook_id, leased_until FROM outbox ORDER BY id'),
    );
  }

  /** Of it, the deliveries. */
  async queued(): Promise<QueuedItem[]> {
    return (await this.outbox()).filter(({ action }) => action === 'deliver_webhook');
  }
}
