import type { Card } from '../contracts/card';
import type { Json } from '../contracts/event';
import type { Page } from '../contracts/run';
import { given } from './given';
import { itemsOf, type PageOptions } from './paging';
import type { CallOptions, Transport } from './transport';

/** Keyed notes of an agent: `knowledge` cards that do not decay. */
export class Notes {
  constructor(private readonly transport: Transport) {}

  /**
   * @throws {CairnError} 404 where there is none under this key
   * @example
   * const note = await client.notes.get('send-cap');
   */
  async get(key: string, options: CallOptions = {}): Promise<Card> {
    return await this.transport.call<Card>(path(key), options);
  }

  /**
   * Writes a note, or its next version.
   *
   * @example
   * await client.notes.put('send-cap', 'at most 500 messages an hour');
   */
  async put(key: string, value: Json, options: CallOptions = {}): Promise<Card> {
    return await this.transport.call<Card>(path(key), { method: 'PUT', body: { value }, ...options });
  }

  /**
   * @example
   * const { items } = await client.notes.list();
   */
  async list(options: PageOptions & CallOptions = {}): Promise<Page<Card>> {
    const { signal, timeoutMs, ...query } = options;
    return await this.transport.call<Page<Card>>('/v1/notes', { query, ...given({ signal, timeoutMs }) });
  }

  /**
   * All of them, a page at a time.
   *
   * @example
   * for await (const note of client.notes.iterate()) console.log(note.key, note.summary);
   */
  iterate(options: { limit?: number } & CallOptions = {}): AsyncGenerator<Card> {
    return itemsOf((cursor) => this.list({ ...options, ...given({ cursor }) }));
  }

  /**
   * @example
   * await client.notes.delete('send-cap');
   */
  async delete(key: string, options: CallOptions = {}): Promise<void> {
    await this.transport.call(path(key), { method: 'DELETE', ...options });
  }
}

function path(key: string): string {
  return `/v1/notes/${encodeURIComponent(key)}`;
}
