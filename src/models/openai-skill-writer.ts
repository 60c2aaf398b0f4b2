import {
  MODEL_NOVELTY_JSON_SCHEMA,
  MODEL_SKILL_JSON_SCHEMA,
  NOVELTY_REASONS,
  parseModelNovelty,
  parseModelSkill,
} from '../schemas/model-skill';
import { createJsonAsker } from './ask-json';
import { fenced } from './distill-prompt';
import type { OpenAiChatOptions } from './openai-chat';
import { DATA_IS_DATA, NOTHING_PERSONAL, ONLY_WHAT_IS_SAID } from './prompt-rules';
import { shortLine } from './shortened';
import { SKILL_RULES, withOperations } from './skill-words';
import type { SkillWriter } from './skill-writer';
import { shownOf, type ToldStep, traceText } from './trace';

/** Raised with every change of what is said here. */
export const SKILL_PROMPT_VERSION = 'skill-1';

const NAMES_SHOWN = 100;
const NAME_LIMIT = 64;

const SCORE = `A task of an AI agent has ended. From its steps you judge how much another agent could learn from them.

${DATA_IS_DATA}

- novelty: 1 to 10. Reads and single calls that simply worked are 1 to 2. Ordinary work of several steps is 3 to 5, and so is what one of the known skills covers. A sequence of steps that is not obvious, or a failure that was understood and overcome, is 7 to 8. A way through a whole problem that nobody would find without trying is 9 to 10. A task that failed in the end is at most 4.
- reason_code: the one that weighs most: ${NOVELTY_REASONS.join(', ')}.

Answer with one JSON object with exactly these keys: novelty, reason_code.`;

const WRITE = `A task of an AI agent has ended well. From its steps you write the skill that lets another agent do the like without trying.

${DATA_IS_DATA}

${SKILL_RULES}
- Leave out detours and repeats. What failed on the way belongs into failure_handling with what helped then, or into preconditions.
- description: one line by which an agent finds the skill in a list.
- ${ONLY_WHAT_IS_SAID}
- ${NOTHING_PERSONAL}

Answer with one JSON object with exactly these keys: name, description, purpose, preconditions, steps (text, source), failure_handling (when, then, source), causes.`;

/** Over any OpenAI-compatible endpoint, with one repair of an answer that does not fit. */
export function createOpenAiSkillWriter(options: OpenAiChatOptions): SkillWriter {
  const askNovelty = createJsonAsker(options, {
    name: 'novelty',
    schema: MODEL_NOVELTY_JSON_SCHEMA,
  });
  const askSkill = createJsonAsker(options, { name: 'skill', schema: MODEL_SKILL_JSON_SCHEMA });
  return {
    model: options.model,
    promptVersion: SKILL_PROMPT_VERSION,
    score: async (trace, knownSkills, signal) => {
      const question = { system: SCORE, user: scoreQuestion(trace, knownSkills) };
      const { value, usage } = await askNovelty(question, parseModelNovelty, signal);
      return { ...value, usage };
    },
    write: async (trace, signal) => {
      const shown = shownOf(trace);
      const numbers = new Set(shown.map(({ n }) => n));
      const user = [fenced('STEPS', traceText(trace)), 'Write the skill as one JSON object.'];
      const question = { system: WRITE, user: user.join('\n\n') };
      const read = (object: object) => parseModelSkill(object, numbers);
      const { value, usage } = await askSkill(question, read, signal);
      const { description, ...skill } = value;
      return { ...withOperations(skill, shown), description, usage };
    },
  };
}

function scoreQuestion(trace: readonly ToldStep[], knownSkills: readonly string[]): string {
  const names = knownSkills.slice(0, NAMES_SHOWN).map((name) => shortLine(name, NAME_LIMIT));
  return [
    fenced('STEPS', traceText(trace)),
    ...(names.length === 0 ? [] : [fenced('KNOWN SKILLS', names.join('\n'))]),
    'Judge the task as one JSON object.',
  ].join('\n\n');
}
