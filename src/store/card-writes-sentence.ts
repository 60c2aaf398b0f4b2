import type { Reflected } from '../contracts/learning';
import { withReflection } from '../domain/learning/reflection-of-failure';
import { cardIndexText, lexicalTerms } from '../domain/terms';
import { writeAudit } from './audit';
import { changeCard, indexColumns, queueLateVectors, reindexCard } from './card-edits';
import { holdSources } from './card-writes-episodes';
import { readCard } from './cards';
import type { Tx } from './database';
import { entityRows } from './entity-writes';
import { areAsRead } from './filing-as-read';
import { IN_A_PERSONS_WORDS } from './in-a-persons-words';
import { readReflection } from './learned-drafts';
import { LEARNER } from './learned-world';
import { noteChanges } from './run-changes';

export interface ReflectionFiling {
  operationId: string;
  cardId: string;
  workflowId: string;
  now: Date;
  makesVectors: boolean;
}

const CHANGEABLE = ['pending', 'active'];

/**
 * Makes the sentence that was found the last one of the card: the same card, its next version, with its history. By
 * compare-and-set on the version that the sentence was found for; what a person wrote, validated, keyed or stopped, and
 * what speaks to its reader, stays as it is.
 */
export async function fileReflection(tx: Tx, filing: ReflectionFiling): Promise<Reflected> {
  const { operationId, cardId, workflowId, now } = filing;
  const found = await readReflection(tx, operationId);
  const sources = found?.sources ?? [];
  await holdSources(
    tx,
    sources.map(({ id }) => id),
  );
  // Looked at again once the rows are held: an erasure takes what was found with its sources.
  const draft = await readReflection(tx, operationId);
  const seen = await readCard(tx, [tx.workspace, null, null, true, null, now], cardId);
  if (draft === null) return 'nothing_to_add';
  if (!(await areAsRead(tx, sources))) return 'card_moved';
  if (seen === null || seen.card.version !== draft.version) return 'card_moved';
  const { card, agent, team } = seen;
  const isOurs = card.key === null && !(await isInAPersonsWords(tx, card.id));
  if (!isOurs || !CHANGEABLE.includes(card.status) || card.flags.length > 0) return 'card_moved';
  const summary = withReflection(card.summary, draft.reflection);
  if (summary === card.summary) return 'nothing_to_add';
  const indexed = { ...card, summary, agent, team };
  const terms = lexicalTerms(cardIndexText(indexed));
  const version = await changeCard(tx, {
    id: card.id,
    expected: card.version,
    columns: { summary, ...indexColumns(terms, null) },
    action: 'reflected',
    actor: LEARNER,
    at: now,
  });
  if (version === null) return 'card_moved';
  await reindexCard(
    tx,
    { id: card.id, version, at: now },
    { terms, entities: entityRows(indexed) },
    null,
  );
  const edited = { change: 'edited', card_id: card.id, reason: 'reflected' } as const;
  await noteChanges(
    tx,
    operationId,
    [{ ...edited, version_before: card.version, version_after: version }],
    now,
  );
  await writeAudit(tx, {
    at: now,
    actor: LEARNER,
    action: 'card.reflected',
    target: { type: 'card', id: card.id },
    changed: ['summary'],
    versions: [card.version, version],
    channel: 'workflow',
    workflowId,
  });
  if (filing.makesVectors) await queueLateVectors(tx, now);
  return 'reflected';
}

async function isInAPersonsWords(tx: Tx, id: string): Promise<boolean> {
  const { told } = await tx.one<{ told: boolean }>(
    `SELECT ${IN_A_PERSONS_WORDS} AS told FROM cards c WHERE c.workspace_id = $1 AND c.id = $2`,
    [tx.workspace, id],
  );
  return told;
}
