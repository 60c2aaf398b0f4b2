import type { FiledSkill } from '../contracts/learning';
import { isInstructionLikeSkill } from '../domain/learning/learned-skill';
import { freeName } from '../domain/learning/nearest-skill';
import { skillSummary } from '../domain/skills/summary';
import { queueLateVectors } from './card-edits';
import { insertCard, type NewCard } from './card-writes';
import { cardOfSources } from './card-writes-of-sources';
import { addSkill } from './card-writes-skill';
import type { Tx } from './database';
import { auditLearned, lineage, versionOf } from './learned-version';
import { LEARNER, type LearnedWorld, noSkill } from './learned-world';
import { noteChanges } from './run-changes';
import { shareAsSources } from './shared-by-all';
import { namesOfScope } from './skills-of-scope';
import { watchCard } from './watches';

/**
 * A skill of its own, with the readers of what it was learned from. Its first version is in use at once where it passes
 * the tests of its own task; else it is a draft that nobody is advised to use.
 */
export async function createLearned(tx: Tx, world: LearnedWorld): Promise<FiledSkill> {
  const { draft, sources, filing } = world;
  const { operationId, now } = filing;
  const [{ scope } = { scope: null }] = sources;
  if (scope === null) throw new Error('a skill has sources');
  const name = freeName(draft.skill.name, await namesOfScope(tx, scope));
  const card = await cardOf(tx, world, name);
  const related = sources.map(({ id }) => id);
  await insertCard(tx, card, null, lineage(card.id, sources));
  await shareAsSources(tx, card.id, related, now);
  await watchCard(tx, card.id, null, now);
  const tested = await addSkill(tx, {
    cardId: card.id,
    name,
    version: versionOf(world, draft.skill),
    cases: draft.cases,
    now,
  });
  const created = { change: 'created', card_id: card.id, version_after: 1, related } as const;
  await noteChanges(tx, operationId, [{ ...created, reason: 'skill' }], now);
  await auditLearned(tx, world, {
    action: 'card.created',
    id: card.id,
    versions: [1],
    changed: [],
  });
  if (filing.makesVectors) await queueLateVectors(tx, now);
  const filed = tested.mayBecomeCurrent
    ? noSkill(filing, 'created', null)
    : noSkill(filing, 'regressed', 'tests_failed');
  return { ...filed, card_id: card.id, version: 1 };
}

/** With the standing of its sources: never more than each of them has. */
async function cardOf(
  tx: Tx,
  { draft, sources, filing }: LearnedWorld,
  name: string,
): Promise<NewCard> {
  const { description, document } = draft.skill;
  const { workflowId, runId, now } = filing;
  return await cardOfSources(tx, sources, {
    kind: 'skill_lesson',
    sign: 'worked',
    summary: skillSummary(name, description, document),
    topic: null,
    importance: Math.round(draft.novelty),
    flags: isInstructionLikeSkill(draft.skill) ? ['instruction_like'] : [],
    pass: LEARNER.id,
    words: draft.words,
    workflowId,
    runId,
    now,
  });
}
