import type { Card } from '../contracts/card';
import { confidenceAsSaid } from '../domain/confidence';
import { cardIndexText, type IndexedCard, lexicalTerms } from '../domain/terms';
import type { CardPatch } from '../schemas/card';
import { logAccess } from '../store/access-log';
import { writeAudit } from '../store/audit';
import {
  type ChangedColumns,
  changeCard,
  indexColumns,
  keepFromDistilling,
  queueLateVectors,
  reindexCard,
} from '../store/card-edits';
import { auditHolding } from '../store/card-holding';
import { narrowMade } from '../store/card-writes-made';
import { readCard, type VisibleCard } from '../store/cards';
import type { Tx } from '../store/database';
import { entityRows } from '../store/entity-writes';
import { isSkill } from '../store/skills';
import type { ApiDependencies } from './app';
import type { Caller } from './authentication';
import { fitContent, settingsIn } from './card-content';
import {
  cardAsWritten,
  requireDurable,
  requireSubjectOn,
  requireWritable,
  type WrittenCard,
} from './card-creating';
import { unmakeOf } from './card-deciding';
import { type EmbeddedText, embedText, vectorFor } from './card-embedding';
import { patched } from './card-rewording';
import { isPerson, mayChange, readerOf, requireCard, requireChange } from './card-rights';
import { standingOf } from './card-standing';
import { requireFresh, stale } from './card-versions';
import type { Asked } from './idempotency';
import { badRequest, notAllowed, Problem } from './problem';

/** A correction, checked and redacted, with the vector of the text that it will probably make. */
export interface Correction {
  patch: CardPatch;
  embedded: EmbeddedText | null;
}

/** Everything of an edit that comes before its transaction; null where the card is not the caller's. */
export async function prepareEdit(
  deps: ApiDependencies,
  request: Pick<Asked, 'caller'>,
  id: string,
  written: CardPatch,
): Promise<Correction | null> {
  const { caller } = request;
  const reader = readerOf(caller, deps.clock);
  const { settings, seen } = await deps.database.inWorkspace(reader[0], async (tx) => ({
    settings: await settingsIn(tx),
    seen: await readCard(tx, reader, id),
  }));
  if (seen === null || !mayChange(caller, seen.card)) return null;
  const patch = fitContent(deps, caller, settings, written as CardPatch & { summary?: string });
  const text = textOf(seen, patched(seen, patch).card);
  const isSame = text === textOf(seen, seen.card);
  return { patch, embedded: isSame ? null : await embedText(deps, text) };
}

/**
 * Writes the correction in the caller's transaction, on the version that the caller read. Words that the
 * policy holds back take the card out of everybody's sight but people's, and it answers with the reason.
 * @throws Problem 404, 403, 409 or 412, by what stands there now.
 */
export async function editCard(
  tx: Tx,
  deps: ApiDependencies,
  caller: Caller,
  id: string,
  expected: number | null,
  correction: Correction | null,
): Promise<WrittenCard> {
  const reader = readerOf(caller, deps.clock);
  const seen = await requireCard(tx, reader, id);
  requireChange(caller, seen.card);
  requireFresh(seen.card, expected);
  requireCurrent(seen.card);
  // It came into the caller's reach only now: nothing was checked or redacted for it.
  if (correction === null) throw stale();
  requireRights(caller, seen.card, correction.patch);
  await requireRemembered(tx, caller, seen.card, correction.patch);
  await requireUnversioned(tx, seen.card, correction.patch);
  const isHeld = await writeEdit(tx, deps, caller, seen, correction);
  if (isHeld) return await cardAsWritten(tx, id, isHeld, deps.clock());
  const after = await readCard(tx, reader, id);
  if (after === null) throw badRequest('this change would hide the card from whoever makes it');
  await logAccess(tx, caller.context, {
    surface: 'cards.edit',
    at: deps.clock(),
    cards: [{ id, vias: after.vias }],
  });
  return after.card;
}

/**
 * The change itself: a version, postings, vector, audit. A patch that changes nothing writes nothing.
 * @returns whether the policy holds the card back with its new words
 */
