import type { FiledSkill } from '../contracts/learning';
import type { CardStatus } from '../contracts/names';
import type { Episode } from '../domain/consolidation/episode';
import { standingOf } from '../domain/consolidation/note';
import { durationMs } from '../domain/durations';
import { isInstructionLikeSkill } from '../domain/learning/learned-skill';
import { readersOf } from '../domain/learning/same-readers';
import { heldBack } from '../domain/policy';
import { decide, type GateVerdict } from '../domain/reflection/gate';
import { writeAudit } from './audit';
import { holdSources, readSources } from './card-writes-episodes';
import { mergeLearned } from './card-writes-learned-merged';
import { createLearned } from './card-writes-learned-skill';
import type { Tx } from './database';
import { type LearnedDraft, readLearned } from './learned-drafts';
import { proposeLearned } from './learned-proposal';
import { LEARNER, type LearnedFiling, type LearnedWorld, noSkill } from './learned-world';
import { noteChanges } from './run-changes';
import { policyOf } from './settings';
import { holdSkill } from './skills';
import { skillForPass } from './skills-of-scope';

/**
 * Files a learned skill in the caller's transaction: one of its own, or a further version of the one that is alike,
 * after the gate. Where a source is no longer what was read (`sources_moved`), or the skill that it was compared with
 * (`skill_moved`), nothing is written.
 */
export async function fileLearned(tx: Tx, filing: LearnedFiling): Promise<FiledSkill> {
  const draft = await readLearned(tx, filing.operationId);
  if (draft === null) return noSkill(filing, 'moved', 'draft_gone');
  await holdSources(
    tx,
    draft.sources.map(({ id }) => id),
  );
  const sources = await unmoved(tx, draft, filing.now);
  if (sources === null) return noSkill(filing, 'moved', 'sources_moved');
  const world: LearnedWorld = { draft, sources, policy: await policyOf(tx), filing };
  const { nearest } = filing;
  if (nearest === null || nearest.similarity < world.policy.learning.similarity) {
    return await gated(tx, world, () => createLearned(tx, world));
  }
  const head = await holdSkill(tx, nearest.card_id);
  const known = await skillForPass(tx, nearest.card_id, filing.now);
  if (head === null || known === null || head.current_version !== nearest.version) {
    return noSkill(filing, 'moved', 'skill_moved');
  }
  return await mergeLearned(tx, world, known, (act) => gated(tx, world, act));
}

const IN_USE: readonly CardStatus[] = ['pending', 'active', 'validated'];

/** The sources as they were read: in use, in that version, with those readers; else null. */
async function unmoved(tx: Tx, draft: LearnedDraft, now: Date): Promise<Episode[] | null> {
  const tieMs = durationMs((await policyOf(tx)).resolve.tie);
  const ids = draft.sources.map(({ id }) => id);
  const cards = await readSources(tx, ids, { now, tieMs });
  const found = draft.sources.flatMap(({ id, version, readers }) => {
    const card = cards.get(id);
    if (card === undefined || card.version !== version || !IN_USE.includes(card.status)) return [];
    return readersOf(card) === readers ? [card] : [];
  });
  return found.length === ids.length && ids.length > 0 ? found : null;
}

/** Does it where a person or the gate lets it; else it is rejected, or a person is asked. */
async function gated(
  tx: Tx,
  world: LearnedWorld,
  act: () => Promise<FiledSkill>,
): Promise<FiledSkill> {
  const { sources, filing } = world;
  if (filing.approved) return await act();
  const verdict = verdictOn(world);
  if (verdict.decision === 'approve') return await act();
  if (verdict.decision === 'escalate') return await proposeLearned(tx, world, verdict.reason);
  const { operationId, workflowId, now } = filing;
  const related = sources.map(({ id }) => id);
  await noteChanges(
    tx,
    operationId,
    [{ change: 'rejected', related, reason: verdict.reason }],
    now,
  );
  await writeAudit(tx, {
    at: now,
    actor: LEARNER,
    action: 'learning.rejected',
    target: { type: 'run', id: operationId },
    changed: [verdict.reason],
    channel: 'workflow',
    workflowId,
  });
  return noSkill(filing, 'rejected', verdict.reason);
}

/** What the rules reject, no person is asked about; what the policy holds back neither. */
function verdictOn({
  draft,
  sources,
  policy,
}: LearnedWorld): Pick<GateVerdict, 'decision' | 'reason'> {
  const { confidence, trust } = standingOf(sources);
  const flags = isInstructionLikeSkill(draft.skill) ? (['instruction_like'] as const) : [];
  if (heldBack(policy, { flags, trust })) return { decision: 'reject', reason: 'instruction_like' };
  return decide(
    {
      candidate: 'skill',
      confidence,
      evidence: sources.length,
      sources: new Set(sources.map(({ agent }) => agent)).size,
      openConflict: sources.some(({ conflicts }) => conflicts.some(({ open }) => open)),
      sensitive: draft.sensitive || sources.some(({ subject }) => subject !== null),
      scope: sources[0]?.scope.type ?? 'agent',
      flags,
    },
    policy.gate.rules,
  );
}
