import type { MemoryMode, PersonRole } from '../contracts/names';
import type { Agent, Person } from '../contracts/principal';
import type { Page } from '../contracts/run';
import { given } from './given';
import { itemsOf, type PageOptions } from './paging';
import type { CallOptions, Transport } from './transport';

/** What is left out stays as it is; null empties it. */
export interface AgentChange {
  team?: string | null;
  parent_agent?: string | null;
  agent_type?: string | null;
  memory_mode?: MemoryMode;
  /** Reads and searches only; what it reports waits for its parent. */
  restricted?: boolean;
  /** The predecessor whose own cards it reads. */
  succeeds?: string | null;
  writes_stopped?: boolean;
}

export interface PersonChange {
  name: string;
  email?: string | null;
  role: PersonRole;
  subject?: string | null;
}

/** One kind of member of the workspace, by id. */
class Members<Member, Change> {
  constructor(
    private readonly transport: Transport,
    private readonly base: '/v1/agents' | '/v1/people',
  ) {}

  /**
   * @throws {CairnError} 404
   * @example
   * const agent = await client.agents.get('herald');
   */
  async get(id: string, options: CallOptions = {}): Promise<Member> {
    return await this.transport.call<Member>(`${this.base}/${encodeURIComponent(id)}`, options);
  }

  /**
   * Makes or changes one.
   *
   * @example
   * await client.agents.put('herald', { team: 'newsletter', memory_mode: 'automatic' });
   * await client.people.put('dana', { name: 'Dana', role: 'reviewer' });
   */
  async put(id: string, change: Change, options: CallOptions = {}): Promise<Member> {
    return await this.transport.call<Member>(`${this.base}/${encodeURIComponent(id)}`, {
      method: 'PUT',
      body: change,
      ...options,
    });
  }

  /**
   * @example
   * const { items, total } = await client.agents.list({ limit: 100 });
   */
  async list(options: PageOptions & CallOptions = {}): Promise<Page<Member>> {
    const { signal, timeoutMs, ...query } = options;
    return await this.transport.call<Page<Member>>(this.base, {
      query,
      ...given({ signal, timeoutMs }),
    });
  }

  /**
   * All of them, a page at a time.
   *
   * @example
   * for await (const agent of client.agents.iterate()) console.log(agent.id, agent.team);
   */
  iterate(options: { limit?: number } & CallOptions = {}): AsyncGenerator<Member> {
    return itemsOf((cursor) => this.list({ ...options, ...given({ cursor }) }));
  }
}

/** The fleet. */
export class Agents extends Members<Agent, AgentChange> {
  constructor(transport: Transport) {
    super(transport, '/v1/agents');
  }
}

/** Who decides, reviews, or is acted for. */
export class People extends Members<Person, PersonChange> {
  constructor(transport: Transport) {
    super(transport, '/v1/people');
  }
}
