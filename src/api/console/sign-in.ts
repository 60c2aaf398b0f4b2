import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { writeAudit } from '../../store/audit';
import { deleteSession, insertSession } from '../../store/console-sessions';
import type { Tx } from '../../store/database';
import type { ApiDependencies } from '../app';
import { authenticate, type Caller, hashKey } from '../authentication';
import type { Limits } from '../limits/limits';
import { notAllowed, notFound } from '../problem';
import { sessionTokenIn } from './cookie';

/** Nobody guesses one. */
const TOKEN_BYTES = 32;

/**
 * Opens a session by a person's key, in the place of the one that this browser had.
 * @returns what the browser keeps, and who it is for from now on
 * @throws Problem 401 for a key that is not good, 403 where it is no person's, 429 after too many of these
 */
export async function signIn(
  deps: ApiDependencies & { limits: Limits },
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
): Promise<{ token: string; caller: Caller }> {
  const hash = hashKey(key);
  const holder = hash.toString('base64');
  deps.limits.requireRoom(holder);
  const caller = await deps.limits.signingIn(request.ip, () =>
    authenticate(request, deps, { by: 'key', hash }),
  );
  const { kind } = caller.context.principal;
  if (kind !== 'person') {
    throw notAllowed(
      `this is ${kind === 'agent' ? "an agent's" : "a runtime's"} key, and the console is for people: sign in with a person's key, which an owner makes by \`cairn keys create person <id>\``,
    );
  }
  request.caller = caller;
  await deps.limits.admit(request, reply, holder);

  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const made = hashKey(token);
  const before = sessionTokenIn(request.headers);
  await deps.database.inWorkspace(caller.context.workspace, async (tx) => {
    const now = deps.clock();
    await insertSession(tx, { hash: made, keyId: caller.keyId, now });
    await note(tx, caller, 'key.signed_in', now);
  });
  if (before !== null) {
    // It may have been of another workspace.
    await deps.database.acrossWorkspaces((tx) => deleteSession(tx, hashKey(before)));
  }
  // Read again as the cookie would be: what it stands for is what it is told.
  return { token, caller: await authenticate(request, deps, { by: 'session', hash: made }) };
}

/** Ends the caller's session. @throws Problem 404 for a caller who came with a key */
export async function signOut(deps: ApiDependencies, caller: Caller): Promise<void> {
  const { consoleSession } = caller;
  if (consoleSession === null) throw notFound('session');
  await deps.database.inWorkspace(caller.context.workspace, async (tx) => {
    const hasEnded = await deleteSession(tx, consoleSession.hash);
    if (hasEnded) await note(tx, caller, 'key.signed_out', deps.clock());
  });
}

async function note(tx: Tx, caller: Caller, action: string, at: Date): Promise<void> {
  await writeAudit(tx, {
    at,
    actor: caller.context.principal,
    action,
    target: { type: 'key', id: caller.keyId },
    channel: 'api',
  });
}
