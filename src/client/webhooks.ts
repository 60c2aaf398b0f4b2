import type { Page } from '../contracts/run';
import type { DeliveryState, Webhook, WebhookDelivery, WebhookEvent } from '../contracts/webhook';
import { given } from './given';
import { itemsOf, type PageOptions } from './paging';
import type { CallOptions, Transport } from './transport';

export interface WebhookChange {
  /** https and public, unless the policy says `webhooks.allow_private`. */
  url: string;
  events: readonly WebhookEvent[];
  /** 16–200 printable characters. Left out it stays; null, or none at first, has Cairn make one. */
  secret?: string | null;
}

/** Who is told of what happens, and what came of it. */
export class Webhooks {
  constructor(private readonly transport: Transport) {}

  /**
   * Makes or changes one. Keep `signing_secret` where the answer has it: it is not shown again.
   *
   * @throws {CairnError} 400 `url_not_allowed`
   * @example
   * const { signing_secret } = await client.webhooks.put('inbox', {
   *   url: 'https://hooks.example.com/cairn', events: ['proposal.opened', 'proposal.reminder'],
   * });
   */
  async put(
    id: string,
    change: WebhookChange,
    options: CallOptions = {},
  ): Promise<Webhook & { signing_secret?: string }> {
    return await this.transport.call(at(id), { method: 'PUT', body: change, ...options });
  }

  /**
   * @throws {CairnError} 404
   * @example
   * const { url, events } = await client.webhooks.get('inbox');
   */
  async get(id: string, options: CallOptions = {}): Promise<Webhook> {
    return await this.transport.call<Webhook>(at(id), options);
  }

  /**
   * @example
   * const { items } = await client.webhooks.list();
   */
  async list(options: PageOptions & CallOptions = {}): Promise<Page<Webhook>> {
    const { signal, timeoutMs, ...query } = options;
    return await this.transport.call<Page<Webhook>>('/v1/webhooks', {
      query,
      ...given({ signal, timeoutMs }),
    });
  }

  /**
   * Tells it nothing more; its deliveries go with it.
   *
   * @example
   * await client.webhooks.delete('inbox');
   */
  async delete(id: string, options: CallOptions = {}): Promise<void> {
    await this.transport.call(at(id), { method: 'DELETE', ...options });
  }

  /**
   * Sends it a `ping`, to try it; {@link Webhooks.deliveries} says what came of it.
   *
   * @example
   * const { n } = await client.webhooks.ping('inbox');
   */
  async ping(id: string, options: CallOptions = {}): Promise<WebhookDelivery> {
    return await this.transport.call(`${at(id)}/ping`, { method: 'POST', ...options });
  }

  /**
   * What it was told in the last 30 days, newest first.
   *
   * @example
   * const { items } = await client.webhooks.deliveries('inbox', { state: 'failed' });
   */
  async deliveries(
    id: string,
    options: { state?: DeliveryState } & PageOptions & CallOptions = {},
  ): Promise<Page<WebhookDelivery>> {
    const { signal, timeoutMs, ...query } = options;
    return await this.transport.call<Page<WebhookDelivery>>(`${at(id)}/deliveries`, {
      query,
      ...given({ signal, timeoutMs }),
    });
  }

  /**
   * All of them, a page at a time.
   *
   * @example
   * for await (const one of client.webhooks.iterateDeliveries('inbox')) console.log(one.n, one.state);
   */
  iterateDeliveries(
    id: string,
    options: { state?: DeliveryState; limit?: number } & CallOptions = {},
  ): AsyncGenerator<WebhookDelivery> {
    return itemsOf((cursor) => this.deliveries(id, { ...options, ...given({ cursor }) }));
  }

  /**
   * Sends it once more, with the same id and all its tries; at once if it waits.
   *
   * @example
   * await client.webhooks.retry('inbox', 42);
   */
  async retry(id: string, n: number, options: CallOptions = {}): Promise<WebhookDelivery> {
    return await this.transport.call(`${at(id)}/deliveries/${n}/retry`, {
      method: 'POST',
      ...options,
    });
  }
}

function at(id: string): string {
  return `/v1/webhooks/${encodeURIComponent(id)}`;
}
