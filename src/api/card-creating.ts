import type { Card, CardScope } from '../contracts/card';
import { heldBack, writeRoute } from '../domain/policy';
import type { NewCardBody } from '../schemas/card';
import { writeAudit } from '../store/audit';
import { queueLateVectors } from '../store/card-edits';
import { auditHolding, HELD_FOR, heldCard } from '../store/card-holding';
import { indexTextOf, insertCard, type NewCard } from '../store/card-writes';
import { insertLinkedCard } from '../store/card-writes-linked';
import { readCard } from '../store/cards';
import type { Tx } from '../store/database';
import { newId } from '../store/ids';
import type { WorkspaceSettings } from '../store/settings';
import { readStopped } from '../store/sources';
import { subjectsSwitchedOff } from '../store/subjects';
import type { ApiDependencies } from './app';
import type { Caller } from './authentication';
import { fitContent, settingsIn } from './card-content';
import { newCardOf, subjectOfRules } from './card-draft';
import { type EmbeddedText, embedText, vectorFor } from './card-embedding';
import { isPerson } from './card-rights';
import { type Place, placeOf, scopeOf } from './card-scope';
import type { Asked } from './idempotency';
import { requireReader } from './known-agent';
import { badRequest, notAllowed, Problem, stoppedByPerson } from './problem';

/** A card that somebody writes by hand, checked and redacted. */
export interface HandWritten {
  content: Omit<NewCardBody, 'scope'>;
  scope: CardScope;
  embedded: EmbeddedText;
  /** What belongs to it and stands elsewhere: the policy judges it too. */
  beside?: string;
}

/** A card as whoever wrote it is shown it, with why it is held back where it is. */
export type WrittenCard = Card & { reason?: typeof HELD_FOR };

/** A card that somebody writes by hand, fit to be kept, before anything is asked of an embedder. */
export type FitCard = Pick<HandWritten, 'content' | 'scope'>;

/** Everything of a write that comes before its transaction: rights, redaction, the vector. */
export async function prepareCard(
  deps: ApiDependencies,
  request: Asked,
  body: NewCardBody,
): Promise<HandWritten> {
  const { caller } = request;
  if (caller.restricted && !isPerson(caller)) {
    throw notAllowed('a restricted agent reads only; its parent writes for it');
  }
  return await withVector(deps, caller, await fitCard(deps, caller, body));
}

/** Rights and redaction. @throws Problem by what is wrong with it, or with who writes it */
export async function fitCard(
  deps: ApiDependencies,
  caller: Caller,
  body: NewCardBody,
): Promise<FitCard & Placed> {
  const { scope: named, ...written } = body;
  const scope = scopeOf(deps, caller, named);
  // The owner's key acts as a runtime's: an agent that it names is registered at first sight.
  if (!isPerson(caller) || caller.context.agent !== null) await requireReader(deps, caller);
  const placed = await placedIn(deps, caller, scope);
  const content = fitContent(deps, caller, placed.settings, written);
  if (!isPerson(caller) && (content.visibility ?? 'private') !== 'private') {
    throw notAllowed('household and organization need a person');
  }
  requireOrder(content, deps.clock());
  return { content, scope, ...placed };
}

/** With the vector of the text that it will be found by, as far as its scope is known beforehand. */
export async function withVector(
  deps: ApiDependencies,
  caller: Caller,
  { content, scope, settings, place }: FitCard & Placed,
): Promise<HandWritten> {
  const draft = newCardOf(caller, { content, scope, settings, place, id: '', now: deps.clock() });
  return { content, scope, embedded: await embedText(deps, indexTextOf(draft)) };
}

interface Placed {
  settings: WorkspaceSettings;
  place: Place;
}

/** @throws Problem 400 where the scope names nobody. */
export async function placedIn(
  deps: ApiDependencies,
  caller: Caller,
  scope: CardScope,
): Promise<Placed> {
  return await deps.database.inWorkspace(caller.context.workspace, async (tx) => ({
    settings: await settingsIn(tx),
    place: await placeOf(tx, scope),
  }));
}

/**
 * The card that would be written, by the modes and the policy of this moment; `quarantined` where the
 * policy holds it back. A person answers for their own words, whatever a trust rule says of their service.
 * @throws what `requireWritable` throws
 */
export async function draftCard(
  tx: Tx,
  deps: ApiDependencies,
  caller: Caller,
  written: HandWritten,
): Promise<{ card: NewCard; settings: WorkspaceSettings }> {
  const { content, scope, beside } = written;
  const now = deps.clock();
  const { settings, place } = await requireWritable(tx, caller, written);
  const id = newId('card', now);
  const card = newCardOf(caller, { content, scope, settings, place, beside, id, now });
  const isHeld = !isPerson(caller) && heldBack(settings.policy, card);
  return { card: isHeld ? heldCard(card) : card, settings };
}

