import type { Card } from '../contracts/card';
import type { Clock } from '../contracts/clock';
import { readCard, type VisibleCard } from '../store/cards';
import type { Tx } from '../store/database';
import { type ReaderArguments, readerArguments } from '../store/visible-cards';
import type { Caller } from './authentication';
import { badRequest, notAllowed, notFound } from './problem';

const EDITORS = ['owner', 'operator', 'reviewer'];
const STAFF = [...EDITORS, 'auditor'];

/**
 * Who reads, judged now: nothing about visibility outlives the call that asks.
 * @throws Problem 400 where a runtime does not say for whom it reads.
 */
export function readerOf(caller: Caller, clock: Clock): ReaderArguments {
  if (!isPerson(caller) && caller.context.agent === null) {
    throw badRequest("name the agent that reads: a runtime's key adds Cairn-Agent");
  }
  return readerArguments(caller.context, caller.memberSubject, clock());
}

/** @throws Problem 404 for a card that is not there or that the caller may not see. */
export async function requireCard(
  tx: Tx,
  reader: ReaderArguments,
  id: string,
): Promise<VisibleCard> {
  const seen = await readCard(tx, reader, id);
  if (seen === null) throw notFound('card');
  return seen;
}

export function isPerson(caller: Caller): boolean {
  return caller.context.principal.kind === 'person';
}

/** Whether it is in the scope of the agent that calls, or that is called for. */
export function isOwn(caller: Caller, card: Card): boolean {
  return card.scope.type === 'agent' && card.scope.id === caller.context.agent;
}

/**
 * People correct what they see, a member what is about their own subject; an agent, or a runtime for it,
 * what is in its own scope.
 */
export function mayChange(caller: Caller, card: Card): boolean {
  const { role } = caller.context.principal;
  if (!isPerson(caller)) return isOwn(caller, card);
  if (role === 'member') return caller.context.agent === null;
  return role !== null && EDITORS.includes(role);
}

/** @throws Problem 403 */
export function requireChange(caller: Caller, card: Card): void {
  if (mayChange(caller, card)) return;
  throw notAllowed('only its own agent, a runtime for it, or a person may change this card');
}

/** Who brings back any card of the workspace may look through the deleted ones. */
export function mayListDeleted(caller: Caller): boolean {
  const { agent, principal } = caller.context;
  return isPerson(caller) && agent === null && EDITORS.includes(principal.role ?? '');
}

/** Old versions are for people and for the agent whose card it is (contract, Card). */
export function maySeePast(caller: Caller, card: Card): boolean {
  return (isPerson(caller) && caller.context.agent === null) || isOwn(caller, card);
}

/** Whose versions of a card it is that they see: a member those about their own subject; null: all of them. */
export function pastAbout(caller: Caller): string | null {
  return caller.context.principal.role === 'member' ? (caller.memberSubject ?? '') : null;
}

/** @throws Problem 403: who reads a card and who could is for people who govern, and for its owner. */
export function requireInspection(caller: Caller, card: Card): void {
  const { role } = caller.context.principal;
  if (isOwn(caller, card) || (role !== null && STAFF.includes(role))) return;
  throw notAllowed('only its own agent, a runtime for it, or a person who governs may ask this');
}
