import { randomBytes } from 'node:crypto';
import { CairnClient } from '../../../src/client/client';
import type { PersonRole, PrincipalKind } from '../../../src/contracts/names';
import { until } from '../until';
import type { Stack } from './stack';

export interface Asking {
  /** Default: the owner's. */
  key?: string;
  /** As this agent. */
  agent?: string;
  headers?: Record<string, string>;
}

export interface Told {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body
  body: any;
  text: string;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A workspace of one test file's own, on a stack that others use too. */
export class Workspace {
  private readonly keys = new Map<string, string>();

  private constructor(
    readonly stack: Stack,
    readonly id: string,
    /** Of its owner, a person. */
    readonly ownerKey: string,
  ) {}

  static async make(stack: Stack, name = 'Quayside Group'): Promise<Workspace> {
    const id = `console-${randomBytes(5).toString('hex')}`;
    const installation = new Workspace(stack, 'default', stack.ownerKey);
    const { owner_key: key } = await installation.done('POST', '/v1/workspaces', { id, name });
    return new Workspace(stack, id, key);
  }

  async call(method: Method, path: string, body?: unknown, asking: Asking = {}): Promise<Told> {
    const { key = this.ownerKey, agent, headers = {} } = asking;
    const answer = await fetch(`${this.stack.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(agent === undefined ? {} : { 'cairn-agent': agent }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = /json/.test(answer.headers.get('content-type') ?? '');
    return { status: answer.status, text, body: isJson && text !== '' ? JSON.parse(text) : null };
  }

  /** The body of an answer. @throws Error where the call is refused */
  async done(
    method: Method,
    path: string,
    body?: unknown,
    asking: Asking = {},
  ): Promise<Told['body']> {
    const told = await this.call(method, path, body, asking);
    if (told.status >= 300) throw new Error(`${method} ${path}: ${told.status} ${told.text}`);
    return told.body;
  }

  client(): CairnClient {
    return new CairnClient({ url: this.stack.url, key: this.ownerKey });
  }

  /** A key of theirs, the same one each time. A person or agent has to be known, a runtime has not. */
  async keyOf(kind: PrincipalKind, id: string): Promise<string> {
    const name = `${kind} ${id}`;
    const known = this.keys.get(name);
    if (known !== undefined) return known;
    const { key } = await this.done('POST', '/v1/keys', { principal: { kind, id } });
    this.keys.set(name, key);
    return key;
  }

  runtime(): Promise<string> {
    return this.keyOf('runtime', 'harness');
  }

  /** A person of this role, called by it. @returns a key of theirs */
  async person(role: PersonRole, id: string = role, name: string = id): Promise<string> {
    await this.done('PUT', `/v1/people/${id}`, { name, role });
    return await this.keyOf('person', id);
  }

  async card(body: Record<string, unknown>, asking: Asking = {}): Promise<{ id: string }> {
    const scope = { type: 'workspace', id: this.id };
    return await this.done('POST', '/v1/cards', { scope, ...body }, asking);
  }

  /** Settled work, told by the runtime. @returns what each came to, once it did, in their order */
  async events(
    events: readonly Record<string, unknown>[],
  ): Promise<{ disposition: string; card_id: string | null }[]> {
    const key = await this.runtime();
    const { items } = await this.done('POST', '/v1/events', { events }, { key });
    const refused = items.filter(({ status }: { status: string }) => status === 'refused');
    if (refused.length > 0) throw new Error(`refused: ${JSON.stringify(refused)}`);
    const settled = [];
    for (const { event_id } of items) settled.push(await this.settled(event_id));
    return settled;
  }

  async settled(eventId: string): Promise<{ disposition: string; card_id: string | null }> {
    const path = `/v1/events/${encodeURIComponent(eventId)}`;
    const options = { within: 90_000, pause: 150 };
    return await until(
      `event ${eventId} is settled`,
      async () => {
        const { status, body } = await this.call('GET', path);
        return status === 200 && body.disposition !== 'pending' ? body : null;
      },
      options,
    );
  }

  /** A run, pass or erasure that was asked for, once it ended. */
  async ended(operationId: string): Promise<Told['body']> {
    return await until(
      `operation ${operationId} ends`,
      async () => {
        const body = await this.done('GET', `/v1/operations/${operationId}`);
        return ['pending', 'running'].includes(body.state) ? null : body;
      },
      { within: 120_000, pause: 200 },
    );
  }
}
