import type { PendingWrite, PendingWriteStatus } from '../contracts/pending-write';
import type { Page } from '../contracts/run';
import { given } from './given';
import { itemsOf, type PageOptions } from './paging';
import type { CallOptions, Transport } from './transport';

export interface PendingWriteFilters {
  /** `waiting` is what nobody has decided yet. */
  status?: PendingWriteStatus | PendingWriteStatus[];
  /** Who posted it. */
  agent?: string;
}

/** What restricted agents posted: it waits for the agent above them, or for a person. */
export class PendingWrites {
  constructor(private readonly transport: Transport) {}

  /**
   * @example
   * const { items } = await client.with({ agent: 'planner' }).pendingWrites.list({ status: 'waiting' });
   */
  async list(
    filters: PendingWriteFilters & PageOptions & CallOptions = {},
  ): Promise<Page<PendingWrite>> {
    const { signal, timeoutMs, ...query } = filters;
    return await this.transport.call<Page<PendingWrite>>('/v1/pending-writes', {
      query,
      ...given({ signal, timeoutMs }),
    });
  }

  /**
   * All of them, a page at a time.
   *
   * @example
   * for await (const one of client.pendingWrites.iterate({ status: 'waiting' })) console.log(one.write?.summary);
   */
  iterate(
    filters: PendingWriteFilters & { limit?: number } & CallOptions = {},
  ): AsyncGenerator<PendingWrite> {
    return itemsOf((cursor) => this.list({ ...filters, ...given({ cursor }) }));
  }

  /**
   * @throws {CairnError} 404 where there is none that this key may see
   * @example
   * const { write, status } = await client.pendingWrites.get('pend_1');
   */
  async get(id: string, options: CallOptions = {}): Promise<PendingWrite> {
    return await this.transport.call<PendingWrite>(path(id), options);
  }

  /**
   * Makes a card of it, in the scope of the parent of the agent that posted it.
   *
   * @throws {CairnError} 403 for the agent itself; 409 `already_decided`; what writing the card refuses
   * @example
   * const { card_id } = await client.with({ agent: 'planner' }).pendingWrites.accept('pend_1');
   */
  async accept(
    id: string,
    { reason, ...options }: { reason?: string } & CallOptions = {},
  ): Promise<PendingWrite> {
    return await this.decide(id, true, reason, options);
  }

  /**
   * Keeps that it was posted and why it was not wanted, and drops its text.
   *
   * @throws {CairnError} 403 for the agent itself; 409 `already_decided`
   * @example
   * await client.pendingWrites.reject('pend_1', { reason: 'seen once, and not again' });
   */
  async reject(
    id: string,
    { reason, ...options }: { reason?: string } & CallOptions = {},
  ): Promise<PendingWrite> {
    return await this.decide(id, false, reason, options);
  }

  private async decide(
    id: string,
    accept: boolean,
    reason: string | undefined,
    options: CallOptions,
  ): Promise<PendingWrite> {
    return await this.transport.call<PendingWrite>(path(id), {
      method: 'POST',
      body: { accept, ...given({ reason }) },
      ...options,
    });
  }
}

function path(id: string): string {
  return `/v1/pending-writes/${encodeURIComponent(id)}`;
}
