import type { PartOutcome } from '../contracts/consolidation';
import { LEAST_SOURCES } from '../domain/consolidation/episode';
import { movedAmong } from '../domain/consolidation/moved';
import { durationMs } from '../domain/durations';
import { writeAudit } from './audit';
import { queueLateVectors } from './card-edits';
import { indexTextOf, insertCard, type NewCard } from './card-writes';
import { holdSources, readSources } from './card-writes-episodes';
import { answerAsSources } from './card-writes-inherited';
import { CONSOLIDATION, noteCard, type PartCommit, sourcesNow } from './card-writes-note';
import { retiredLines, retireInFavour } from './card-writes-retired';
import { keepPart, type NotePart, readPart } from './consolidation-parts';
import type { Tx } from './database';
import { type NewRunChange, noteChanges } from './run-changes';
import { policyOf } from './settings';
import { shareAsSources } from './shared-by-all';

/**
 * Files a note and retires its sources, in one transaction, the note first. Where one of them is no longer what was
 * read, nothing is written: it is named, and the words have to be found again without it. Tried again after a
 * commit that nobody heard of, it answers what that one did.
 */
export async function commitNote(tx: Tx, commit: PartCommit): Promise<PartOutcome> {
  const { operationId, now, dryRun } = commit;
  const found = await readPart<NotePart>(tx, operationId, commit.part);
  if (found === null) return outcomeOf('gone');
  if (found.done !== null) return found.done;
  await holdSources(
    tx,
    found.sources.map(({ id }) => id),
  );
  // Looked at again once the rows are held: an erasure takes the draft with its sources.
  const part = await readPart<NotePart>(tx, operationId, commit.part);
  if (part === null) return outcomeOf('gone');
  const left = await leaveMoved(tx, part, commit);
  if (left !== null) return left;
  const cards = await sourcesNow(tx, part, now);
  if (cards === null || part.words === null) return outcomeOf('moved');
  const card = await noteCard(tx, part, cards, commit);
  const retiring = part.sources.filter(({ retires }) => retires);
  const done: PartOutcome = {
    outcome: dryRun ? 'drafted' : 'written',
    card_id: dryRun ? null : card.id,
    retired: retiring.length,
    skipped: 0,
  };
  if (dryRun) {
    await noteChanges(tx, operationId, plannedChanges(part), now);
  } else {
    await file(tx, card, part, commit);
  }
  await keepPart(tx, operationId, commit.part, { ...part, done }, now);
  return done;
}

async function file(tx: Tx, card: NewCard, part: NotePart, commit: PartCommit): Promise<void> {
  const { operationId, workflowId, now } = commit;
  const ids = part.sources.map(({ id }) => id);
  const vector = commit.vector?.text === indexTextOf(card) ? commit.vector.of : null;
  await insertCard(
    tx,
    card,
    vector,
    ids.map((to) => ({
      type: 'derived_from',
      from: card.id,
      to,
      confidence: 1,
      reason: 'told in this note',
    })),
  );
  await answerAsSources(tx, card.id, ids, now);
  await shareAsSources(tx, card.id, ids, now);
  await writeAudit(tx, {
    at: now,
    actor: { kind: 'system', id: CONSOLIDATION },
    action: 'card.created',
    target: { type: 'card', id: card.id },
    versions: [1],
    channel: 'workflow',
    workflowId,
  });
  const retired = await retireInFavour(tx, {
    cards: part.sources.filter(({ retires }) => retires),
    by: card.id,
    pass: CONSOLIDATION,
    workflowId,
    at: now,
  });
  await noteChanges(
    tx,
    operationId,
    [
      { change: 'created', card_id: card.id, version_after: 1, related: ids },
      ...retiredLines(retired, card.id, 'told'),
    ],
    now,
  );
  if (vector === null && commit.makesVectors) await queueLateVectors(tx, now);
}

/** In a dry run: what would be made, of what, and what would retire. */
function plannedChanges({ sources }: NotePart): NewRunChange[] {
  const related = sources.map(({ id }) => id);
  return [
    { change: 'created', related },
    ...sources
      .filter(({ retires }) => retires)
      .map(
        ({ id, version }): NewRunChange => ({
          change: 'retired',
          card_id: id,
          version_before: version,
          reason: 'told',
        }),
      ),
  ];
}

/** Takes what moved out of the part and names it. @returns null where nothing did */
async function leaveMoved(tx: Tx, part: NotePart, commit: PartCommit): Promise<PartOutcome | null> {
  const { operationId, now } = commit;
  const policy = await policyOf(tx);
  const cards = await readSources(
    tx,
    part.sources.map(({ id }) => id),
    { now, tieMs: durationMs(policy.resolve.tie) },
  );
  const moved = movedAmong(part.sources, cards, now.getTime());
  const gone = new Set(moved.map(({ id }) => id));
  const sources = part.sources.filter(({ id }) => !gone.has(id));
  const isEnough = sources.filter(({ id }) => !cards.get(id)?.spoken).length >= LEAST_SOURCES;
  if (moved.length === 0 && isEnough) return null;
  const outcome = isEnough ? outcomeOf('moved', moved.length) : outcomeOf('too_few', moved.length);
  await noteChanges(
    tx,
    operationId,
    moved.map(({ id, reason }) => ({ change: 'skipped', card_id: id, reason })),
    now,
  );
  const done = isEnough ? null : outcome;
  await keepPart(tx, operationId, commit.part, { ...part, sources, words: null, done }, now);
  return outcome;
}

function outcomeOf(outcome: PartOutcome['outcome'], skipped = 0): PartOutcome {
  return { outcome, card_id: null, retired: 0, skipped };
}
