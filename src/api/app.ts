import cors from '@fastify/cors';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import {
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from 'fastify-type-provider-zod';
import type { Registry } from 'prom-client';
import type { ModelOptions } from '../config/options';
import type { Clock } from '../contracts/clock';
import { depthOf } from '../domain/clean-text';
import type { Intake } from '../intake/intake';
import type { Pseudonyms } from '../intake/pseudonyms';
import type { Embedder } from '../models/embedder';
import type { Database } from '../store/database';
import type { DurablePlaces } from '../store/erasure-places';
import type { Log } from '../telemetry/logger';
import { answerHeaders, DOCS_POLICY, NOT_KEPT } from './answer-headers';
import { authenticate, type Caller, presentedIn } from './authentication';
import { requireCsrf } from './console/csrf';
import { consolePages } from './console/pages';
import type { InsightFollower } from './insight-follower';
import { jsonBodies } from './json-body';
import { Limits } from './limits/limits';
import { addComponents, documentRoute } from './openapi';
import { type KnownNames, requireKnownPage } from './origin';
import { badRequest } from './problem';
import { problemOf } from './problem-of';
import type { ProposalDecider } from './proposal-decider';
import { registerRoutes } from './routes';
import { framesOf } from './stack-frames';
import type { TimelineReader } from './timeline-reader';
import { refuseUnknownParameters } from './unknown-parameters';
import { answerUnreadable, watchAnswers } from './unreadable-request';

/** Of a request: 500 events of 64 KB on average (contract, Events). */
const BODY_LIMIT_BYTES = 32 * 1024 * 1024;
/** Of any body: an event's 32, and what may stand around it. Deeper JSON can end the embedded database. */
const MAX_DEPTH = 40;
/** Events and spans are, so that a deep one does not cost its batch; lines of a file as they come in. */
const CHECKED_ONE_BY_ONE: ReadonlySet<string> = new Set([
  '/v1/events',
  '/v1/otel/v1/traces',
  '/v1/import',
]);
/** Of all headers of a request: Node's own default, and twenty times what any client of ours sends. */
const MAX_HEADER_BYTES = 16 * 1024;
/** Headers come in one packet or two; who takes longer only holds a connection. */
const HEADERS_TIMEOUT_MS = 15_000;
/** A client that sends a byte a second does not hold a connection for ever: 32 MiB at 5 Mbit/s. */
const REQUEST_TIMEOUT_MS = 60_000;
/** How often these two are looked at: they are that much later at most. */
const TIMEOUT_CHECK_MS = 2_000;
/**
 * A connection on which nothing moves, either way: a client that does not read its answer holds it in
 * our memory. An answer may wait 30 s for cards (`wait_ms`), and a connection may rest for 72 s.
 */
const STILL_TIMEOUT_MS = 90_000;
/** Connections of all clients together: above any fleet's, and below what the files of a process allow. */
const MAX_CONNECTIONS = 10_000;
/** A proxy and a client go on with another one, so that none is kept by one caller for ever. */
const REQUESTS_A_CONNECTION = 10_000;

const LOOPBACK = '127.0.0.1';
/** What a page that may use the API can send and read beside what every page may. */
const CORS = {
  methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  exposedHeaders: ['ETag', 'Cairn-Spans', 'RateLimit', 'RateLimit-Policy', 'Retry-After'],
  maxAge: 600,
  strictPreflight: false,
};

/** Temporal, as people find a history in it. */
export interface TemporalPlace {
  /** The URL of its own UI; null where it is not ours to know. */
  ui: string | null;
  namespace: string;
}

export interface ApiDependencies {
  database: Database;
  clock: Clock;
  log: Log;
  intake: Intake;
  pseudonyms: Pseudonyms;
  secretKey: string;
  /** The language model of this process's environment; null or left out where rules word everything. */
  languageModel?: Pick<ModelOptions, 'baseUrl' | 'model' | 'small'> | null;
  /** Null until the embedder is loaded; recall then leaves its dense arm out. */
  embedder(): Embedder | null;
  /**
   * The embedder of a model that vectors may still be of: null where it cannot be had, or not yet. Left out
   * where there is only one.
   */
  otherEmbedder?(model: string): Embedder | null;
  /** Has a proposal's workflow take a decision. */
  decider: ProposalDecider;
  /** Has an insight's workflow measure, extend or cancel. */
  follower: InsightFollower;
  /** Something was committed to the outbox. */
  pokeOutbox(): void;
  /** The same of a webhook's delivery; left out where none is sent. */
  pokeDeliveries?(): void;
  /** What `/readyz` asks; each names what is missing, or is null. */
  readiness(): Promise<Record<'postgres' | 'temporal' | 'workers', string | null>>;
  /** Left out where nobody can ask Temporal. */
  stuckWorkflows?: () => Promise<number | null>;
  /** Of the workers, where they share this process. */
  workerMetrics?: Registry;
  /** Where else than in tables something may stand; left out where nobody can look there. */
  durable?: Omit<DurablePlaces, 'database'>;
  /** Where Temporal's histories are looked at; left out where nobody can ask Temporal. */
  temporal?: TemporalPlace;
  /** Reads what Temporal keeps of a workflow; left out where nobody can ask Temporal. */
  timelines?: TimelineReader;
  /** What the console's build left; left out: where `npm run build` puts it. */
  consoleDir?: string;
  /** The host that the API listens on; left out where that is loopback. */
  host?: string;
  /** Left out: no web page but the API's own, and no name but those that it knows by itself. */
  knownNames?: KnownNames;
  /** Made with the app. */
  limits?: Limits;
}

export type App = FastifyInstance<
  import('http').Server,
  import('http').IncomingMessage,
  import('http').ServerResponse,
  import('fastify').FastifyBaseLogger,
  ZodTypeProvider
>;

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
  }
  interface FastifyContextConfig {
    /** Answers without a key: health, metrics, the docs. */
    open?: boolean;
    /** Its answer has no end: it is counted apart from requests in hand. */
    endless?: boolean;
  }
}

