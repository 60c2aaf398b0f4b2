import type { FastifyReply } from 'fastify';
import type { Card } from '../contracts/card';
import type { CardStatus } from '../contracts/names';
import { holdMade } from '../store/card-writes-made';
import { unmake } from '../store/card-writes-unmade';
import type { Tx } from '../store/database';
import type { ReaderArguments } from '../store/visible-cards';
import { announce } from '../store/webhooks';
import type { ApiDependencies } from './app';
import type { Caller } from './authentication';
import { changeOnce, setStatus, shownCard } from './card-changing';
import { fitRemark } from './card-content';
import { requireCard, requireChange } from './card-rights';
import { tagged } from './card-versions';
import type { Asked } from './idempotency';
import { notFound } from './problem';

/** What the routes share that decide about a card: its reason redacted, once, answered with its version. */

export interface Decision {
  id: string;
  /** As the caller wrote it. */
  said: string | undefined;
  /** @param reason redacted */
  decide(tx: Tx, reader: ReaderArguments, reason: string | null): Promise<Card>;
}

export async function answerDecision(
  deps: ApiDependencies,
  request: Asked,
  reply: FastifyReply,
  { id, said, decide }: Decision,
): Promise<FastifyReply> {
  const reason = await fitRemark(deps, request.caller, said);
  const card = await changeOnce(deps, request, id, (tx, reader) => decide(tx, reader, reason));
  return tagged(reply, card).send(card);
}

/** @throws Problem 404 where the caller does not see it, 403 where they may not change it. */
export async function changeableCard(
  tx: Tx,
  request: Asked,
  reader: ReaderArguments,
  id: string,
): Promise<Card> {
  const { card } = await requireCard(tx, reader, id);
  requireChange(request.caller, card);
  return card;
}

/**
 * Takes a card out of use and keeps the status that it had; of one that was quarantined, the one before
 * that, which a release gives back even where it was deleted and restored meanwhile. What passes made of it is unmade.
 */
export async function retire(
  tx: Tx,
  deps: ApiDependencies,
  request: Asked,
  card: Card,
  status: Extract<CardStatus, 'rejected' | 'quarantined' | 'deleted'>,
  reason: string | null,
): Promise<void> {
  // Before the card, so that two sources of one note are taken away one after the other.
  await holdMade(tx, [card.id]);
  await setStatus(tx, deps, request, {
    id: card.id,
    expected: card.version,
    columns: {
      status,
      ...(card.status === 'quarantined' ? {} : { status_before: card.status }),
    },
    action: status,
    reason,
  });
  await unmakeOf(tx, deps, request.caller, card.id);
  if (status !== 'quarantined') return;
  await announce(tx, { type: 'card.quarantined', at: deps.clock(), data: { card_id: card.id } });
}

/** Unmakes what passes made of a card that its caller has taken out of use. */
export async function unmakeOf(
  tx: Tx,
  deps: ApiDependencies,
  { context, channel }: Caller,
  id: string,
): Promise<void> {
  const actor = context.principal;
  await unmake(tx, { cards: [id], root: id, actor, channel, at: deps.clock() });
}

/** @throws Problem 404 where the caller no longer sees it. */
export async function stillShown(
  tx: Tx,
  deps: ApiDependencies,
  request: Asked,
  id: string,
): Promise<Card> {
  const card = await shownCard(tx, deps, request, id);
  if (card === null) throw notFound('card');
  return card;
}