export async function writeEdit(
  tx: Tx,
  deps: ApiDependencies,
  caller: Caller,
  seen: VisibleCard,
  { patch, embedded }: Correction,
): Promise<boolean> {
  const { card } = seen;
  const { card: asked, inputFields } = patched(seen, patch);
  const next = { ...asked, confidence: confidenceOf(caller, card, asked) };
  requireOrder(next);
  const changed = changedFields(card, next);
  if (changed.length === 0) return false;
  const now = deps.clock();
  const actor = caller.context.principal;
  const text = textOf(seen, next);
  const isReworded = text !== textOf(seen, card);
  const standing =
    next.summary === card.summary
      ? {}
      : standingOf((await settingsIn(tx)).policy, caller, card, next);
  const vector = vectorFor(embedded, text);
  const terms = lexicalTerms(text);
  const version = await changeCard(tx, {
    id: card.id,
    expected: card.version,
    columns: {
      ...changedColumns(card, next),
      ...(isSame('input_fields', seen.inputFields, inputFields)
        ? {}
        : { input_fields: inputFields }),
      ...standing,
      ...(isReworded ? indexColumns(terms, vector) : {}),
    },
    action: 'edited',
    actor,
    at: now,
  });
  if (version === null) throw stale();
  if (isReworded) {
    const entities = entityRows(indexedOf(seen, next));
    await reindexCard(tx, { id: card.id, version, at: now }, { terms, entities }, vector);
    if (vector === null) await queueLateVectors(tx, now);
  }
  const { event_id } = card.provenance;
  if (event_id !== null) await keepFromDistilling(tx, event_id);
  await writeAudit(tx, {
    at: now,
    actor,
    action: 'card.edited',
    target: { type: 'card', id: card.id },
    changed,
    versions: [card.version, version],
    channel: caller.channel,
  });
  const isHeld = standing.status === 'quarantined';
  if (isHeld) {
    const versions = [card.version, version];
    const { channel } = caller;
    await auditHolding(tx, { id: card.id, versions, at: now, channel, workflowId: null });
    await unmakeOf(tx, deps, caller, card.id);
  }
  const { channel } = caller;
  const shown = { before: card.visibility, after: next.visibility };
  await narrowMade(tx, { card: card.id, ...shown, actor, channel, at: now });
  return isHeld;
}

/** What is no longer in use is history; correcting it would falsify that. */
function requireCurrent(card: Card): void {
  if (card.status === 'superseded') {
    throw new Problem(409, 'superseded', 'another card has taken its place; change that one', {
      superseded_by: card.superseded_by ?? null,
    });
  }
  if (card.status === 'archived') {
    throw new Problem(409, 'archived', 'an archived card is restored before it is changed');
  }
}

/** What a skill says stands in its versions, each held to its tests: its card follows them. */
const OF_VERSIONS = ['summary', 'kind', 'sign'] as const;

async function requireUnversioned(tx: Tx, card: Card, patch: CardPatch): Promise<void> {
  if (card.kind !== 'skill_lesson') return;
  const asked = OF_VERSIONS.find((field) => (patch[field] ?? card[field]) !== card[field]);
  if (asked === undefined || !(await isSkill(tx, card.id))) return;
  const detail = `the ${asked} of a skill's card follows the skill: change that by a new version`;
  throw new Problem(409, 'skill_versioned', detail);
}

const OF_MEMBERS: ReadonlySet<string> = new Set(['summary', 'metadata']);

/**
 * Narrowing is anybody's who may change the card; what widens or lasts longer needs a person. A member
 * corrects what is said about them, and nothing else: neither whom it is about nor who sees it.
 */
