import type { PartOutcome } from '../contracts/consolidation';
import type { Episode } from '../domain/consolidation/episode';
import { movedAmong } from '../domain/consolidation/moved';
import { seenAgain } from '../domain/consolidation/seen-again';
import { durationMs } from '../domain/durations';
import { cardIndexText, lexicalTerms } from '../domain/terms';
import { writeAudit } from './audit';
import { changeCard, indexColumns, queueLateVectors, reindexCard } from './card-edits';
import { holdSources, readSources } from './card-writes-episodes';
import { inheritFrom } from './card-writes-inherited';
import { CONSOLIDATION, type PartCommit } from './card-writes-note';
import { teamOf } from './card-writes-of-sources';
import { retiredLines, retireInFavour } from './card-writes-retired';
import { keepPart, type MergePart, readPart } from './consolidation-parts';
import type { Tx } from './database';
import { entityRows } from './entity-writes';
import { type NewRunChange, noteChanges } from './run-changes';
import { policyOf } from './settings';

/**
 * Merges near-duplicates into the one that stays, in one transaction: it comes of them, has their proven uses and
 * what they answer or support, and says how often it was seen. What moved since is left and named; where the one
 * that stays moved, or nothing is left, nothing is written. Tried again it answers what the first try did.
 */
export async function commitMerge(tx: Tx, commit: PartCommit): Promise<PartOutcome> {
  const { operationId, now, dryRun } = commit;
  const part = await readPart<MergePart>(tx, operationId, commit.part);
  if (part === null) return outcomeOf('gone', 0, 0);
  if (part.done !== null) return part.done;
  const planned = [part.keep, ...part.sources];
  const ids = planned.map(({ id }) => id);
  await holdSources(tx, ids);
  if ((await readPart(tx, operationId, commit.part)) === null) return outcomeOf('gone', 0, 0);
  const tieMs = durationMs((await policyOf(tx)).resolve.tie);
  const cards = await readSources(tx, ids, { now, tieMs });
  const moved = movedAmong(planned, cards, now.getTime());
  const gone = new Set(moved.map(({ id }) => id));
  const keep = gone.has(part.keep.id) ? undefined : cards.get(part.keep.id);
  const merged = part.sources.flatMap(({ id }) => (gone.has(id) ? [] : (cards.get(id) ?? [])));
  await noteChanges(
    tx,
    operationId,
    moved.map(({ id, reason }) => ({ change: 'skipped', card_id: id, reason })),
    now,
  );
  const done =
    keep === undefined || merged.length === 0
      ? outcomeOf('too_few', 0, moved.length)
      : outcomeOf(dryRun ? 'drafted' : 'written', merged.length, moved.length, keep.id);
  if (keep !== undefined && merged.length > 0) {
    if (dryRun) await noteChanges(tx, operationId, plannedChanges(keep, merged), now);
    else await merge(tx, keep, merged, commit);
  }
  await keepPart(tx, operationId, commit.part, { ...part, done }, now);
  return done;
}

function outcomeOf(
  outcome: PartOutcome['outcome'],
  retired: number,
  skipped: number,
  card_id: string | null = null,
): PartOutcome {
  return { outcome, card_id, retired, skipped };
}

function plannedChanges(keep: Episode, merged: readonly Episode[]): NewRunChange[] {
  return [
    {
      change: 'edited',
      card_id: keep.id,
      version_before: keep.version,
      related: merged.map(({ id }) => id),
      reason: 'merged',
    },
    ...merged.map(
      ({ id, version }): NewRunChange => ({
        change: 'retired',
        card_id: id,
        version_before: version,
        related: [keep.id],
        reason: 'merged',
      }),
    ),
  ];
}

async function merge(
  tx: Tx,
  keep: Episode,
  merged: readonly Episode[],
  commit: PartCommit,
): Promise<void> {
  const { operationId, workflowId, now } = commit;
  const ids = merged.map(({ id }) => id);
  const version = await sayHowOften(tx, keep, merged, commit);
  const edges = await inheritFrom(tx, keep.id, ids, now);
  const retired = await retireInFavour(tx, {
    cards: merged,
    by: keep.id,
    pass: CONSOLIDATION,
    workflowId,
    at: now,
  });
  await noteChanges(
    tx,
    operationId,
    [
      {
        change: version === keep.version ? 'linked' : 'edited',
        card_id: keep.id,
        version_before: keep.version,
        version_after: version,
        related: [...ids, ...edges],
        reason: 'merged',
      },
      ...retiredLines(retired, keep.id, 'merged'),
    ],
    now,
  );
}

/** @returns the version that the card has now */
async function sayHowOften(
  tx: Tx,
  keep: Episode,
  merged: readonly Episode[],
  { workflowId, now, makesVectors }: PartCommit,
): Promise<number> {
  const summary = seenAgain(keep, merged);
  if (summary === null) return keep.version;
  const { key, subject, topic, hints, agent } = keep;
  const indexed = { summary, agent, team: await teamOf(tx, agent), key, subject, topic, hints };
  const terms = lexicalTerms(cardIndexText(indexed));
  const actor = { kind: 'system', id: CONSOLIDATION };
  const version = await changeCard(tx, {
    id: keep.id,
    expected: keep.version,
    columns: { summary, ...indexColumns(terms, null) },
    action: 'merged',
    actor,
    at: now,
  });
  if (version === null) throw new Error('a card whose row is held has moved on');
  const index = { terms, entities: entityRows(indexed) };
  await reindexCard(tx, { id: keep.id, version, at: now }, index, null);
  if (makesVectors) await queueLateVectors(tx, now);
  await writeAudit(tx, {
    at: now,
    actor,
    action: 'card.edited',
    target: { type: 'card', id: keep.id },
    changed: ['summary'],
    versions: [keep.version, version],
    channel: 'workflow',
    workflowId,
  });
  return version;
}
