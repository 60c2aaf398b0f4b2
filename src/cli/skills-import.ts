import { readFile } from 'node:fs/promises';
import type { CairnClient } from '../client/client';
import { CairnError } from '../client/error';
import type { SkillScope } from '../client/skills';
import type { Workspace } from '../contracts/principal';
import type { Skill } from '../contracts/skill';
import { skillMdIn, UnreadableSkill } from '../domain/skills/skill-md';
import { Failed } from './failure';

/**
 * Writes what a SKILL.md holds: a skill, or the next version of the one that its scope has under that
 * name, which is then tested.
 *
 * @throws {Failed} there is no such file, or it is no SKILL.md
 */
export async function importSkill(
  client: CairnClient,
  file: string,
  scope: SkillScope,
): Promise<Skill> {
  const skill_md = await textOf(file);
  const { name } = readable(skill_md);
  const { scope_type: type, scope_id } = scope;
  try {
    if (type === undefined) return await client.skills.create({ skill_md });
    const id = scope_id ?? (await client.request<Workspace>('GET', '/v1/workspace')).id;
    return await client.skills.create({ skill_md, scope: { type, id } });
  } catch (error) {
    if (!(error instanceof CairnError) || error.code !== 'name_taken') throw error;
  }
  const { version } = await client.skills.addVersion(name, { skill_md }, scope);
  return await client.skills.test(name, version, scope);
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    throw new Failed(`${file} cannot be read.`, 'no_file');
  }
}

function readable(text: string): { name: string } {
  try {
    return skillMdIn(text);
  } catch (error) {
    if (!(error instanceof UnreadableSkill)) throw error;
    throw new Failed(`The file is no SKILL.md: it ${error.message}.`, 'no_skill_md');
  }
}
