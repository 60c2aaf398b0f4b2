import type { Json } from '../contracts/event';
import type { BlackboardEntry } from '../contracts/session';
import { depthOf } from '../domain/clean-text';
import { fitBoardValue } from '../intake/board-value';
import { writeAudit } from '../store/audit';
import { deleteEntry, readEntry, spaceBeside, writeEntry } from '../store/blackboard';
import type { Tx } from '../store/database';
import { holdSessions, joinSessions } from '../store/sessions';
import type { ApiDependencies } from './app';
import type { Caller } from './authentication';
import { noEntry } from './blackboard';
import { settingsIn } from './card-content';
import { memoryOff } from './card-creating';
import { isPerson } from './card-rights';
import { namedVersion } from './card-versions';
import { type Asked, writeOnce } from './idempotency';
import { requireReader } from './known-agent';
import { kept } from './listing';
import { badRequest, Problem } from './problem';
import { lookerOf, requireOpen, requireSession } from './session-access';

/** Of one value as JSON, in bytes: a working note, and no file. */
export const MAX_VALUE_BYTES = 64 * 1024;
export const MAX_KEYS = 1_000;
/** Of all values of a session. */
export const MAX_BOARD_BYTES = 1024 * 1024;
const MAX_VALUE_DEPTH = 32;

interface Place {
  session: string;
  key: string;
}

/** What the writer says of the value that they expect to stand there. */
interface Expected {
  /** Null where any will do. */
  version: number | null;
  /** That none stands there. */
  none: boolean;
}

/**
 * Puts a value under a key, redacted. The first PUT of an agent opens the session, with it as the root; an
 * ancestor of the root that writes is its root from then on.
 * @throws Problem 404 another tree's, 409 `session_ended` or `blackboard_full`, 412 by If-Match or
 *   If-None-Match, 413 a value over 64 KiB, 403 `memory_off`
 */
export async function putEntry(
  deps: ApiDependencies,
  request: Asked,
  { session, key }: Place,
  value: Json,
): Promise<{ made: boolean; entry: BlackboardEntry }> {
  const { caller } = request;
  const agent = lookerOf(deps, caller, session);
  const expected = expectedOf(request);
  kept(() => deps.pseudonyms.label(caller.context.workspace, key), '/key');
  const fit = await fitValue(deps, caller, key, value);
  if (agent !== null) await requireReader(deps, caller);
  const answer = await writeOnce(request, deps, {
    perform: async (tx) => {
      await requireMemory(tx, caller);
      const now = deps.clock();
      if (agent !== null) await joinSessions(tx, [{ id: session, agent }], now);
      const before = await heldEntry(tx, caller, { session, key });
      requireExpected(before, expected);
      await requireRoom(tx, { session, key }, fit.bytes);
      const writer = writerOf(caller);
      const entry = await writeEntry(tx, { session, key, ...fit, writer, now });
      await auditPerson(tx, caller, { session, key }, 'blackboard.written', now);
      return { status: before === null ? 201 : 200, reference: { key }, body: entry };
    },
    rebuild: async (tx) => {
      requireOpen(await requireSession(tx, caller, session, agent));
      const entry = await readEntry(tx, session, key);
      if (entry === null) throw noEntry();
      return entry;
    },
  });
  return { made: answer.status === 201, entry: answer.body as BlackboardEntry };
}

/** @throws Problem as `putEntry`, and 404 where nothing stands under the key */
export async function removeEntry(
  deps: ApiDependencies,
  request: Asked,
  { session, key }: Place,
): Promise<void> {
  const { caller } = request;
  lookerOf(deps, caller, session);
  const expected = expectedOf(request);
  await writeOnce(request, deps, {
    perform: async (tx) => {
      const before = await heldEntry(tx, caller, { session, key });
      if (before === null) throw noEntry();
      requireExpected(before, expected);
      await deleteEntry(tx, session, key);
      await auditPerson(tx, caller, { session, key }, 'blackboard.deleted', deps.clock());
      return { status: 204, reference: { key }, body: null };
    },
    rebuild: async () => null,
  });
}

