import type { FiledSkill } from '../contracts/learning';
import { standingOf } from '../domain/consolidation/note';
import { durationMs } from '../domain/durations';
import { isInstructionLikeSkill } from '../domain/learning/learned-skill';
import { mergedSkill, saysNothingNew } from '../domain/learning/merged-skill';
import { ofReaders, readersOf } from '../domain/learning/same-readers';
import type { SkillDraft } from '../domain/learning/skill-of-task';
import { TRUST_RANK } from '../domain/policy';
import { queueLateVectors } from './card-edits';
import { readSources } from './card-writes-episodes';
import { createLearned } from './card-writes-learned-skill';
import { makeCurrent } from './card-writes-skill';
import type { Tx } from './database';
import { insertEdges } from './edge-writes';
import { auditLearned, lineage, versionOf } from './learned-version';
import { LEARNER, type LearnedWorld, noSkill } from './learned-world';
import { noteChanges } from './run-changes';
import { addCases } from './skill-cases';
import { testVersion } from './skill-testing';
import { addVersion, readVersion } from './skills';
import type { VisibleSkill } from './skills-read';

/** What stands between a plan and its being carried out: the gate. */
type Gate = (act: () => Promise<FiledSkill>) => Promise<FiledSkill>;

/**
 * A further version of a skill that is alike: its steps and those of the task, what either knows of failures, held to
 * the tests of both. What says nothing new is left as it is; so is a skill that a person looks after, or gave up; and
 * one with other readers is not told what they may not read: then the task gets a skill of its own.
 */
export async function mergeLearned(
  tx: Tx,
  world: LearnedWorld,
  known: VisibleSkill,
  gate: Gate,
): Promise<FiledSkill> {
  const { draft, filing } = world;
  const row =
    known.current_version === null
      ? null
      : await readVersion(tx, known.card_id, known.current_version);
  if (row === null) return noSkill(filing, 'moved', 'skill_moved');
  const document = mergedSkill(row.document, draft.skill.document);
  if (document !== null && saysNothingNew(row.document, document)) {
    return await skipped(tx, world, known, 'identical', 'identical');
  }
  const { card } = known.seen;
  if (known.status === 'deprecated')
    return await skipped(tx, world, known, 'rejected', 'deprecated');
  if (card.status !== 'active' && card.status !== 'pending' && card.status !== 'validated') {
    return await skipped(tx, world, known, 'rejected', 'not_in_use');
  }
  if (document === null) return await skipped(tx, world, known, 'rejected', 'too_long');
  if (row.writer_kind === 'person' || card.status === 'validated') {
    return await skipped(tx, world, known, 'rejected', 'kept_by_a_person');
  }
  if (!(await hasReadersOf(tx, world, known))) return await gate(() => createLearned(tx, world));
  const merged: SkillDraft = { name: known.name, description: row.description, document };
  return await gate(() => addMerged(tx, world, known, merged));
}

async function addMerged(
  tx: Tx,
  world: LearnedWorld,
  known: VisibleSkill,
  merged: SkillDraft,
): Promise<FiledSkill> {
  const { draft, sources, filing } = world;
  const { operationId, now } = filing;
  const { card } = known.seen;
  const row = await readVersion(tx, known.card_id, known.current_version ?? 0);
  const version = await addVersion(tx, known, versionOf(world, merged, row ?? undefined), now);
  await addCases(tx, known.card_id, draft.cases, now);
  const { mayBecomeCurrent } = await testVersion(tx, known.card_id, version, now);
  if (!mayBecomeCurrent) {
    const filed = await skipped(tx, world, known, 'regressed', 'regression');
    return { ...filed, version };
  }
  const { trust } = standingOf(sources);
  const { description, document } = merged;
  const after = await makeCurrent(tx, {
    seen: known.seen,
    name: known.name,
    version,
    description,
    document,
    vector: null,
    columns: {
      ...(TRUST_RANK[trust] < TRUST_RANK[card.trust] ? { trust } : {}),
      flags: isInstructionLikeSkill(merged) ? ['instruction_like'] : card.flags,
    },
    action: 'skill_version',
    actor: LEARNER,
    at: now,
  });
  // The skill is held, and with it whoever changes its card by the skill; a person who edits the card comes first.
  if (after === null) throw new Error('the card of a skill moved on');
  await insertEdges(tx, lineage(card.id, sources), now);
  const related = sources.map(({ id }) => id);
  const edited = { change: 'edited', card_id: card.id, version_before: card.version } as const;
  await noteChanges(
    tx,
    operationId,
    [{ ...edited, version_after: after, related, reason: 'skill_merged' }],
    now,
  );
  await auditLearned(tx, world, {
    action: 'skill_version',
    id: card.id,
    versions: [card.version, after],
    changed: ['skill_version', 'summary'],
  });
  if (filing.makesVectors) await queueLateVectors(tx, now);
  return { ...noSkill(filing, 'merged', null), card_id: card.id, version };
}

async function skipped(
  tx: Tx,
  { filing, sources }: LearnedWorld,
  known: VisibleSkill,
  learned: FiledSkill['learned'],
  reason: string,
): Promise<FiledSkill> {
  const related = sources.map(({ id }) => id);
  const { operationId, now } = filing;
  await noteChanges(
    tx,
    operationId,
    [{ change: 'skipped', card_id: known.card_id, related, reason }],
    now,
  );
  const filed = noSkill(filing, learned, reason);
  return { ...filed, card_id: known.card_id, version: known.current_version };
}

async function hasReadersOf(tx: Tx, world: LearnedWorld, known: VisibleSkill): Promise<boolean> {
  const { sources, policy, filing } = world;
  const tieMs = durationMs(policy.resolve.tie);
  const cards = await readSources(tx, [known.card_id], { now: filing.now, tieMs });
  const [first] = sources;
  return first !== undefined && ofReaders(cards.get(known.card_id), readersOf(first));
}
