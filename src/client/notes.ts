import type { CardScope } from '../contracts/card';
import type { JsonObject } from '../contracts/event';
import type { CardStatus } from '../contracts/names';
import type { Page } from '../contracts/run';
import { given } from './given';
import { itemsOf, type PageOptions } from './paging';
import type { CallOptions, Transport } from './transport';

/** A `knowledge` card under a key, as the routes of notes show it. */
export interface Note {
  key: string;
  /** At most 2,000 characters. */
  value: string;
  card_id: string;
  scope: CardScope;
  subject: string | null;
  status: CardStatus;
  version: number;
  valid_from: string;
  recorded_at: string;
  /** When it was last written. */
  updated_at: string;
  metadata: JsonObject;
  /** Why the policy holds the text back: then this is a card of its own, and the note stays as it was. */
  reason?: 'instruction_like';
}

export interface NoteFilters {
  /** Contained in the note's metadata. */
  metadata?: JsonObject;
}

/** Keyed notes of an agent: `knowledge` cards that do not decay. */
export class Notes {
  constructor(private readonly transport: Transport) {}

  /**
   * @throws {CairnError} 404 where there is none under this key
   * @example
   * const note = await client.notes.get('send-cap');
   */
  async get(key: string, options: CallOptions = {}): Promise<Note> {
    return await this.transport.call<Note>(path(key), options);
  }

  /**
   * Writes a note, or its next version.
   *
   * @example
   * await client.notes.put('send-cap', 'at most 500 messages an hour');
   */
  async put(
    key: string,
    value: string,
    { metadata, ...options }: { metadata?: JsonObject } & CallOptions = {},
  ): Promise<Note> {
    return await this.transport.call<Note>(path(key), {
      method: 'PUT',
      body: { value, ...given({ metadata }) },
      ...options,
    });
  }

  /**
   * @example
   * const { items } = await client.notes.list({ metadata: { for: 'mailer' } });
   */
  async list(options: NoteFilters & PageOptions & CallOptions = {}): Promise<Page<Note>> {
    const { signal, timeoutMs, metadata, ...page } = options;
    const contained = metadata === undefined ? {} : { metadata: JSON.stringify(metadata) };
    return await this.transport.call<Page<Note>>('/v1/notes', {
      query: { ...page, ...contained },
      ...given({ signal, timeoutMs }),
    });
  }

  /**
   * All of them, a page at a time.
   *
   * @example
   * for await (const note of client.notes.iterate()) console.log(note.key, note.value);
   */
  iterate(options: NoteFilters & { limit?: number } & CallOptions = {}): AsyncGenerator<Note> {
    return itemsOf((cursor) => this.list({ ...options, ...given({ cursor }) }));
  }

  /**
   * Deletes the agent's own note, or for a person the one that they see; `scope` says which of several.
   *
   * @example
   * await client.notes.delete('send-cap');
   */
  async delete(
    key: string,
    { scope, ...options }: { scope?: CardScope } & CallOptions = {},
  ): Promise<void> {
    const query = scope === undefined ? {} : { scope_type: scope.type, scope_id: scope.id };
    await this.transport.call(path(key), { method: 'DELETE', query, ...options });
  }
}

function path(key: string): string {
  return `/v1/notes/${encodeURIComponent(key)}`;
}
