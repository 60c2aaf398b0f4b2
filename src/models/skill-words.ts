import type { ModelSkill } from '../schemas/model-skill';
import type { SkillWords } from './skill-writer';

/** What prompts say of a skill, wherever one is asked for. */
export const SKILL_RULES = `- A skill has name (two to six lower-case words joined by hyphens, for the matter and not the task), purpose (what it achieves and when to use it, one sentence), preconditions, steps in order (what to do, with the concrete values that any run needs; names, ids and amounts of this one run become placeholders in words, such as "the order's number"), failure_handling (when: what goes wrong; then: what to do), and causes (usual causes of the trouble, often none). source: the number in brackets of the record that a step or failure comes from, or null. Every text has at most 240 characters.`;

interface Numbered {
  n: number;
  service: string | null;
  operation: string | null;
}

/** Which call a step makes is taken from the record that it comes from, and never from the model. */
export function withOperations(skill: ModelSkill, records: readonly Numbered[]): SkillWords {
  const known = new Map(records.map((record) => [record.n, record]));
  const { name, purpose, preconditions, failure_handling, causes } = skill;
  const steps = skill.steps.map(({ text, source }) => {
    const { service = null, operation = null } = source === null ? {} : (known.get(source) ?? {});
    return {
      text,
      ...(service === null ? {} : { service }),
      ...(operation === null ? {} : { operation }),
    };
  });
  return { name, purpose, preconditions, steps, failure_handling, causes };
}
