import type { EventRecord } from '../contracts/event';
import type { Disposition } from '../contracts/names';
import type { Page } from '../contracts/run';
import { given } from './given';
import { itemsOf, type PageOptions } from './paging';
import type { CallOptions, Transport } from './transport';

export interface EventFilters {
  disposition?: Disposition;
  agent?: string;
  /** RFC 3339 with a zone. */
  since?: string;
}

/** Reported work as it is kept: redacted, and with what became of it. */
export class Events {
  constructor(private readonly transport: Transport) {}

  /**
   * @throws {CairnError} 404 where this key may not see it
   * @example
   * const { disposition, reason, redactions } = await client.events.get('run-42');
   */
  async get(id: string, options: CallOptions = {}): Promise<EventRecord> {
    return await this.transport.call<EventRecord>(`/v1/events/${encodeURIComponent(id)}`, options);
  }

  /**
   * @example
   * const { items, total } = await client.events.list({ disposition: 'transient' });
   */
  async list(filters: EventFilters & PageOptions & CallOptions = {}): Promise<Page<EventRecord>> {
    const { signal, timeoutMs, ...query } = filters;
    return await this.transport.call<Page<EventRecord>>('/v1/events', {
      query,
      ...given({ signal, timeoutMs }),
    });
  }

  /**
   * All of them, a page at a time.
   *
   * @example
   * for await (const event of client.events.iterate({ agent: 'herald' })) console.log(event.event_id);
   */
  iterate(
    filters: EventFilters & { limit?: number } & CallOptions = {},
  ): AsyncGenerator<EventRecord> {
    return itemsOf((cursor) => this.list({ ...filters, ...given({ cursor }) }));
  }
}
