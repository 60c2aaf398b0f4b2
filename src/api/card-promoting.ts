import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Card, CardScope } from '../contracts/card';
import { RECALLED_STATUSES, type ScopeType } from '../contracts/names';
import type { AskedPromotion, PromotionChange } from '../contracts/proposal';
import type { promotionSchema } from '../schemas/proposal';
import { readAgent } from '../store/agent-directory';
import { keepReason } from '../store/card-edits';
import { moveCard, promotedFrom } from '../store/card-writes-promoted';
import { unmakeIn } from '../store/card-writes-unmade';
import type { Tx } from '../store/database';
import { newId } from '../store/ids';
import { openProposalFor } from '../store/proposal-opening';
import { readTeam } from '../store/teams';
import type { ReaderArguments } from '../store/visible-cards';
import type { ApiDependencies } from './app';
import { auditCard, shownCard } from './card-changing';
import { fitRemark } from './card-content';
import { changeableCard } from './card-deciding';
import { isPerson, readerOf } from './card-rights';
import { writeOnce } from './idempotency';
import { requireFreeKey } from './key-holder';
import { badRequest, notAllowed, Problem } from './problem';

/** Asking people to show a card to a team or to the whole workspace, and taking that back. */

export type PromotionBody = z.output<typeof promotionSchema>;

/** What is kept: the words of a reason stand apart, where they can be erased. */
type KeptPromotion = PromotionChange & { reason_id: string | null };

/**
 * Opens the proposal of a promotion; where one of this card to this scope waits, that one is the answer.
 * @throws Problem 404 for a card that is not seen, 403 where it is not the caller's to propose, 400 for a
 *   scope that names nobody, 409 as `requirePromotable` has it
 */
export async function askPromotion(
  deps: ApiDependencies,
  request: FastifyRequest,
  id: string,
  body: PromotionBody,
): Promise<AskedPromotion> {
  const { caller } = request;
  const reason = await fitRemark(deps, caller, body.reason);
  const answer = await writeOnce(request, deps, {
    perform: async (tx) => {
      const reader = readerOf(caller, deps.clock);
      const card = await changeableCard(tx, request, reader, id);
      await requireScope(tx, request, body.scope);
      await requirePromotable(tx, reader, card, body.scope);
      const asked = await open(tx, deps, request, { card, body, reason });
      return { status: 202, reference: { ...asked }, body: asked };
    },
    rebuild: async () => null,
  });
  return answer.body as AskedPromotion;
}

/** An agent, and a runtime for it, widens to its own team and to the workspace; a person to any team. */
async function requireScope(
  tx: Tx,
  { caller }: FastifyRequest,
  scope: PromotionBody['scope'],
): Promise<void> {
  if (scope.type === 'workspace') {
    if (scope.id === tx.workspace) return;
    throw badRequest('scope: the workspace of this key is another one', '/scope/id');
  }
  const { agent } = caller.context;
  if (!isPerson(caller) && agent !== null) {
    if ((await readAgent(tx, agent))?.team === scope.id) return;
    throw notAllowed('an agent proposes a card to its own team or to the workspace');
  }
  if ((await readTeam(tx, scope.id)) === null) {
    throw badRequest('scope: names a team this workspace does not know', '/scope/id');
  }
}

const WIDTH: Readonly<Record<ScopeType, number>> = { agent: 0, team: 1, workspace: 2 };

/** @throws Problem 409: not in use or there already, not wider, or its key is another card's there */
async function requirePromotable(
  tx: Tx,
  reader: ReaderArguments,
  card: Card,
  scope: CardScope,
): Promise<void> {
  if (!isInUse(card)) {
    throw new Problem(409, 'not_in_use', `a ${card.status} card is shown to nobody else`);
  }
  if (card.scope.type === scope.type && card.scope.id === scope.id) {
    throw new Problem(409, 'not_in_use', 'this card is in that scope already');
  }
  if (WIDTH[scope.type] <= WIDTH[card.scope.type]) {
    throw new Problem(409, 'not_wider', `a card of a ${card.scope.type} is promoted further only`);
  }
  await requireFreeKey(tx, reader, card, scope);
}