function requireRights(caller: Caller, card: Card, patch: CardPatch): void {
  if (caller.context.principal.role === 'member') {
    const other = Object.keys(patch).find((field) => !OF_MEMBERS.has(field));
    if (other !== undefined) {
      throw notAllowed(
        `a member corrects the summary and the metadata of a card, not its ${other}`,
      );
    }
  }
  if (isPerson(caller)) return;
  const { visibility } = patch;
  const wider =
    visibility !== undefined && visibility !== 'private' && visibility !== card.visibility;
  if (wider) throw notAllowed('household and organization need a person');
  if (patch.expires_at !== undefined && lastsLonger(card.expires_at, patch.expires_at)) {
    throw notAllowed('a person may keep a card for longer than the policy says');
  }
}

/**
 * What may not be written may not be written into an older card either. A person still corrects a card
 * that was there before its memory was switched off, but makes none about what is off.
 * @throws Problem 403 as a new card of this content would.
 */
async function requireRemembered(
  tx: Tx,
  caller: Caller,
  card: Card,
  patch: CardPatch,
): Promise<void> {
  const { subject, hints } = patched({ card, inputFields: {} }, patch).card;
  const content = {
    summary: card.summary,
    subject,
    hints: { service: hints.service, operation: hints.operation },
  };
  if (!isPerson(caller)) {
    if (Object.keys(patch).some((field) => field !== 'visibility')) {
      await requireWritable(tx, caller, { content, scope: card.scope });
    }
    return;
  }
  if (subject !== card.subject) await requireSubjectOn(tx, subject);
  const { service, operation } = card.hints;
  if (service === hints.service && operation === hints.operation) return;
  requireDurable(await settingsIn(tx), { content, scope: card.scope });
}

function lastsLonger(now: string | null, asked: string | null): boolean {
  if (now === null) return false;
  return asked === null || new Date(asked) > new Date(now);
}

/** Nobody makes a card surer by saying so, but a person. */
function confidenceOf(caller: Caller, before: Card, asked: Card): number {
  if (asked.confidence === before.confidence) return before.confidence;
  const { kind } = caller.context.principal;
  return confidenceAsSaid(kind, asked.confidence, before.confidence);
}

function requireOrder(card: Card): void {
  if (card.valid_to !== null && new Date(card.valid_to) < new Date(card.valid_from)) {
    throw badRequest('valid_to: lies before valid_from', '/valid_to');
  }
}

const TIMES: ReadonlySet<string> = new Set(['valid_from', 'valid_to', 'expires_at']);

function changedFields(before: Card, after: Card): string[] {
  const fields = Object.keys(after) as (keyof Card)[];
  return fields.filter((field) => !isSame(field, before[field], after[field]));
}

function isSame(field: string, before: unknown, after: unknown): boolean {
  if (TIMES.has(field) && typeof before === 'string' && typeof after === 'string') {
    return new Date(before).getTime() === new Date(after).getTime();
  }
  return JSON.stringify(before) === JSON.stringify(after);
}

/** Only what differs: a use that is counted at the same moment must not be written over. */
function changedColumns(before: Card, after: Card): ChangedColumns {
  const old: Record<string, unknown> = { ...columnsOf(before) };
  return Object.fromEntries(
    Object.entries(columnsOf(after)).filter(
      ([column, value]) => !isSame(column, old[column], value),
    ),
  );
}

function columnsOf(card: Card): ChangedColumns {
  return {
    kind: card.kind,
    tier: card.tier,
    sign: card.sign,
    summary: card.summary,
    service: card.hints.service,
    operation: card.hints.operation,
    task_type: card.hints.task_type,
    workflow: card.hints.workflow,
    step: card.hints.step,
    keywords: card.hints.keywords,
    error_signature: card.hints.error_signature,
    error_family: card.hints.error_family,
    subject: card.subject,
    topic: card.topic,
    project: card.project,
    visibility: card.visibility,
    importance: card.importance,
    confidence: card.confidence,
    metadata: card.metadata,
    valid_from: card.valid_from,
    valid_to: card.valid_to,
    expires_at: card.expires_at,
  };
}

function textOf(seen: VisibleCard, card: Card): string {
  return cardIndexText(indexedOf(seen, card));
}

function indexedOf(seen: VisibleCard, card: Card): IndexedCard {
  return { ...card, agent: seen.agent, team: seen.team };
}
