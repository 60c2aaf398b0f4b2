import type { FiledSkill } from '../contracts/learning';
import { standingOf } from '../domain/consolidation/note';
import { durationMs } from '../domain/durations';
import { isInstructionLikeSkill } from '../domain/learning/learned-skill';
import { freeName } from '../domain/learning/nearest-skill';
import { skillSummary } from '../domain/skills/summary';
import { queueLateVectors } from './card-edits';
import { insertCard, type NewCard } from './card-writes';
import { teamOf } from './card-writes-note';
import { addSkill } from './card-writes-skill';
import type { Tx } from './database';
import { newId } from './ids';
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
  { draft, sources, policy, filing }: LearnedWorld,
  name: string,
): Promise<NewCard> {
  const [first] = sources;
  if (first === undefined) throw new Error('a skill has sources');
  const { now } = filing;
  const { hints, status, trust, confidence, valid_from, expires_at, agent } = standingOf(sources);
  const { description, document } = draft.skill;
  const horizon = policy.retention.by_kind.skill_lesson;
  const ends = [
    ...(expires_at === null ? [] : [Date.parse(expires_at)]),
    ...(horizon === null ? [] : [now.getTime() + durationMs(horizon)]),
  ];
  return {
    id: newId('card', now),
    kind: 'skill_lesson',
    sign: 'worked',
    status,
    statusBefore: null,
    summary: skillSummary(name, description, document),
    hints,
    inputFields: {},
    key: null,
    subject: first.subject,
    topic: null,
    project: first.project,
    session: null,
    task: null,
    parentEvent: null,
    agent,
    team: await teamOf(tx, agent),
    scope: first.scope,
    visibility: first.visibility,
    importance: Math.round(draft.novelty),
    confidence,
    trust,
    flags: isInstructionLikeSkill(draft.skill) ? ['instruction_like'] : [],
    metadata: {},
    validFrom: valid_from,
    validTo: null,
    recordedAt: now,
    expiresAt: ends.length === 0 ? null : new Date(Math.min(...ends)),
    eventId: null,
    writer: LEARNER,
    workflowId: filing.workflowId,
    runId: filing.runId,
    model: draft.words.model,
    promptVersion: draft.words.prompt_version,
    distilledBy: draft.words.distilled_by,
    supersededBy: null,
  };
}
