import type { AcceptedCard, PendingWrite } from '../contracts/pending-write';
import type { NewCardBody } from '../schemas/card';
import { findAgents } from '../store/agents';
import { writeAudit } from '../store/audit';
import { keepReason } from '../store/card-edits';
import type { Tx } from '../store/database';
import { newId } from '../store/ids';
import { decidePendingWrite, holdPendingWrite, readPendingWrite } from '../store/pending-writes';
import type { ApiDependencies } from './app';
import type { Caller } from './authentication';
import { fitRemark } from './card-content';
import { createCard, placedIn, requireOrder, withVector } from './card-creating';
import { isPerson } from './card-rights';
import { afterKeyRaces } from './card-versions';
import { requireNotHeld } from './held';
import { type Asked, writeOnce } from './idempotency';
import type { FitInsight } from './insight-fitting';
import { createInsight } from './insight-saving';
import { prepareOver, putNote } from './note-writing';
import { badRequest, notAllowed, notFound, Problem } from './problem';

/**
 * Whose pending writes a caller knows of: null is all of the workspace, for people; an agent knows its own
 * and those of every agent below it in the spawn tree.
 * @throws Problem 400 where a runtime does not say for whom it asks.
 */
export function watcherOf({ context }: Caller): string | null {
  if (context.agent !== null || context.principal.kind === 'person') return context.agent;
  throw badRequest("name the agent that asks: a runtime's key adds Cairn-Agent");
}

/** @throws Problem 404 */
export async function requirePendingWrite(
  tx: Tx,
  caller: Caller,
  id: string,
): Promise<PendingWrite> {
  const found = await readPendingWrite(tx, watcherOf(caller), id);
  if (found === null) throw notFound('pending write');
  return found;
}

export interface Verdict {
  accept: boolean;
  reason?: string | undefined;
}

/**
 * Accepts or rejects what a restricted agent posted. Accepted, it is a card of its parent, or the next
 * version of the parent's note, written by the restricted agent and standing as an agent's own word does.
 * What the policy holds back is a quarantined card, which the answer says, and no note.
 *
 * @throws Problem 404, 403 for the agent itself, 409 `already_decided`, 409 `held` where one that a legal hold keeps is
 * rejected, and what writing the card throws
 */
export async function decideOnce(
  deps: ApiDependencies,
  request: Asked,
  id: string,
  { accept, reason: said }: Verdict,
): Promise<PendingWrite | { id: string }> {
  const { caller } = request;
  const reason = await fitRemark(deps, caller, said);
  const answer = await afterKeyRaces(async () => {
    const { workspace } = caller.context;
    const found = await deps.database.inWorkspace(workspace, (tx) =>
      requirePendingWrite(tx, caller, id),
    );
    requireDecider(caller, found);
    const isOpen = accept && found.status === 'waiting';
    const write = isOpen ? await prepareAccepted(deps, caller, found) : null;
    return await writeOnce(request, deps, {
      perform: async (tx) => {
        const status = await holdPendingWrite(tx, id);
        if (status !== 'waiting') throw alreadyDecided(await requirePendingWrite(tx, caller, id));
        // Rejected, its text would be gone; accepted, the card has it.
        if (!accept) await requireNotHeld(tx, caller, 'pending_write', [id]);
        const at = deps.clock();
        const made = write === null ? null : await write(tx);
        const cardId = made?.id ?? null;
        const reasonId = reason === null ? null : newId('reason', at);
        if (reasonId !== null && reason !== null) await keepReason(tx, reasonId, reason, at);
        const by = caller.context.principal;
        await decidePendingWrite(tx, { id, cardId, by, reasonId, at });
        await writeAudit(tx, {
          at,
          actor: by,
          action: `pending_write.${accept ? 'accepted' : 'rejected'}`,
          target: { type: 'pending_write', id },
          changed: ['status', 'content'],
          ...(cardId === null ? {} : { hashes: { card: cardId } }),
          reasonId,
          channel: caller.channel,
        });
        const body = await requirePendingWrite(tx, caller, id);
        const stood = { status: made?.status ?? null, reason: made?.reason ?? null };
        return { status: 200, reference: { id, ...stood }, body: { ...body, ...cardAs(stood) } };
      },
      rebuild: async (tx, stood) => {
        const decided = await readPendingWrite(tx, watcherOf(caller), id);
        return decided === null ? null : { ...decided, ...cardAs(stood) };
      },
    });
  });
  deps.pokeOutbox();
  return answer.body ?? { id };
}

