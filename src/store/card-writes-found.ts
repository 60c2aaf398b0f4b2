import type { Episode } from '../domain/consolidation/episode';
import { freeName } from '../domain/learning/nearest-skill';
import type { FactCandidate, SkillCandidate } from '../domain/reflection/candidate';
import { markdownOf } from '../domain/skills/markdown-out';
import { skillSummary } from '../domain/skills/summary';
import { writeAudit } from './audit';
import { queueLateVectors } from './card-edits';
import { insertCard, type NewCard } from './card-writes';
import { cardOfSources } from './card-writes-of-sources';
import { addSkill } from './card-writes-skill';
import type { Tx } from './database';
import type { FoundBy } from './reflections';
import { shareAsSources } from './shared-by-all';
import { namesOfScope } from './skills-of-scope';
import { watchCard } from './watches';

/** The pass, as audit, history and provenance name it. */
export const REFLECTION = 'reflection';

/** Who writes, and when. */
export interface FindingWrite {
  reflectionId: string;
  workflowId: string;
  runId: string | null;
  /** Whether a vector is waited for at all. */
  makesVectors: boolean;
  now: Date;
}

/**
 * Writes what was approved as a card that has no reader whom one of its sources has not: in their scope, about their
 * member, shared with those alone who see each of them. It comes of them, and is watched from now on.
 *
 * @param sources held by the caller, of one member and one set of readers
 * @returns the card
 */
export async function writeFact(
  tx: Tx,
  fact: FactCandidate & FoundBy,
  sources: readonly Episode[],
  write: FindingWrite,
): Promise<string> {
  const { service, operation, error_signature, error_family, topic } = fact;
  const card = await cardOfSources(tx, sources, {
    ...foundBy(fact, write),
    kind: 'knowledge',
    sign: 'neutral',
    summary: fact.text,
    topic,
    hints: { service, operation, error_signature, error_family },
  });
  return await insert(tx, card, sources, write);
}

/** The same for a skill: its card, and its first version with the tasks it was seen in as tests. */
export async function writeSkill(
  tx: Tx,
  skill: SkillCandidate & FoundBy,
  sources: readonly Episode[],
  write: FindingWrite,
): Promise<string> {
  const [first] = sources;
  if (first === undefined) throw new Error('what was found rests on cards');
  const { document } = skill;
  const name = freeName(skill.name, await namesOfScope(tx, first.scope));
  const card = await cardOfSources(tx, sources, {
    ...foundBy(skill, write),
    kind: 'skill_lesson',
    sign: 'worked',
    summary: skillSummary(name, document.purpose, document),
    topic: null,
  });
  const cardId = await insert(tx, card, sources, write);
  await addSkill(tx, {
    cardId,
    name,
    version: {
      description: document.purpose,
      document,
      body: markdownOf(document),
      flagged: false,
      events: skill.cases.flatMap(({ event }) => event ?? []),
      cards: skill.sources,
      run: write.runId,
      model: skill.model,
      promptVersion: skill.prompt_version,
      writer: { kind: 'system', id: REFLECTION },
    },
    cases: skill.cases,
    now: write.now,
  });
  return cardId;
}

function foundBy(
  { confidence, ...words }: (FactCandidate | SkillCandidate) & FoundBy,
  { workflowId, runId, now }: FindingWrite,
) {
  return { confidence, words, pass: REFLECTION, workflowId, runId, now };
}

async function insert(
  tx: Tx,
  card: NewCard,
  sources: readonly Episode[],
  { reflectionId, workflowId, makesVectors, now }: FindingWrite,
): Promise<string> {
  const ids = sources.map(({ id }) => id);
  const comesOf = { type: 'derived_from', from: card.id, confidence: 1 } as const;
  const reason = 'one of the cards that show it';
  await insertCard(
    tx,
    card,
    null,
    ids.map((to) => ({ ...comesOf, to, reason })),
  );
  await shareAsSources(tx, card.id, ids, now);
  await watchCard(tx, card.id, reflectionId, now);
  await writeAudit(tx, {
    at: now,
    actor: { kind: 'system', id: REFLECTION },
    action: 'card.created',
    target: { type: 'card', id: card.id },
    versions: [1],
    hashes: { reflection: reflectionId },
    channel: 'workflow',
    workflowId,
  });
  if (makesVectors) await queueLateVectors(tx, now);
  return card.id;
}