/** Writers of one session come one after the other from here on. */
async function heldEntry(
  tx: Tx,
  caller: Caller,
  { session, key }: Place,
): Promise<BlackboardEntry | null> {
  await holdSessions(tx, [session]);
  requireOpen(await requireSession(tx, caller, session, caller.context.agent));
  return await readEntry(tx, session, key);
}

/** @throws Problem 403: off is off for what lasts an hour too, whoever writes it */
async function requireMemory(tx: Tx, caller: Caller): Promise<void> {
  const { memoryMode } = await settingsIn(tx);
  if (memoryMode === 'off') throw memoryOff("this workspace's memory is off");
  if (caller.memoryOff) throw memoryOff("this agent's memory is off");
}

function expectedOf({ headers }: Asked): Expected {
  const none = headers['if-none-match'];
  if (none !== undefined && none.trim() !== '*') {
    throw badRequest('If-None-Match takes * only: write where nothing stands yet');
  }
  return { version: namedVersion(headers['if-match']), none: none !== undefined };
}

/** @throws Problem 412 */
function requireExpected(before: BlackboardEntry | null, { version, none }: Expected): void {
  if (none && before !== null) {
    throw new Problem(412, 'already_there', 'something stands under this key; read it first');
  }
  if (version === null || before?.version === version) return;
  throw new Problem(
    412,
    'stale_version',
    'the value was changed or deleted since you read it; read it again and decide anew',
  );
}

/** @throws Problem 409 */
async function requireRoom(tx: Tx, { session, key }: Place, bytes: number): Promise<void> {
  const beside = await spaceBeside(tx, session, key);
  if (beside.keys + 1 > MAX_KEYS) {
    throw full(`it has ${beside.keys} keys, of at most ${MAX_KEYS}`);
  }
  if (beside.bytes + bytes > MAX_BOARD_BYTES) {
    throw full(
      `its other values take ${beside.bytes} bytes of JSON and this one ${bytes}, of at most ${MAX_BOARD_BYTES}`,
    );
  }
}

function full(detail: string): Problem {
  return new Problem(409, 'blackboard_full', `the blackboard is full: ${detail}; delete some`);
}

async function fitValue(
  deps: ApiDependencies,
  caller: Caller,
  key: string,
  value: Json,
): Promise<{ value: Json; bytes: number }> {
  if (depthOf(value, MAX_VALUE_DEPTH) > MAX_VALUE_DEPTH) {
    throw badRequest(`the value is nested deeper than ${MAX_VALUE_DEPTH} levels`, '/value');
  }
  requireSize(value);
  const { workspace } = caller.context;
  const settings = await deps.database.inWorkspace(workspace, settingsIn);
  const options = deps.pseudonyms.redaction(workspace, settings);
  const fit = fitBoardValue(key, value, options);
  return { value: fit, bytes: requireSize(fit) };
}

/** @throws Problem 413 @returns its bytes as JSON */
function requireSize(value: Json): number {
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes <= MAX_VALUE_BYTES) return bytes;
  throw new Problem(
    413,
    'too_large',
    `the value is ${bytes} bytes of JSON; at most ${MAX_VALUE_BYTES} are taken`,
  );
}

/** A person writes as a person, whichever agent they look as; the owner's key acts for an agent that may write. */
function writerOf({ context, restricted }: Caller): BlackboardEntry['writer'] {
  const { agent, principal } = context;
  const isPersons = agent === null || (principal.kind === 'person' && restricted);
  return isPersons ? { kind: 'person', id: principal.id } : { kind: 'agent', id: agent };
}

/** What agents write in passing is no matter of the audit; that a person did is. */
async function auditPerson(
  tx: Tx,
  caller: Caller,
  { session }: Place,
  action: string,
  at: Date,
): Promise<void> {
  if (!isPerson(caller) || caller.context.agent !== null) return;
  await writeAudit(tx, {
    at,
    actor: caller.context.principal,
    action,
    target: { type: 'session', id: session },
    channel: caller.channel,
  });
}
