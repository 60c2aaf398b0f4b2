import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { hashKey } from '../../src/api/authentication';
import { type Server, serve } from '../../src/api/server';
import { startPglite } from '../../src/embedded/pglite-process';
import type { Distiller } from '../../src/models/distiller';
import { createHashedEmbedder } from '../../src/models/hashed-embedder';
import { bootstrap } from '../../src/store/bootstrap';
import { Database } from '../../src/store/database';
import { migrate } from '../../src/store/migrate';
import { createLogger } from '../../src/telemetry/logger';
import { Workers } from '../../src/worker/workers';
// Its mock of a package of the docs page has to stand before the app is loaded.
import './api';
import { createTestDatabase } from './database';
import { createDevServerEnv, workflowBundlePath } from './temporal';

export interface StackAnswer {
  status: number;
  /** Null where the body is no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body
  body: any;
  type: string;
  text: string;
}

export interface StackOptions {
  /** `pglite` is the embedded database in a process of its own. Default: what other tests get. */
  on?: 'pglite' | 'given';
  distiller?: Distiller;
}

/** Server, sender, Temporal and workers as in production, in one process: an event sent to it is carded. */
export class HostileStack {
  private constructor(
    readonly url: string,
    readonly database: Database,
    private readonly ownerKey: string,
    private readonly undo: (() => Promise<unknown>)[],
  ) {}

  static async start({ on = 'given', distiller }: StackOptions = {}): Promise<HostileStack> {
    const undo: (() => Promise<unknown>)[] = [];
    const [{ url: databaseUrl, connections }, env] = await Promise.all([
      on === 'pglite' ? ownPglite(undo) : givenDatabase(undo),
      createDevServerEnv(),
    ]);
    undo.push(() => env.teardown());
    const database = new Database({
      url: databaseUrl,
      connections,
      acquireTimeoutMs: 30_000,
      onIdleError: () => undefined,
    });
    undo.push(() => database.close());
    const ownerKey = `owner-${randomBytes(24).toString('hex')}`;
    await bootstrap(database, hashKey(ownerKey), new Date(), false);
    const parts = partsOf(env, database, connections, distiller ?? null);
    const workers = await Workers.start(parts);
    undo.push(() => workers.stop());
    const server: Server = await serve({
      ...parts,
      client: env.client,
      eager: false,
      embedder: () => parts.embedder,
      host: '127.0.0.1',
      port: 0,
    });
    undo.push(() => server.stop());
    return new HostileStack(server.url, database, ownerKey, undo);
  }

  async stop(): Promise<void> {
    for (const step of this.undo.reverse()) await step();
  }

  /** A request with the owner's key; a string or bytes are sent as the body they are. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<StackAnswer> {
    const answer = await fetch(new URL(path, this.url), {
      method,
      headers: {
        authorization: `Bearer ${this.ownerKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: bodyOf(body) }),
    });
    const text = await answer.text();
    const type = answer.headers.get('content-type') ?? '';
    const isJson = type.includes('json') && text !== '';
    return { status: answer.status, type, text, body: isJson ? JSON.parse(text) : null };
  }

  /** The bytes of a request, to be sent in pieces or followed by others. */
  head(length: number, more: readonly string[] = []): string {
    return requestHead(this.ownerKey, length, more);
  }

  open(): Promise<Socket> {
    return openSocket(this.url);
  }

  /** What became of an event that was accepted: waits until it is settled. */
  async settled(eventId: string): Promise<{ disposition: string; card_id: string | null }> {
    const path = `/v1/events/${encodeURIComponent(eventId)}`;
    const until = Date.now() + 60_000;
    for (;;) {
      const { status, body } = await this.call('GET', path);
      if (status === 200 && body.disposition !== 'pending') return body;
      if (Date.now() > until) throw new Error(`${eventId} is not settled: ${status}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** Waits for each and says which have no card of their own. */
  async withoutCard(eventIds: readonly string[]): Promise<string[]> {
    const cards = new Set<string>();
    const without: string[] = [];
    for (const id of eventIds) {
      const { disposition, card_id: card } = await this.settled(id);
      if (disposition !== 'carded' || card === null || cards.has(card)) without.push(id);
      else cards.add(card);
    }
    return without;
  }
}

/** A request's first line and headers, up to its body. */
export function requestHead(key: string, length: number, more: readonly string[] = []): string {
  return [
    'POST /v1/events HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    ...more,
    '\r\n',
  ].join('\r\n');
}

export function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** All that comes until the other side closes. */
export function heard(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('error', () => resolve(text));
    socket.on('close', () => resolve(text));
  });
}

function bodyOf(body: unknown): string | Buffer {
  return typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
}

function partsOf(
  env: TestWorkflowEnvironment,
  database: Database,
  connections: number,
  distiller: Distiller | null,
) {
  return {
    connection: env.nativeConnection,
    namespace: env.namespace ?? 'default',
    workflowBundle: workflowBundlePath(),
    database,
    clock: () => new Date(),
    log: createLogger(process.env.CAIRN_TEST_LOG === undefined ? 'silent' : 'warn'),
    embedder: createHashedEmbedder(),
    distiller,
    drafter: null,
    secretKey: randomBytes(32).toString('hex'),
    connections,
  };
}

async function givenDatabase(undo: (() => Promise<unknown>)[]) {
  const { url, kind, drop } = await createTestDatabase();
  undo.push(drop);
  return { url, connections: kind === 'native' ? 8 : 1 };
}

async function ownPglite(undo: (() => Promise<unknown>)[]) {
  const dataDir = mkdtempSync(join(tmpdir(), 'cairn-hostile-'));
  const server = await startPglite({ dataDir, log: () => undefined });
  undo.push(async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  await migrate(server.url, () => undefined);
  return { url: server.url, connections: 1 };
}