/**
 * Writes the card in the caller's transaction. One that is held back is compared with no other and leaves
 * what stands under its key in place.
 * @param mayReplace whether it supersedes what stands under its key
 */
export async function createCard(
  tx: Tx,
  deps: ApiDependencies,
  caller: Caller,
  written: HandWritten,
  mayReplace: boolean,
): Promise<WrittenCard> {
  const { card, settings } = await draftCard(tx, deps, caller, written);
  await deps.limits?.quotas.requireRoom(tx, 'cards', settings.policy.limits);
  const { id, recordedAt: now } = card;
  const isHeld = card.status === 'quarantined';
  const vector = vectorFor(written.embedded, indexTextOf(card));
  if (isHeld) {
    await insertCard(tx, card, vector, []);
  } else {
    const policy = settings.policy.link;
    await insertLinkedCard(tx, { card, vector, policy, lineage: [], mayReplace, now });
  }
  if (vector === null) await queueLateVectors(tx, now);
  await writeAudit(tx, {
    at: now,
    actor: caller.context.principal,
    action: 'card.created',
    target: { type: 'card', id },
    versions: [1],
    channel: caller.channel,
  });
  if (isHeld) {
    const { channel } = caller;
    await auditHolding(tx, { id, versions: [1], at: now, channel, workflowId: null });
  }
  return await cardAsWritten(tx, id, isHeld, now);
}

/** Who writes sees what they wrote, even where the agent they name would not. */
export async function cardAsWritten(
  tx: Tx,
  id: string,
  isHeld: boolean,
  now: Date,
): Promise<WrittenCard> {
  const made = await readCard(tx, [tx.workspace, null, null, true, null, now], id);
  if (made === null) throw new Error('a card vanished in the transaction that wrote it');
  return isHeld ? { ...made.card, reason: HELD_FOR } : made.card;
}

/**
 * Modes, stops and write rules hold for what is written by hand too, but for `manual`: this is the
 * manual way.
 * @throws Problem 403, whose code says which of them it was.
 */
export async function requireWritable(
  tx: Tx,
  caller: Caller,
  { content, scope }: Pick<HandWritten, 'content' | 'scope'>,
): Promise<{ settings: WorkspaceSettings; place: Place }> {
  const settings = await settingsIn(tx);
  const place = await placeOf(tx, scope);
  if (settings.memoryMode === 'off') throw memoryOff("this workspace's memory is off");
  if (place.agent?.memory_mode === 'off') throw memoryOff("this agent's memory is off");
  if (place.agent?.writes_stopped === true) {
    throw new Problem(403, 'stopped', "a person stopped this agent's writes");
  }
  await requireRunning(tx, caller, content.hints?.service ?? null);
  await requireSubjectOn(tx, content.subject);
  requireDurable(settings, { content, scope });
  return { settings, place };
}

/**
 * A person is none of the sources that are stopped, and may well have something to say about one.
 * @throws Problem 403 where the runtime is stopped, or the service that the card is about.
 */
async function requireRunning(tx: Tx, caller: Caller, service: string | null): Promise<void> {
  if (isPerson(caller)) return;
  const services = service === null ? [] : [service];
  const stopped = await readStopped(tx, caller.context.principal, services);
  if (stopped.runtime) throw stoppedByPerson();
  if (stopped.services.size > 0) {
    throw new Problem(403, 'stopped', 'a person stopped what comes from this service');
  }
}

/** @throws Problem 403 where nothing is remembered about whom it is about. */
export async function requireSubjectOn(tx: Tx, subject: string | null | undefined): Promise<void> {
  if (typeof subject === 'string' && (await subjectsSwitchedOff(tx, [subject])).has(subject)) {
    throw memoryOff('nothing is remembered about this subject');
  }
}

/** @throws Problem 403 where a write rule routes it elsewhere. */
export function requireDurable(
  settings: WorkspaceSettings,
  { content, scope }: Pick<HandWritten, 'content' | 'scope'>,
): void {
  const route = writeRoute(settings.policy, subjectOfRules(content, scope));
  if (route !== 'durable') {
    throw new Problem(403, route, 'a write rule of the policy keeps this out of memory');
  }
}

export function memoryOff(detail: string): Problem {
  return new Problem(403, 'memory_off', `${detail}; a person may switch it on`);
}

/** @throws Problem 400 where it would be over before it is there. */
export function requireOrder(content: HandWritten['content'], now: Date): void {
  if (typeof content.expires_at === 'string' && new Date(content.expires_at) <= now) {
    throw badRequest('expires_at: lies in the past', '/expires_at');
  }
}
