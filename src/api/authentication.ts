import type { FastifyRequest } from 'fastify';
import type { Clock } from '../contracts/clock';
import type { ExecutionMode } from '../contracts/names';
import { EXECUTION_MODES } from '../contracts/names';
import type { PolicyPatch } from '../contracts/policy';
import type { ReadContext } from '../contracts/principal';
import type { Pseudonyms } from '../intake/pseudonyms';
import { idSchema, labelSchema, personalIdSchema } from '../schemas/event';
import { findCredential, keyHash, type Presented } from '../store/credentials';
import type { Database } from '../store/database';
import { sessionTokenIn } from './console/cookie';
import { kept } from './listing';
import { badRequest, notAllowed, Problem } from './problem';

/** A request's principal and context, and what the routes' policies look at. */
export interface Caller {
  context: ReadContext;
  keyId: string;
  /** Requests a minute of this key alone, where it has a number of its own. */
  keyRate: number | null;
  /** A restricted agent reads; its writes go through its parent. */
  restricted: boolean;
  /** The subject of a person with the role `member`. */
  memberSubject: string | null;
  /** False where a runtime names an agent that was never seen. */
  agentKnown: boolean;
  /** Whether it is an agent that reads, and one whose memory is off, by itself or with the whole workspace. */
  memoryOff: boolean;
  /** Whether a person stopped what it writes. */
  stopped: boolean;
  /** As of this request: a recall needs no statement of its own for it. */
  policyDocument: PolicyPatch;
  /** Whether its directory has names that are taken out of texts; they are read where a text comes. */
  redactsNames: boolean;
  /** The door it came in by, as audit and access log name it. */
  channel: Channel;
  /** The browser's session that stood for the key; null where the key itself came. */
  consoleSession: { hash: Buffer; expiresAt: string } | null;
}

export type Channel = 'api' | 'mcp';

/** What a read of a card is logged under: a route's own name, and for the tools the name of their door. */
export function surfaceOf(caller: Caller, route: string): string {
  return caller.channel === 'api' ? route : caller.channel;
}

export const hashKey = keyHash;

/**
 * Builds the read context, once, at the edge (design §1).
 * @throws Problem 401 without a good key or session, 400 where the headers contradict it.
 */
export async function authenticate(
  request: Pick<FastifyRequest, 'headers' | 'routeOptions'>,
  deps: { database: Database; clock: Clock; pseudonyms: Pseudonyms },
  presented: Presented = presentedIn(request),
): Promise<Caller> {
  const agent = named(request, 'cairn-agent');
  const person = named(request, 'cairn-person');
  const session = header(request, 'cairn-session');
  if (session !== null && !labelSchema.safeParse(session).success) {
    throw badRequest('Cairn-Session must be 1 to 200 printable characters');
  }
  const mode = modeOf(header(request, 'cairn-execution-mode'));
  const found = await findCredential(
    deps.database,
    presented,
    (workspace) => ({
      agent: knownAs(deps.pseudonyms, workspace, agent, 'Cairn-Agent'),
      person: knownAs(deps.pseudonyms, workspace, person, 'Cairn-Person'),
    }),
    deps.clock(),
  );
  if (found === null) {
    throw new Problem(
      401,
      'unauthenticated',
      presented.by === 'key'
        ? 'this key is unknown, revoked or expired'
        : 'this session is over, or its key is; sign in again',
      {},
      CHALLENGE,
    );
  }
  if (found.principal_kind === 'person' && found.role === null) {
    throw new Problem(401, 'unauthenticated', "this key's person is gone", {}, CHALLENGE);
  }
  if (session !== null) {
    kept(() => deps.pseudonyms.label(found.workspace_id, session), 'Cairn-Session');
  }
  const actsAsRuntime = found.principal_kind === 'runtime' || found.bootstrap;
  const isOther = agent !== null && deps.pseudonyms.of(found.workspace_id, agent) !== found.agent;
  if (found.principal_kind === 'agent' && isOther) {
    throw notAllowed("an agent's key may only act as its own agent; leave Cairn-Agent out");
  }
  if (person !== null) {
    if (!actsAsRuntime) throw notAllowed("Cairn-Person comes with a runtime's key only");
    if (mode === 'headless') {
      throw badRequest(
        'Cairn-Person needs Cairn-Execution-Mode: interactive; headless work acts for nobody',
      );
    }
    if (!found.person_known)
      throw badRequest('Cairn-Person names a person this workspace does not know');
  }
  if (agent !== null && !actsAsRuntime && !found.agent_known) {
    throw badRequest('Cairn-Agent names an agent this workspace does not know');
  }
  return {
    context: {
      workspace: found.workspace_id,
      principal: {
        kind: found.principal_kind,
        id: found.principal_id,
        role: found.role,
        bootstrap: found.bootstrap,
      },
      agent: found.agent,
      person: found.person,
      execution_mode: mode,
      session,
    },
    keyId: found.key_id,
    keyRate: found.requests_per_minute,
    restricted: found.restricted,
    memberSubject: found.role === 'member' ? found.subject_id : null,
    agentKnown: found.agent_known,
    memoryOff: found.memory_off,
    stopped: found.stopped,
    policyDocument: found.policy_document,
    redactsNames: found.redacts_names,
    channel: 'api',
    consoleSession:
      found.session_expires_at === null
        ? null
        : { hash: presented.hash, expiresAt: found.session_expires_at },
  };
}