/** How the card stood as it was written; nothing where none was. */
function cardAs({ status, reason }: Stood): Pick<PendingWrite, 'card'> {
  // An answer that was kept before it said so has neither.
  if (status === null || status === undefined) return {};
  return { card: { status, ...(reason === 'instruction_like' ? { reason } : {}) } };
}

/** @throws Problem 403: who asks for something does not decide on it. */
function requireDecider(caller: Caller, { agent }: PendingWrite): void {
  if (isPerson(caller) || caller.context.agent !== agent) return;
  throw notAllowed('its parent, an agent above that, or a person decides on what an agent posted');
}

function alreadyDecided({ status, card_id }: PendingWrite): Problem {
  const detail =
    status === 'expired'
      ? 'nobody decided in time: its text is gone'
      : `it was ${status} before, and its text is gone from here`;
  return new Problem(409, 'already_decided', detail, { pending_write: { status, card_id } });
}

type HeldContent = Omit<NewCardBody, 'scope'> & { insight?: FitInsight };
type Made = AcceptedCard & { id: string };
type Stood = { [Field in keyof AcceptedCard]?: AcceptedCard[Field] | null };

/**
 * Everything of the accepted write that comes before its transaction.
 * @returns writes it and answers with its card
 */
async function prepareAccepted(
  deps: ApiDependencies,
  caller: Caller,
  pending: PendingWrite,
): Promise<(tx: Tx) => Promise<Made>> {
  const { insight, ...content } = (pending.write ?? {}) as HeldContent;
  const owner = pending.parent ?? pending.agent;
  const scope = { type: 'agent' as const, id: owner };
  const writer = await writerFor(deps, caller, pending, owner);
  const placed = await placedIn(deps, writer, scope);
  const written = await withVector(deps, writer, { content, scope, ...placed });
  requireOrder(content, deps.clock());
  if (pending.type === 'insight' && insight !== undefined) {
    return async (tx) => (await createInsight(tx, deps, writer, written, insight)).card;
  }
  const { key } = content;
  if (pending.type !== 'note' || key === undefined) {
    return (tx) => createCard(tx, deps, writer, written, true);
  }
  const correction = await prepareOver(deps, writer, key, written);
  return async (tx) => {
    const { body } = await putNote(tx, deps, writer, { key, written, correction });
    return { ...body, id: body.card_id };
  };
}

/**
 * As whom the card is written: the restricted agent, in its parent's place. Whoever accepts it lends no
 * right and no trust of their own, and its stops hold as the parent's do.
 */
async function writerFor(
  deps: ApiDependencies,
  caller: Caller,
  { agent, session }: PendingWrite,
  owner: string,
): Promise<Caller> {
  const { workspace } = caller.context;
  const found = await deps.database.inWorkspace(workspace, (tx) => findAgents(tx, [agent]));
  if (found.get(agent)?.writes_stopped === true) {
    throw new Problem(403, 'stopped', "a person stopped this agent's writes");
  }
  return {
    ...caller,
    context: {
      workspace,
      principal: { kind: 'agent', id: agent, role: null, bootstrap: false },
      agent: owner,
      person: null,
      execution_mode: 'headless',
      session,
    },
    restricted: false,
    memberSubject: null,
    agentKnown: true,
  };
}
