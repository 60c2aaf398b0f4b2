import type { TeamStep } from '../contracts/proposal';
import type { FixDraft } from '../domain/config-fix';
import { MODEL_FIX_JSON_SCHEMA, parseModelFix } from '../schemas/model-fix';
import { createJsonAsker } from './ask-json';
import { fenced } from './distill-prompt';
import type { FixDrafter, WarningText } from './fix-drafter';
import type { OpenAiChatOptions } from './openai-chat';
import { DATA_IS_DATA } from './prompt-rules';

/** The latest say most about what is wrong now. */
const WARNINGS_SHOWN = 8;
const WARNING_LIMIT = 600;

const SYSTEM = `A step of a team of AI agents has failed several times. From the warnings that its agents left you propose one change of configuration that a person will approve or reject.

${DATA_IS_DATA}

- fix: one or two sentences that say what to change: a setting, a limit, a check before the step, a right, a tool that is missing. Say it so that whoever runs the agents can do it. Propose nothing that gives an agent more rights than the warnings show it needs.
- summary: one or two sentences that say what went wrong, as often as the warnings agree on it. State only what the data says.
- Leave out credentials and personal data. Placeholders in square brackets may stay as they are.

Answer with one JSON object with exactly these keys: fix, summary.`;

/** Over any OpenAI-compatible endpoint, with one repair of an answer that does not fit. */
export function createOpenAiFixDrafter(options: OpenAiChatOptions): FixDrafter {
  const ask = createJsonAsker(options, {
    name: 'configuration_fix',
    schema: MODEL_FIX_JSON_SCHEMA,
  });
  return {
    draft: async (step, warnings, template, signal) => {
      const question = { system: SYSTEM, user: questionOf(step, warnings, template) };
      const { value } = await ask(question, parseModelFix, signal);
      return { ...template, ...value };
    },
  };
}

function questionOf(step: TeamStep, warnings: readonly WarningText[], template: FixDraft): string {
  const texts = warnings
    .slice(-WARNINGS_SHOWN)
    .map(({ summary }, index) => `${index + 1}. ${summary.slice(0, WARNING_LIMIT)}`);
  return [
    `The step is ${step.step} of ${step.workflow}, in team ${step.team}. A rule says of it: ${template.title}.`,
    fenced('WARNINGS', texts.join('\n')),
    'Write the change of configuration as one JSON object.',
  ].join('\n\n');
}
