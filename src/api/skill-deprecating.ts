import type { Skill } from '../contracts/skill';
import { deprecateSkill } from '../store/skills';
import { findSkills } from '../store/skills-read';
import type { ApiDependencies } from './app';
import type { Asked } from './idempotency';
import { notFound, Problem } from './problem';
import { auditSkill, changeSkill } from './skill-changing';
import type { NamedSkill } from './skill-reading';

/** Advises against a skill from now on, and names the one to use instead. It stays where it is. */
export async function deprecate(
  deps: ApiDependencies,
  request: Asked,
  named: NamedSkill,
  replacedBy: string | null,
): Promise<Skill | { id: string }> {
  return await changeSkill(deps, request, named, async (tx, skill, reader) => {
    const { current_version: version } = skill;
    if (version === null) {
      throw new Problem(409, 'not_current', 'no version of this skill is in use');
    }
    const others = replacedBy === null ? [] : await findSkills(tx, reader, replacedBy, null);
    const other = others.find(({ card_id }) => card_id !== skill.card_id);
    if (replacedBy !== null && other === undefined) throw notFound('skill to use instead');
    await deprecateSkill(tx, skill.card_id, other?.card_id ?? null, deps.clock());
    await auditSkill(tx, deps, request, skill, 'skill_deprecated', ['skill_status']);
    return { version };
  });
}
