import type { Session } from '../contracts/session';
import { writeAudit } from '../store/audit';
import type { Tx } from '../store/database';
import { endSession, findSession, holdSessions, type SeenSession } from '../store/sessions';
import type { ApiDependencies } from './app';
import type { Caller } from './authentication';
import { isPerson } from './card-rights';
import { type Asked, writeOnce } from './idempotency';
import { kept } from './listing';
import { badRequest, notAllowed, notFound, Problem } from './problem';

/**
 * Who looks at a session: an agent with its own eyes; null is a person, who sees every one.
 * @throws Problem 400 where a runtime does not say for whom, 422 where the label may not be kept
 */
export function lookerOf(deps: ApiDependencies, caller: Caller, session: string): string | null {
  const { workspace, agent } = caller.context;
  kept(() => deps.pseudonyms.label(workspace, session), '/session');
  if (agent === null && !isPerson(caller)) {
    throw badRequest("name the agent that works: a runtime's key adds Cairn-Agent");
  }
  return agent;
}

/**
 * A session that the caller shares. One of another tree looks like one that never was.
 * @throws Problem 404
 */
export async function requireSession(
  tx: Tx,
  caller: Caller,
  id: string,
  agent: string | null,
): Promise<SeenSession> {
  const found = caller.memoryOff ? null : await findSession(tx, id, { agent, upwards: false });
  if (found === null) throw notFound('session');
  return found;
}

/** @throws Problem 404 */
export async function readSession(
  deps: ApiDependencies,
  caller: Caller,
  id: string,
): Promise<Session> {
  const agent = lookerOf(deps, caller, id);
  return await deps.database.inWorkspace(caller.context.workspace, async (tx) =>
    sessionOf(await requireSession(tx, caller, id, agent)),
  );
}

/**
 * Ends a session for good, and what stood on its blackboard is gone. Its root and the agents above that may,
 * a runtime for them, and a person. Again it changes nothing.
 * @throws Problem 404, or 403 to a sub-agent
 */
export async function closeSession(
  deps: ApiDependencies,
  request: Asked,
  id: string,
): Promise<Session> {
  const { caller } = request;
  const { workspace, agent, principal } = caller.context;
  kept(() => deps.pseudonyms.label(workspace, id), '/session');
  const seen = async (tx: Tx) => {
    const found = await findSession(tx, id, { agent, upwards: true });
    if (found === null) throw notFound('session');
    return found;
  };
  const answer = await writeOnce(request, deps, {
    perform: async (tx) => {
      await holdSessions(tx, [id]);
      const before = await seen(tx);
      if (!before.is_at_top) {
        throw notAllowed('a session is ended by its root agent, by one above that, or by a person');
      }
      const now = deps.clock();
      if (await endSession(tx, id, now)) {
        await writeAudit(tx, {
          at: now,
          actor: principal,
          action: 'session.ended',
          target: { type: 'session', id },
          channel: caller.channel,
        });
      }
      return { status: 200, reference: { id }, body: sessionOf(await seen(tx)) };
    },
    rebuild: async (tx) => sessionOf(await seen(tx)),
  });
  return answer.body as Session;
}

/** @throws Problem 409 */
export function requireOpen(session: Session): void {
  if (session.status === 'open') return;
  throw new Problem(
    409,
    'session_ended',
    'this session has ended, and its blackboard with it; a new task has a session of its own',
  );
}

function sessionOf({ is_at_top: _, ...session }: SeenSession): Session {
  return session;
}
