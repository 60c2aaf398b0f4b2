import type { FiledSkill } from '../contracts/learning';
import { skillSummary } from '../domain/skills/summary';
import type { Tx } from './database';
import { LEARNER, type LearnedWorld, noSkill } from './learned-world';
import { openProposalFor } from './proposal-opening';
import { noteChanges } from './run-changes';

/**
 * What the gate leaves to a person: the words stay with the run, where an erasure of a source finds them, and the
 * proposal names the run. Of one run there is one.
 */
export async function proposeLearned(
  tx: Tx,
  { draft, sources, filing }: LearnedWorld,
  reason: string,
): Promise<FiledSkill> {
  const { operationId, now, nearest } = filing;
  const evidence = sources.map(({ id }) => id);
  const scope = sources[0]?.scope ?? null;
  const { id } = await openProposalFor(tx, {
    type: 'skill',
    matter: `learning:${operationId}`,
    team: scope?.type === 'team' ? scope.id : null,
    // Without words of the cards: whoever may not see them is shown the title all the same.
    title: 'A skill learned from a task',
    summary: skillSummary(draft.skill.name, draft.skill.description, draft.skill.document),
    draftedBy: 'fallback',
    evidence,
    change: {
      run_id: operationId,
      scope,
      name: draft.skill.name,
      nearest,
      card_versions: Object.fromEntries(draft.sources.map((one) => [one.id, one.version])),
    },
    proposedBy: LEARNER,
    channel: 'workflow',
    now,
  });
  await noteChanges(
    tx,
    operationId,
    [{ change: 'proposed', related: [id, ...evidence], reason }],
    now,
  );
  return { ...noSkill(filing, 'proposed', reason), proposal_id: id };
}
