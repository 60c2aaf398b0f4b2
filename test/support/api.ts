import { randomBytes } from 'node:crypto';
import type { InjectOptions } from 'fastify';
import { buildApp, type App } from '../../src/api/app';
import { hashKey } from '../../src/api/authentication';
import type { PersonRole, PrincipalKind } from '../../src/contracts/names';
import { Intake } from '../../src/intake/intake';
import { Pseudonyms } from '../../src/intake/pseudonyms';
import type { Embedder } from '../../src/models/embedder';
import { bootstrap } from '../../src/store/bootstrap';
import { Database } from '../../src/store/database';
import { createLogger } from '../../src/telemetry/logger';
import { createTestDatabase, type TestDatabase } from './database';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';

export interface Answer {
  status: number;
  /** Null where there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body
  body: any;
  headers: Record<string, unknown>;
  text: string;
}

export interface CallOptions {
  /** Default: the owner's. Null sends none. */
  key?: string | null;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface TestApi {
  app: App;
  database: Database;
  testDatabase: TestDatabase;
  /** Of workspace `default`; it is the bootstrap principal. */
  ownerKey: string;
  secretKey: string;
  /** How often something was said to be in the outbox. */
  pokes(): number;
  /** Sends a request through the whole app, without a socket. */
  call(method: Method, url: string, options?: CallOptions): Promise<Answer>;
  /** A new key of the default workspace for a principal; a person has to exist. */
  keyFor(principal: { kind: PrincipalKind; id: string }): Promise<string>;
  /** A person with this role, made where missing, and a key for them. */
  keyOf(role: PersonRole, subject?: string): Promise<string>;
  close(): Promise<void>;
}

export interface TestApiOptions {
  /** Default: none, as while it is loaded. */
  embedder?: Embedder;
  /** Default: the system's. */
  clock?: () => Date;
}

/**
 * The real app on a database of its own, with the real intake. Nothing is sent to Temporal: what would
 * be stays in the outbox.
 *
 * @example
 * let api: TestApi;
 * beforeAll(async () => { api = await startApi(); });
 * afterAll(() => api.close());
 * const { status, body } = await api.call('PUT', '/v1/teams/support', { body: { name: 'Support' } });
 */
export async function startApi(options: TestApiOptions = {}): Promise<TestApi> {
  const testDatabase = await createTestDatabase();
  const database = new Database({
    url: testDatabase.url,
    connections: testDatabase.kind === 'native' ? 5 : 1,
    acquireTimeoutMs: 30_000,
    onIdleError: () => undefined,
  });
  const clock = options.clock ?? (() => new Date());
  const secretKey = randomBytes(32).toString('hex');
  const ownerKey = `owner-${randomBytes(24).toString('hex')}`;
  await bootstrap(database, hashKey(ownerKey), clock());
  let pokes = 0;
  const app = await buildApp({
    database,
    clock,
    log: createLogger(process.env.CAIRN_TEST_LOG === undefined ? 'silent' : 'warn'),
    secretKey,
    intake: new Intake({ database, clock, secretKey }),
    pseudonyms: new Pseudonyms(secretKey),
    embedder: () => options.embedder ?? null,
    pokeOutbox: () => {
      pokes += 1;
    },
    readiness: async () => ({ postgres: null, temporal: 'not started', workers: 'not started' }),
  });
  await app.ready();

  const call = async (
    method: Method,
    url: string,
    { key = ownerKey, body, headers = {} }: CallOptions = {},
  ): Promise<Answer> => {
    const request: InjectOptions = {
      method,
      url,
      headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...headers },
    };
    if (body !== undefined) request.payload = body as object;
    const answer = await app.inject(request);
    const isJson = String(answer.headers['content-type'] ?? '').includes('json');
    return {
      status: answer.statusCode,
      body: isJson && answer.payload !== '' ? JSON.parse(answer.payload) : null,
      headers: answer.headers,
      text: answer.payload,
    };
  };

  const made = async (answer: Promise<Answer>): Promise<Answer> => {
    const { status, text, ...rest } = await answer;
    if (status >= 300) throw new Error(`the test could not be set up: ${status} ${text}`);
    return { status, text, ...rest };
  };
  const keyFor = async (principal: { kind: PrincipalKind; id: string }): Promise<string> =>
    (await made(call('POST', '/v1/keys', { body: { principal } }))).body.key;

  return {
    app,
    database,
    testDatabase,
    ownerKey,
    secretKey,
    pokes: () => pokes,
    call,
    keyFor,
    keyOf: async (role, subject) => {
      const id = `the-${role}`;
      const body = { name: `The ${role}`, role, ...(subject === undefined ? {} : { subject }) };
      await made(call('PUT', `/v1/people/${id}`, { body }));
      return await keyFor({ kind: 'person', id });
    },
    close: async () => {
      await app.close();
      await database.close();
      await testDatabase.drop();
    },
  };
}
