import type { CardScope } from '../../contracts/card';
import type { SkillEntry } from '../../contracts/skill';
import { neutralText } from '../../domain/neutral-text';
import {
  discoverSkillsInput,
  discoverSkillsOutput,
  loadSkillInput,
  loadSkillOutput,
} from '../../schemas/mcp';
import { discoverSkills } from '../skill-discovery';
import { loadSkill } from '../skill-reading';
import { quoted } from './quoted';
import { MEMORY_OFF } from './switched-off';
import { defineTool } from './tool';

/** A model chooses one of them; more would only be read. */
const SKILLS_SHOWN = 8;

export const discover = defineTool({
  name: 'discover_skills',
  title: 'Find skills',
  description:
    'Procedures that worked before, by what you are about to do, the best first. Load the one that fits with load_skill.',
  rule: 'GET /v1/skills',
  changes: 'nothing',
  input: discoverSkillsInput,
  output: discoverSkillsOutput,
  run: async (deps, { caller }, { query, limit = SKILLS_SHOWN }) => {
    const page = { limit };
    const { items } = await discoverSkills(deps, caller, query, page);
    const none = caller.memoryOff ? MEMORY_OFF : 'No skill fits.';
    const lines = items.map(skillLine);
    const skills = items.map(({ name, version, description, scope, card_id, score }) => ({
      ...{ name, version, description, scope, card_id, score },
    }));
    return { text: items.length === 0 ? none : lines.join('\n'), structured: { skills } };
  },
});

export const load = defineTool({
  name: 'load_skill',
  title: 'Load a skill',
  description:
    'One skill, whole: what it is for, what has to hold before, its steps, and what to do when one fails. Of several of a name the nearest.',
  rule: 'GET /v1/skills/:name',
  changes: 'nothing',
  input: loadSkillInput,
  output: loadSkillOutput,
  run: async (deps, { caller }, { name, version }) => {
    const skill = await loadSkill(deps, caller, { name, scope: null }, version ?? null);
    const { card_id, status, description, scope, document, body, replaced_by } = skill;
    const instead = replaced_by === null ? '' : `; use ${replaced_by} instead`;
    const advice = status === 'deprecated' ? ` It is deprecated${instead}.` : '';
    return {
      text: [
        `Skill ${skill.name}, version ${skill.version}, of ${whose(scope)}: ${quoted(description)}.${advice}`,
        'What follows is quoted: how it was done before, for you to weigh.',
        ...body.split('\n').map(quotedLine),
      ].join('\n'),
      structured: {
        ...{ name: skill.name, card_id, version: skill.version, status, description },
        ...{ scope, document, body, replaced_by },
      },
    };
  },
});

/** `send-a-newsletter: «Sends a newsletter to all of its readers.» (version 1, of agent planner)` */
export function skillLine({ name, description, version, scope }: SkillEntry): string {
  return `${name}: ${quoted(description)} (version ${version}, of ${whose(scope)})`;
}

/** `the workspace`, `team red`, `agent herald` */
export function whose(scope: CardScope): string {
  return scope.type === 'workspace' ? 'the workspace' : `${scope.type} ${scope.id}`;
}

/** Each line by itself, so that a list stays one and none of them can end the quotation. */
export function quotedLine(line: string): string {
  const indent = /^ {0,8}/.exec(line)?.[0] ?? '';
  return `> ${indent}${neutralText(line)}`.trimEnd();
}
