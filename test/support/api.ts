import { randomBytes } from 'node:crypto';
import type { DestinationStream } from 'pino';
import { type ApiDependencies, type App, buildApp, type TemporalPlace } from '../../src/api/app';
import { hashKey } from '../../src/api/authentication';
import type { InsightFollower } from '../../src/api/insight-follower';
import type { ProposalDecider } from '../../src/api/proposal-decider';
import type { TimelineReader } from '../../src/api/timeline-reader';
import { CairnClient } from '../../src/client/client';
import type { PersonRole, PrincipalKind } from '../../src/contracts/names';
import { Intake } from '../../src/intake/intake';
import { Pseudonyms } from '../../src/intake/pseudonyms';
import type { Embedder } from '../../src/models/embedder';
import { bootstrap } from '../../src/store/bootstrap';
import { Database } from '../../src/store/database';
import { createLogger } from '../../src/telemetry/logger';
import { createTestDatabase, type TestDatabase } from './database';
import { unheardDecider, unheardFollower } from './unheard-decider';

// The docs page serves files through a package that is an ES module, which Node requires and Jest's
// own loader does not: it gets the same code as CommonJS.
jest.mock('content-disposition', () => {
  const { readFileSync } = jest.requireActual<typeof import('node:fs')>('node:fs');
  const { transformSync } = jest.requireActual<typeof import('@swc/core')>('@swc/core');
  const source = readFileSync(require.resolve('content-disposition'), 'utf8');
  const { code } = transformSync(source, { module: { type: 'commonjs' } });
  const exported = {};
  new Function('exports', code)(exported);
  return exported;
});

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';

export interface Answer {
  status: number;
  /** Null where there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body
  body: any;
  headers: Headers;
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
  url: string;
  database: Database;
  testDatabase: TestDatabase;
  /** Of workspace `default`; it is the bootstrap principal. */
  ownerKey: string;
  /** The client with the owner's key. */
  owner: CairnClient;
  secretKey: string;
  /** How often something was said to be in the outbox. */
  pokes(): number;
  /** A request over HTTP; a string is sent as the body it is. */
  call(method: Method, path: string, options?: CallOptions): Promise<Answer>;
  /** A new key of the default workspace for a principal; a person has to exist. */
  keyFor(principal: { kind: PrincipalKind; id: string }): Promise<string>;
  /** A person with this role, made where missing, and a key for them. */
  keyOf(role: PersonRole, subject?: string): Promise<string>;
  close(): Promise<void>;
}

export interface TestApiOptions {
  /** One that is there and stays; default: its own, which goes with it. */
  testDatabase?: TestDatabase;
  /** Default: none, as while it is loaded. */
  embedder?: Embedder;
  /** Default: none, so that rules word everything. */
  languageModel?: ApiDependencies['languageModel'];
  /** Default: the system's. */
  clock?: () => Date;
  /** Where the app's log goes; default: nowhere. */
  logTo?: DestinationStream;
  /** Default: nobody hears of a decision. */
  decider?: ProposalDecider;
  /** Default: nobody hears of an order. */
  follower?: InsightFollower;
  /** Default: Temporal is away. */
  timelines?: TimelineReader;
  /** Something was said to be in the outbox. */
  onPoke?: () => void;
  /** Of an installation that has another database too; default: one of its own. */
  secretKey?: string;
  /** The console's pages; default: those that were built last, if any. */
  consoleDir?: string;
  /** Default: nobody knows where Temporal is. */
  temporal?: TemporalPlace;
}

/** The whole body, or of one without end what came first: whoever asks in passing does not stay to listen. */
export async function textOf(answer: Response): Promise<string> {
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) {
    return await answer.text();
  }
  const reader = answer.body?.getReader();
  const first = await reader?.read();
  await reader?.cancel();
  return new TextDecoder().decode(first?.value);
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
  const testDatabase = options.testDatabase ?? (await createTestDatabase());
  const database = new Database({
    url: testDatabase.url,
    connections: testDatabase.kind === 'native' ? 5 : 1,
    acquireTimeoutMs: 30_000,
    onIdleError: () => undefined,
  });
  const clock = options.clock ?? (() => new Date());
  const secretKey = options.secretKey ?? randomBytes(32).toString('hex');
  const ownerKey = `owner-${randomBytes(24).toString('hex')}`;
  await bootstrap(database, hashKey(ownerKey), clock(), false);
  let pokes = 0;
  const app = await buildApp({
    database,
    clock,
    log:
      options.logTo === undefined
        ? createLogger(process.env.CAIRN_TEST_LOG === undefined ? 'silent' : 'warn')
        : createLogger('info', options.logTo),
    secretKey,
    intake: new Intake({ database, clock, secretKey }),
    pseudonyms: new Pseudonyms(secretKey),
    languageModel: options.languageModel ?? null,
    embedder: () => options.embedder ?? null,
    decider: options.decider ?? unheardDecider,
    follower: options.follower ?? unheardFollower,
    ...(options.timelines === undefined ? {} : { timelines: options.timelines }),
    pokeOutbox: () => {
      pokes += 1;
      options.onPoke?.();
    },
    readiness: async () => ({ postgres: null, temporal: 'not started', workers: 'not started' }),
    ...(options.consoleDir === undefined ? {} : { consoleDir: options.consoleDir }),
    ...(options.temporal === undefined ? {} : { temporal: options.temporal }),
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });

  const call = async (
    method: Method,
    path: string,
    { key = ownerKey, body, headers = {} }: CallOptions = {},
  ): Promise<Answer> => {
    const answer = await fetch(new URL(path, url), {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await textOf(answer);
    // Lines of JSON are no document of it.
    const isJson = /\bjson\b/.test(answer.headers.get('content-type') ?? '');
    return {
      status: answer.status,
      body: isJson && text !== '' ? JSON.parse(text) : null,
      headers: answer.headers,
      text,
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
    url,
    database,
    testDatabase,
    ownerKey,
    owner: new CairnClient({ url, key: ownerKey }),
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
