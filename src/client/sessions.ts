import type { Json } from '../contracts/event';
import type { Page } from '../contracts/run';
import type { BlackboardEntry, Session } from '../contracts/session';
import { given } from './given';
import { itemsOf, type PageOptions } from './paging';
import type { CallOptions, Transport } from './transport';

export interface PutEntryOptions extends CallOptions {
  /** Only over this version; 412 where another stands there, or none. */
  ifMatch?: number;
  /** Only where nothing stands yet; 412 otherwise. */
  ifNew?: boolean;
}

/** Sessions, and the working memory that an agent shares with its sub-agents while one lasts. */
export class Sessions {
  constructor(private readonly transport: Transport) {}

  /**
   * @throws {CairnError} 404 where there is none, or it is another tree's
   * @example
   * const { status, root_agent } = await client.sessions.get('run-42');
   */
  async get(session: string, options: CallOptions = {}): Promise<Session> {
    return await this.transport.call<Session>(path(session), options);
  }

  /**
   * Ends the session; its blackboard is gone.
   *
   * @throws {CairnError} 403 where a sub-agent asks
   * @example
   * await client.sessions.end('run-42');
   */
  async end(session: string, options: CallOptions = {}): Promise<Session> {
    return await this.transport.call<Session>(`${path(session)}/end`, {
      method: 'POST',
      body: {},
      ...options,
    });
  }

  /**
   * @example
   * const board = client.with({ agent: 'herald' }).sessions.blackboard('run-42');
   * await board.put('plan', { steps: ['draft', 'send'] });
   */
  blackboard(session: string): Blackboard {
    return new Blackboard(this.transport, session);
  }
}

/** The blackboard of one session: JSON under keys, at most 64 KiB each, gone when the session ends. */
export class Blackboard {
  private readonly base: string;

  constructor(
    private readonly transport: Transport,
    session: string,
  ) {
    this.base = `${path(session)}/blackboard`;
  }

  /**
   * @throws {CairnError} 404 where nothing stands there, or the session has ended
   * @example
   * const { value, version } = await board.get('plan');
   */
  async get(key: string, options: CallOptions = {}): Promise<BlackboardEntry> {
    return await this.transport.call<BlackboardEntry>(this.at(key), options);
  }

  /**
   * @throws {CairnError} 409 `session_ended` or `blackboard_full`, 412 where the version is another, 413
   * @example
   * await board.put('plan', { steps: ['send'] }, { ifMatch: version });
   */
  async put(key: string, value: Json, options: PutEntryOptions = {}): Promise<BlackboardEntry> {
    return await this.transport.call<BlackboardEntry>(this.at(key), {
      method: 'PUT',
      body: { value },
      ...options,
    });
  }

  /**
   * @example
   * const { items } = await board.list();
   */
  async list(options: PageOptions & CallOptions = {}): Promise<Page<BlackboardEntry>> {
    const { signal, timeoutMs, ...query } = options;
    return await this.transport.call<Page<BlackboardEntry>>(this.base, {
      query,
      ...given({ signal, timeoutMs }),
    });
  }

  /**
   * Everything that stands there, a page at a time.
   *
   * @example
   * for await (const { key, value } of board.iterate()) console.log(key, value);
   */
  iterate(options: { limit?: number } & CallOptions = {}): AsyncGenerator<BlackboardEntry> {
    return itemsOf((cursor) => this.list({ ...options, ...given({ cursor }) }));
  }

  /**
   * @throws {CairnError} 404 where nothing stands there, 412 where `ifMatch` is not its version
   * @example
   * await board.delete('plan');
   */
  async delete(key: string, options: Omit<PutEntryOptions, 'ifNew'> = {}): Promise<void> {
    await this.transport.call(this.at(key), { method: 'DELETE', ...options });
  }

  private at(key: string): string {
    return `${this.base}/${encodeURIComponent(key)}`;
  }
}

function path(session: string): string {
  return `/v1/sessions/${encodeURIComponent(session)}`;
}
