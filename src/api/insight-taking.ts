import type { z } from 'zod';
import { RECALLED_STATUSES } from '../contracts/names';
import type { takenSchema } from '../schemas/insights';
import type { Tx } from '../store/database';
import { mayFollowUp } from '../store/insight-rights';
import { takeAction } from '../store/insight-taking';
import { readInsight, type SeenInsight } from '../store/insights-read';
import type { ReaderArguments } from '../store/visible-cards';
import type { ApiDependencies } from './app';
import type { Caller } from './authentication';
import { isPerson, readerOf } from './card-rights';
import { type Asked, writeOnce } from './idempotency';
import { badRequest, notAllowed, notFound, Problem } from './problem';

/** A clock that is a little ahead is no reason to refuse. */
const AHEAD_MS = 60_000;

export interface TakenAction {
  operation_id: string;
  measure_at: string;
  workflow_id: string;
}

/**
 * Records that an action of an insight was taken, and has it followed up.
 * @throws Problem 404, 403, 400 for a time to come; 409 `already_taken` at another time or with another window, `not_in_use` where the
 *   insight is none any more
 */
export async function takeActionOnce(
  deps: ApiDependencies,
  request: Asked,
  { insightId, actionId }: { insightId: string; actionId: string },
  body: z.output<typeof takenSchema>,
): Promise<TakenAction> {
  const { caller } = request;
  const answer = await writeOnce(request, deps, {
    perform: async (tx) => {
      const now = deps.clock();
      const seen = await requireInsight(tx, readerOf(caller, deps.clock), insightId);
      await requireFollowUpRight(tx, deps, caller, seen);
      requireInUse(seen);
      const taken = await takeAction(tx, {
        ...{ insightId, actionId, now },
        at: momentOf(body?.at, now),
        isDated: body?.at !== undefined,
        window: body?.window ?? null,
        by: followerOf(caller),
        channel: caller.channel,
      });
      if (!taken.ok) throw taken.code === 'no_action' ? notFound('action') : alreadyTaken();
      const { operationId: operation_id, workflowId: workflow_id, measureAt: measure_at } = taken;
      const reference = { operation_id, measure_at, workflow_id };
      return { status: 202, reference, body: reference };
    },
    rebuild: async (_tx, reference) => reference,
  });
  deps.pokeOutbox();
  return answer.body as TakenAction;
}

/** @throws Problem 404 for one that is not there or whose card the caller may not see. */
export async function requireInsight(
  tx: Tx,
  reader: ReaderArguments,
  id: string,
): Promise<SeenInsight> {
  const seen = await readInsight(tx, reader, id);
  if (seen === null) throw notFound('insight');
  return seen;
}

/** As whom a caller takes, measures, extends, cancels or reports: a runtime as the agent that it names. */
export function followerOf({ context }: Pick<Caller, 'context'>): { kind: string; id: string } {
  const { agent, principal } = context;
  if (principal.kind !== 'person' && agent !== null) return { kind: 'agent', id: agent };
  return { kind: principal.kind, id: principal.id };
}

/** @throws Problem 403 where somebody else looks after it. */
export async function requireFollowUpRight(
  tx: Tx,
  deps: ApiDependencies,
  caller: Caller,
  { card, owner }: SeenInsight,
): Promise<void> {
  const owned = { card_id: card.id, owner_kind: owner.kind, owner_id: owner.id };
  if (await mayFollowUp(tx, owned, followerOf(caller), deps.clock())) return;
  throw notAllowed(
    isPerson(caller)
      ? 'an owner, an operator or a reviewer says what was done about an insight'
      : 'the agent whose insight it is, a runtime for it, or a person says what was done about it',
  );
}

/** @throws Problem 409 */
export function requireInUse({ card: { status } }: SeenInsight): void {
  if (RECALLED_STATUSES.some((one) => one === status)) return;
  throw new Problem(409, 'not_in_use', `nothing is done about an insight whose card is ${status}`);
}

/** To the millisecond, as it is kept. @throws Problem 400 */
function momentOf(said: string | undefined, now: Date): Date {
  if (said === undefined) return now;
  const at = new Date(said);
  if (at.getTime() > now.getTime() + AHEAD_MS) throw badRequest('at: lies in the future', '/at');
  return at;
}

function alreadyTaken(): Problem {
  return new Problem(
    409,
    'already_taken',
    'this action was taken before, at another time or with another window; an action of an insight is taken once, ' +
      'and `extend` moves when it is measured',
  );
}