function isInUse(card: Card): boolean {
  return RECALLED_STATUSES.some((status) => status === card.status);
}

async function open(
  tx: Tx,
  deps: ApiDependencies,
  { caller }: FastifyRequest,
  { card, body, reason }: { card: Card; body: PromotionBody; reason: string | null },
): Promise<AskedPromotion> {
  const now = deps.clock();
  const { scope } = body;
  const { principal, person, agent } = caller.context;
  const change: KeptPromotion = {
    card_id: card.id,
    card_version: card.version,
    from: card.scope,
    to: scope,
    reason_id: reason === null ? null : newId('reason', now),
  };
  const opened = await openProposalFor(tx, {
    type: 'promotion',
    matter: `promotion:${card.id}:${scope.type}/${scope.id}`,
    team: scope.type === 'team' ? scope.id : null,
    ...wordsOf(card, scope),
    draftedBy: 'rule',
    evidence: [card.id],
    change,
    proposedBy: { kind: principal.kind, id: principal.id },
    proposedFor: person,
    ttl: body.expires_in ?? null,
    agent,
    channel: caller.channel,
    now,
  });
  if (opened.isNew && reason !== null && change.reason_id !== null) {
    await keepReason(tx, change.reason_id, reason, now);
  }
  return { proposal_id: opened.id, operation_id: opened.operationId };
}

/** By ids and labels, which hold no content. */
function wordsOf(card: Card, to: CardScope): { title: string; summary: string } {
  const whom = to.type === 'team' ? `team ${to.id}` : 'the whole workspace';
  return {
    title: `Show a ${card.kind} card${aboutOf(card)} to ${whom}`,
    summary:
      `Card ${card.id}, ${card.kind} and ${card.sign}, is one of ${card.scope.type} ${card.scope.id}. Approve to ` +
      `show it to ${whom}: it keeps its origin, its relations and its grants, and a demotion gives it back.`,
  };
}

function aboutOf({ hints, key }: Card): string {
  const { service, operation } = hints;
  if (service !== null && operation !== null) return ` about ${operation} of ${service}`;
  return key === null ? '' : ` about ${key}`;
}

/**
 * Gives a promoted card back to the scope that it came from.
 * @throws Problem 404, 403, 409 where it was not promoted, its key is another card's there by now, or it
 *   changed at this very moment
 */
export async function demote(
  tx: Tx,
  deps: ApiDependencies,
  request: FastifyRequest,
  reader: ReaderArguments,
  { id, reason }: { id: string; reason: string | null },
): Promise<Card> {
  const card = await changeableCard(tx, request, reader, id);
  const origin = await promotedFrom(tx, id);
  if (origin === null) throw new Problem(409, 'not_promoted', 'this card was not promoted');
  if (isInUse(card)) await requireFreeKey(tx, reader, card, origin);
  const version = await moveCard(tx, {
    cardId: id,
    expected: card.version,
    to: origin,
    action: 'demoted',
    actor: request.caller.context.principal,
    at: deps.clock(),
  });
  if (version === null) {
    throw new Problem(409, 'stale_version', 'the card changed at this very moment; try again');
  }
  const { context, channel } = request.caller;
  const actor = context.principal;
  const scopes = { left: card.scope, now: origin };
  await unmakeIn(tx, scopes, { cards: [id], root: id, actor, channel, at: deps.clock() });
  const versions = [card.version, version];
  await auditCard(tx, deps, request, {
    action: 'demoted',
    id,
    changed: ['scope'],
    versions,
    reason,
  });
  // With an agent's eyes it may be out of sight now.
  return (await shownCard(tx, deps, request, id)) ?? { ...card, scope: origin, version };
}