/** The HTTP surface: every route behind a key unless it says `open`, every error a problem document. */
export async function buildApp(given: ApiDependencies): Promise<App> {
  const limits = new Limits(given.clock);
  const deps: ApiDependencies = { ...given, limits };
  const app = Fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // What comes in on an open connection while the server drains is served, and then the connection closed.
    return503OnClosing: false,
    connectionTimeout: STILL_TIMEOUT_MS,
    maxRequestsPerSocket: REQUESTS_A_CONNECTION,
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    },
    clientErrorHandler: answerUnreadable,
    routerOptions: { maxParamLength: 600 },
    logger: false,
    // Errors before any route is found, such as a path that does not decode.
    frameworkErrors: (error, request, reply) => {
      void answerProblem(deps.log, error, request, reply);
    },
  }).withTypeProvider<ZodTypeProvider>() as unknown as App;
  app.server.maxConnections = MAX_CONNECTIONS;
  watchAnswers(app.server);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  jsonBodies(app);
  app.setErrorHandler((error: FastifyError, request, reply) =>
    answerProblem(deps.log, error, request, reply),
  );
  await consolePages(app, deps.consoleDir);
  app.decorateRequest('caller', null as unknown as Caller);
  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(answerHeaders(request.headers));
    // `/mcp` has stricter rules of its own.
    if (request.routeOptions.url === '/mcp') return;
    requireKnownPage(request, deps.host ?? LOOPBACK, deps.knownNames);
  });
  const origins = deps.knownNames?.origins ?? [];
  if (origins.length > 0) {
    await app.register(cors, {
      ...CORS,
      // Function, so that a page that is not listed gets no header of it at all.
      origin: async (origin: string | undefined) =>
        origin !== undefined && origins.includes(origin) ? origin : false,
    });
  }
  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    const { url, config } = request.routeOptions;
    if (url === undefined || config.open === true || url.startsWith('/docs')) return;
    reply.headers(NOT_KEPT);
    const presented = presentedIn(request);
    const holder = presented.hash.toString('base64');
    limits.requireRoom(holder);
    request.caller = await authenticate(request, deps, presented);
    requireCsrf(request, deps.secretKey);
    await limits.admit(request, reply, holder);
  });
  app.addHook('preValidation', async (request: FastifyRequest) => {
    if (CHECKED_ONE_BY_ONE.has(request.routeOptions.url ?? '')) return;
    if (depthOf(request.body, MAX_DEPTH) > MAX_DEPTH) {
      throw badRequest(`the body is nested deeper than ${MAX_DEPTH} levels`);
    }
  });
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Cairn',
        description: 'Durable memory for fleets of AI agents.',
        version: '1',
      },
      components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
      security: [{ key: [] }],
    },
    transform: documentRoute,
    transformObject: addComponents,
  });
  await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: DOCS_POLICY });
  refuseUnknownParameters(app);
  registerRoutes(app, deps);
  app.get('/openapi.json', { config: { open: true }, schema: { hide: true } }, () => app.swagger());
  return app;
}

function answerProblem(
  log: Log,
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const problem = problemOf(error, request.routeOptions.bodyLimit);
  if (problem.status >= 500) {
    const { url: route } = request.routeOptions;
    log.error(
      { err: error.name, code: error.code, route, trace: framesOf(error) },
      'request failed',
    );
  }
  return reply
    .status(problem.status)
    .headers({ ...answerHeaders(request.headers), ...problem.headers })
    .type('application/problem+json')
    .send(JSON.stringify(problem.body()));
}