/**
 * The key that a request brings, else the session of its cookie; nothing is looked up.
 * @throws Problem 401 where it brings neither.
 */
export function presentedIn(request: Pick<FastifyRequest, 'headers' | 'routeOptions'>): Presented {
  const { headers, routeOptions } = request;
  const { takesToken = false } = routeOptions.config;
  // Programs have keys: what is made for them alone takes no cookie.
  const isForPages = routeOptions.url?.startsWith('/v1/') === true && !takesToken;
  const token = headers.authorization === undefined && isForPages ? sessionTokenIn(headers) : null;
  if (token !== null) return { by: 'session', hash: hashKey(token) };
  return { by: 'key', hash: hashKey(keyIn(headers.authorization, takesToken ? TOKEN : BEARER)) };
}

/** What is in a header becomes durable too: a secret in one is refused before anything is written. */
function knownAs(
  pseudonyms: Pseudonyms,
  workspace: string,
  id: string | null,
  header: string,
): string | null {
  if (id === null) return null;
  const known = kept(() => pseudonyms.of(workspace, id), header);
  if (!idSchema.safeParse(known).success) throw badRequest(`${header} is not an id`);
  return known;
}

const CHALLENGE = { 'www-authenticate': 'Bearer realm="cairn"' };

const BEARER = /^Bearer +(\S+)$/i;
/** The scheme of mem0's clients, on the paths that are made for them. */
const TOKEN = /^(?:Bearer|Token) +(\S+)$/i;

function keyIn(header: string | undefined, scheme: RegExp): string {
  const key = scheme.exec(header ?? '')?.[1];
  if (key === undefined) {
    throw new Problem(
      401,
      'unauthenticated',
      'send a key: Authorization: Bearer <key>; `npm start` prints the first one',
      {},
      CHALLENGE,
    );
  }
  return key;
}

function named(
  request: Pick<FastifyRequest, 'headers'>,
  name: 'cairn-agent' | 'cairn-person',
): string | null {
  const value = header(request, name);
  if (value !== null && !personalIdSchema.safeParse(value).success) {
    throw badRequest(`${name === 'cairn-agent' ? 'Cairn-Agent' : 'Cairn-Person'} is not an id`);
  }
  return value;
}

function header(request: Pick<FastifyRequest, 'headers'>, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

function modeOf(value: string | null): ExecutionMode {
  if (value === null) return 'headless';
  const mode = EXECUTION_MODES.find((one) => one === value);
  if (mode === undefined) {
    throw badRequest('Cairn-Execution-Mode is interactive or headless');
  }
  return mode;
}
