import type { KnownAction } from '../contracts/insight';
import type { Page } from '../contracts/run';
import { given } from './given';
import { itemsOf, type PageOptions } from './paging';
import type { CallOptions, Transport } from './transport';

/** Actions over all insights, by the hash of their normalized text. */
export class Actions {
  constructor(private readonly transport: Transport) {}

  /**
   * The newest first, with what came of them.
   *
   * @example
   * const { items } = await client.actions.list({ blocked: true });
   */
  async list(
    filters: { blocked?: boolean } & PageOptions & CallOptions = {},
  ): Promise<Page<KnownAction>> {
    const { signal, timeoutMs, ...query } = filters;
    return await this.transport.call<Page<KnownAction>>('/v1/actions', {
      query,
      ...given({ signal, timeoutMs }),
    });
  }

  /** All of them, a page at a time. */
  iterate(
    filters: { blocked?: boolean; limit?: number } & CallOptions = {},
  ): AsyncGenerator<KnownAction> {
    return itemsOf((cursor) => this.list({ ...filters, ...given({ cursor }) }));
  }

  /**
   * Takes an action out of every insight, from the next read on. With the key of an owner or a reviewer.
   *
   * @throws {CairnError} 404 where no insight recommended it
   */
  async block(
    hash: string,
    said: { reason?: string } = {},
    options: CallOptions = {},
  ): Promise<KnownAction> {
    const call = { method: 'PUT', body: said, ...options } as const;
    return await this.transport.call<KnownAction>(path(hash), call);
  }

  /** Lets it be recommended again. */
  async unblock(hash: string, options: CallOptions = {}): Promise<void> {
    await this.transport.call(path(hash), { method: 'DELETE', ...options });
  }
}

function path(hash: string): string {
  return `/v1/actions/${encodeURIComponent(hash)}/block`;
}
