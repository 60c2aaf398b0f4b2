import type { FastifyRequest } from 'fastify';
import type { Clock } from '../contracts/clock';
import type { Json } from '../contracts/event';
import { depthOf } from '../domain/clean-text';
import { workspaceHasher } from '../intake/hashing';
import { labelSchema } from '../schemas/event';
import type { Database, Tx } from '../store/database';
import {
  type EarlierAnswer,
  type IdempotentRequest,
  keepAnswer,
  type Reference,
  takeKey,
} from '../store/idempotency';
import { badRequest, Problem } from './problem';

/**
 * What the functions behind a route have to know of a request. A tool's call is one too, so that both
 * go by the same rules.
 */
export type Asked = Pick<FastifyRequest, 'caller' | 'headers' | 'method' | 'url' | 'body'>;

/** What a write did: how it answers, and the ids from which that answer can be built again. */
export interface Written<Body, Ref extends Reference> {
  status: number;
  reference: Ref;
  /** Left out for 204. */
  body: Body;
}

export interface Write<Body, Ref extends Reference> {
  /** The write, in the transaction that also keeps its key. What it throws undoes both. */
  perform(tx: Tx): Promise<Written<Body, Ref>>;
  /** The answer to a repetition, read anew; null where the thing is gone, and its ids answer. */
  rebuild(tx: Tx, reference: Ref): Promise<Body | null>;
}

/** A batch of events that are nested as deep as one may be, and far from what a stack holds. */
const MAX_DEPTH = 64;

/** Headers that make the same body another request. */
const HEADERS = [
  'cairn-agent',
  'cairn-person',
  'cairn-session',
  'cairn-execution-mode',
  'if-match',
  'if-none-match',
] as const;

/**
 * Runs a write in one transaction of the caller's workspace, once per `Idempotency-Key`. The same key
 * with the same request answers the same status and ids again, from what is stored now and never from
 * a stored body; with another request it is 422. A second one at the same moment waits for the first.
 * A write that failed leaves nothing, so its key may be tried again. Without the header it simply runs.
 *
 * Embed, redact and hash before calling it: `perform` may run twice after a serialization failure.
 *
 * @example
 * const answer = await writeOnce(request, deps, {
 *   perform: async (tx) => {
 *     const card = await insertCard(tx, draft);
 *     return { status: 201, reference: { card_id: card.id }, body: card };
 *   },
 *   rebuild: (tx, { card_id }) => readCard(tx, reader, card_id),
 * });
 * return reply.status(answer.status).send(answer.body);
 */
export async function writeOnce<Body, Ref extends Reference>(
  request: Asked,
  deps: { database: Database; clock: Clock; secretKey: string },
  write: Write<Body, Ref>,
): Promise<{ status: number; body: Body | Ref | undefined; repeated: boolean }> {
  const once = idempotentRequest(request, deps.secretKey);
  return await deps.database.inWorkspace(request.caller.context.workspace, async (tx) => {
    const earlier = once === null ? null : await earlierAnswer(tx, once, deps.clock());
    if (earlier !== null) {
      const reference = earlier.resource as Ref;
      if (earlier.status === 204) return { status: 204, body: undefined, repeated: true };
      const body = await write.rebuild(tx, reference);
      return { status: earlier.status, body: body ?? reference, repeated: true };
    }
    const { status, reference, body } = await write.perform(tx);
    if (once !== null) await keepAnswer(tx, once, status, reference);
    return { status, body, repeated: false };
  });
}

/**
 * For a write that is the same twice by its own ids: it runs again under the same key, and another
 * request under that key is refused.
 * @param body what of the body tells one request from another
 * @throws Problem 422 where the key came with another request.
 */
export async function requireSameRequest(
  request: Asked,
  deps: { database: Database; clock: Clock; secretKey: string },
  status: number,
  body: unknown = request.body,
): Promise<void> {
  const once = idempotentRequest(request, deps.secretKey, body);
  if (once === null) return;
  await deps.database.inWorkspace(request.caller.context.workspace, async (tx) => {
    const earlier = await earlierAnswer(tx, once, deps.clock());
    if (earlier === null) await keepAnswer(tx, once, status, {});
  });
}

/** @throws Problem 422 where the key came with another request. */
async function earlierAnswer(
  tx: Tx,
  once: IdempotentRequest,
  now: Date,
): Promise<EarlierAnswer | null> {
  const earlier = await takeKey(tx, once, now);
  if (earlier !== null && !earlier.request_hash.equals(once.requestHash)) {
    throw new Problem(
      422,
      'idempotency_key_reused',
      'this Idempotency-Key came with another request before; a new request needs a new key',
    );
  }
  return earlier;
}

function idempotentRequest(
  request: Asked,
  secretKey: string,
  body: unknown = request.body,
): IdempotentRequest | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !labelSchema.safeParse(key).success) {
    throw badRequest('Idempotency-Key must be 1 to 200 printable characters');
  }
  const { workspace, principal } = request.caller.context;
  const hasher = workspaceHasher(secretKey, workspace);
  const said: Json = {
    method: request.method,
    url: request.url,
    headers: HEADERS.map((name) => String(request.headers[name] ?? '')),
    body: plain(body),
  };
  return {
    principal: `${principal.kind}:${principal.id}`,
    key: hasher.shortId('idempotency-key', key),
    requestHash: hasher.hash('idempotency-request', said),
  };
}

/** Through JSON once more: a schema may have made a Date of a time, which has no members to hash. */
function plain(body: unknown): Json {
  if (depthOf(body, MAX_DEPTH) > MAX_DEPTH) {
    throw badRequest(`the body is nested deeper than ${MAX_DEPTH} levels`);
  }
  return JSON.parse(JSON.stringify(body ?? null)) as Json;
}
