import type { Episode } from '../domain/consolidation/episode';
import { isInstructionLikeSkill } from '../domain/learning/learned-skill';
import type { SkillDraft } from '../domain/learning/skill-of-task';
import { markdownOf } from '../domain/skills/markdown-out';
import { writeAudit } from './audit';
import type { Tx } from './database';
import type { NewEdge } from './edge-writes';
import { LEARNER, type LearnedWorld } from './learned-world';
import type { NewSkillVersion } from './skills';

/** A version of what a task taught; a further one rests on what the one before it rests on too. */
export function versionOf(
  { draft, sources, filing }: LearnedWorld,
  { description, document }: Pick<SkillDraft, 'description' | 'document'>,
  before: Pick<NewSkillVersion, 'events' | 'cards'> = { events: [], cards: [] },
): NewSkillVersion {
  return {
    description,
    document,
    body: markdownOf(document),
    flagged: isInstructionLikeSkill({ description, document }),
    events: [...new Set([...before.events, ...draft.events])],
    cards: [...new Set([...before.cards, ...sources.map(({ id }) => id)])],
    run: filing.operationId,
    model: draft.words.model,
    promptVersion: draft.words.prompt_version,
    writer: LEARNER,
  };
}

/** What a skill was learned from: what an erasure walks. */
export function lineage(card: string, sources: readonly Episode[]): NewEdge[] {
  return sources.map(({ id }) => ({
    type: 'derived_from',
    from: card,
    to: id,
    confidence: 1,
    reason: 'the skill was learned from this',
  }));
}

export async function auditLearned(
  tx: Tx,
  { filing }: LearnedWorld,
  entry: { action: string; id: string; versions: number[]; changed: string[] },
): Promise<void> {
  const { id, ...rest } = entry;
  await writeAudit(tx, {
    ...rest,
    at: filing.now,
    actor: LEARNER,
    target: { type: 'card', id },
    channel: 'workflow',
    workflowId: filing.workflowId,
  });
}
