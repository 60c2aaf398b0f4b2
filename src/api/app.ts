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
import type { Clock } from '../contracts/clock';
import { depthOf } from '../domain/clean-text';
import type { Intake } from '../intake/intake';
import type { Pseudonyms } from '../intake/pseudonyms';
import type { Embedder } from '../models/embedder';
import type { Database } from '../store/database';
import type { Log } from '../telemetry/logger';
import { authenticate, type Caller } from './authentication';
import { jsonBodies } from './json-body';
import { addComponents, documentRoute } from './openapi';
import { badRequest } from './problem';
import { noRoute, problemOf } from './problem-of';
import type { ProposalDecider } from './proposal-decider';
import { registerRoutes } from './routes';
import { framesOf } from './stack-frames';
import { refuseUnknownParameters } from './unknown-parameters';
import { answerUnreadable, watchAnswers } from './unreadable-request';

/** Of a request: 500 events of 64 KB on average (contract, Events). */
const BODY_LIMIT_BYTES = 32 * 1024 * 1024;
/** Of any body: an event's 32, and what may stand around it. Deeper JSON can end the embedded database. */
const MAX_DEPTH = 40;
/** Events and spans are, so that a deep one does not cost its batch. */
const CHECKED_ONE_BY_ONE: ReadonlySet<string> = new Set(['/v1/events', '/v1/otel/v1/traces']);
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

export interface ApiDependencies {
  database: Database;
  clock: Clock;
  log: Log;
  intake: Intake;
  pseudonyms: Pseudonyms;
  secretKey: string;
  /** Null until the embedder is loaded; recall then leaves its dense arm out. */
  embedder(): Embedder | null;
  /**
   * The embedder of a model that vectors may still be of: null where it cannot be had, or not yet. Left out
   * where there is only one.
   */
  otherEmbedder?(model: string): Embedder | null;
  /** Has a proposal's workflow take a decision. */
  decider: ProposalDecider;
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
  /** The host that the API listens on; left out where that is loopback. */
  host?: string;
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
  }
}

/** The HTTP surface: every route behind a key unless it says `open`, every error a problem document. */
export async function buildApp(deps: ApiDependencies): Promise<App> {
  const app = Fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // What comes in on an open connection while the server drains is served, and then the connection closed.
    return503OnClosing: false,
    connectionTimeout: STILL_TIMEOUT_MS,
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
  watchAnswers(app.server);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  jsonBodies(app);
  app.setErrorHandler((error: FastifyError, request, reply) =>
    answerProblem(deps.log, error, request, reply),
  );
  app.setNotFoundHandler(() => {
    throw noRoute();
  });
  app.decorateRequest('caller', null as unknown as Caller);
  app.addHook('onRequest', async (request: FastifyRequest) => {
    const { url, config } = request.routeOptions;
    if (url === undefined || config.open === true || url.startsWith('/docs')) return;
    request.caller = await authenticate(request, deps);
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
  await app.register(swaggerUi, { routePrefix: '/docs' });
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
    .headers(problem.headers)
    .type('application/problem+json')
    .send(JSON.stringify(problem.body()));
}
