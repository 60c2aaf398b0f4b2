import type { HoldSelector, LegalHold } from '../contracts/legal-hold';
import type { Page } from '../contracts/run';
import { given } from './given';
import { itemsOf, type PageOptions } from './paging';
import type { CallOptions, Transport } from './transport';

/** What must not be lost: a hold wins over deletion, expiry, retention and erasure while it stands. */
export class LegalHolds {
  constructor(private readonly transport: Transport) {}

  /**
   * Sets a hold, or changes what it keeps.
   *
   * @throws {CairnError} 403 for whoever is neither owner nor operator
   * @example
   * await client.legalHolds.put('case-17', { selector: { subject: 'guest-7' }, reason: 'litigation' });
   */
  async put(
    id: string,
    hold: { selector: HoldSelector; reason: string },
    options: CallOptions = {},
  ): Promise<LegalHold> {
    return await this.transport.call<LegalHold>(path(id), {
      method: 'PUT',
      body: hold,
      ...options,
    });
  }

  /**
   * @throws {CairnError} 404
   * @example
   * const { selector, reason } = await client.legalHolds.get('case-17');
   */
  async get(id: string, options: CallOptions = {}): Promise<LegalHold> {
    return await this.transport.call<LegalHold>(path(id), options);
  }

  /**
   * By id.
   *
   * @example
   * const { items } = await client.legalHolds.list();
   */
  async list(filters: PageOptions & CallOptions = {}): Promise<Page<LegalHold>> {
    const { signal, timeoutMs, ...query } = filters;
    return await this.transport.call<Page<LegalHold>>('/v1/legal-holds', {
      query,
      ...given({ signal, timeoutMs }),
    });
  }

  /**
   * All of them, a page at a time.
   *
   * @example
   * for await (const { id } of client.legalHolds.iterate()) console.log(id);
   */
  iterate(filters: { limit?: number } & CallOptions = {}): AsyncGenerator<LegalHold> {
    return itemsOf((cursor) => this.list({ ...filters, ...given({ cursor }) }));
  }

  /**
   * What it kept may go again.
   *
   * @throws {CairnError} 404
   * @example
   * await client.legalHolds.lift('case-17');
   */
  async lift(id: string, options: CallOptions = {}): Promise<void> {
    await this.transport.call(path(id), { method: 'DELETE', ...options });
  }
}

function path(id: string): string {
  return `/v1/legal-holds/${encodeURIComponent(id)}`;
}
