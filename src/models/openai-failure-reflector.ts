import { MODEL_ADVICE_JSON_SCHEMA, parseModelAdvice } from '../schemas/model-advice';
import { createJsonAsker } from './ask-json';
import { fenced } from './distill-prompt';
import type { FailedTask, FailureReflector } from './failure-reflector';
import type { OpenAiChatOptions } from './openai-chat';
import { DATA_IS_DATA, NOTHING_PERSONAL, ONLY_WHAT_IS_SAID } from './prompt-rules';
import { shortened } from './shortened';
import { traceText } from './trace';

/** Raised with every change of what is said here. */
export const ADVICE_PROMPT_VERSION = 'advice-1';

const GOAL_LIMIT = 600;

const SYSTEM = `A task of an AI agent has failed. You write the one sentence that the next agent needs before it tries the like.

${DATA_IS_DATA}

- reflection: one sentence of at most 240 characters: what to do differently next time, and why, with the concrete values that matter: names of services and fields, limits, formats. No account of all that happened, and not that the goal is impossible.
- ${ONLY_WHAT_IS_SAID}
- ${NOTHING_PERSONAL}

Answer with one JSON object with exactly this key: reflection.`;

/** Over any OpenAI-compatible endpoint, with one repair of an answer that does not fit. */
export function createOpenAiFailureReflector(options: OpenAiChatOptions): FailureReflector {
  const ask = createJsonAsker(options, {
    name: 'failure_reflection',
    schema: MODEL_ADVICE_JSON_SCHEMA,
  });
  return {
    model: options.model,
    promptVersion: ADVICE_PROMPT_VERSION,
    reflect: async (task, signal) => {
      const question = { system: SYSTEM, user: questionOf(task) };
      const { value, usage } = await ask(question, parseModelAdvice, signal);
      return { reflection: value.reflection, usage };
    },
  };
}

function questionOf({ goal, status, trace }: FailedTask): string {
  return [
    `The verdict on this task is: ${status}.`,
    fenced('TASK', shortened(goal, GOAL_LIMIT)),
    fenced('STEPS', traceText(trace)),
    'Write the sentence as one JSON object.',
  ].join('\n\n');
}
