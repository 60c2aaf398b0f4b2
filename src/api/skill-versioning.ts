import type { Skill } from '../contracts/skill';
import type { NewSkillVersionBody } from '../schemas/skill';
import { addCases } from '../store/skill-cases';
import { addVersion } from '../store/skills';
import type { ApiDependencies } from './app';
import { settingsIn } from './card-content';
import type { Asked } from './idempotency';
import { Problem } from './problem';
import { auditSkill, changeSkill } from './skill-changing';
import { versionBy } from './skill-creating';
import { fitSkill } from './skill-fitting';
import type { NamedSkill } from './skill-reading';
import { requireSkillWritable } from './skill-rights';

/**
 * Adds a version as a draft: nobody gets other words than before until its tests were run. A SKILL.md
 * names the same skill.
 */
export async function addSkillVersion(
  deps: ApiDependencies,
  request: Asked,
  named: NamedSkill,
  { description, ...written }: NewSkillVersionBody,
): Promise<Skill | { id: string }> {
  const { caller } = request;
  const settings = await deps.database.inWorkspace(caller.context.workspace, settingsIn);
  return await changeSkill(deps, request, named, async (tx, skill) => {
    const fit = fitSkill(deps, caller, settings, {
      ...written,
      description: description ?? skill.description,
    });
    if (fit.name !== null && fit.name !== skill.name) {
      throw new Problem(400, 'invalid', 'skill_md: is of a skill of another name', {
        pointer: '/skill_md',
      });
    }
    await requireSkillWritable(tx, caller, { ...fit, scope: skill.seen.card.scope });
    const now = deps.clock();
    const version = await addVersion(tx, skill, versionBy(caller, fit), now);
    await addCases(
      tx,
      skill.card_id,
      fit.cases.map((one) => ({ case: one })),
      now,
    );
    await auditSkill(tx, deps, request, skill, 'skill_version_added', ['skill_version']);
    return { version, status: 201 };
  });
}
