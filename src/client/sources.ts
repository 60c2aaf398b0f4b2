import type { Page } from '../contracts/run';
import type { Source, SourceKind } from '../contracts/source';
import { given } from './given';
import { itemsOf, type PageOptions } from './paging';
import type { CallOptions, Transport } from './transport';

export interface SourceFilters {
  kind?: SourceKind;
  stopped?: boolean;
}

/** Where memory comes from, and stopping it: `runtime:<id>`, `agent:<id>`, `service:<name>`. */
export class Sources {
  constructor(private readonly transport: Transport) {}

  /**
   * Nothing is taken from it any more, from the next request on. Cards that it left are there still.
   *
   * @throws {CairnError} 404 for an agent that is not known
   * @example
   * await client.sources.stop('service:browser', 'planted instructions in its pages');
   */
  async stop(id: string, reason?: string, options: CallOptions = {}): Promise<Source> {
    return await this.put(id, { stopped: true, ...given({ reason }) }, options);
  }

  /**
   * It is taken from again. What was refused meanwhile has to be sent again.
   *
   * @example
   * await client.sources.lift('service:browser');
   */
  async lift(id: string, reason?: string, options: CallOptions = {}): Promise<Source> {
    return await this.put(id, { stopped: false, ...given({ reason }) }, options);
  }

  /**
   * @throws {CairnError} 404 where it was never stopped
   * @example
   * const { stopped, reason } = await client.sources.get('agent:herald');
   */
  async get(id: string, options: CallOptions = {}): Promise<Source> {
    return await this.transport.call<Source>(path(id), options);
  }

  /**
   * @example
   * const { items } = await client.sources.list({ stopped: true });
   */
  async list(filters: SourceFilters & PageOptions & CallOptions = {}): Promise<Page<Source>> {
    const { signal, timeoutMs, ...query } = filters;
    return await this.transport.call<Page<Source>>('/v1/sources', {
      query,
      ...given({ signal, timeoutMs }),
    });
  }

  /**
   * All of them, a page at a time.
   *
   * @example
   * for await (const { id } of client.sources.iterate({ stopped: true })) console.log(id);
   */
  iterate(filters: SourceFilters & { limit?: number } & CallOptions = {}): AsyncGenerator<Source> {
    return itemsOf((cursor) => this.list({ ...filters, ...given({ cursor }) }));
  }

  private async put(
    id: string,
    body: { stopped: boolean; reason?: string },
    options: CallOptions,
  ): Promise<Source> {
    return await this.transport.call<Source>(path(id), { method: 'PUT', body, ...options });
  }
}

function path(id: string): string {
  return `/v1/sources/${encodeURIComponent(id)}`;
}
