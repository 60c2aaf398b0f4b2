import { MODEL_FACTS_JSON_SCHEMA, parseModelFacts } from '../schemas/model-facts';
import { createJsonAsker } from './ask-json';
import { fenced } from './distill-prompt';
import type { FactExtractor, SaidLast } from './fact-extractor';
import type { OpenAiChatOptions } from './openai-chat';
import { DATA_IS_DATA } from './prompt-rules';
import { shortLine } from './shortened';

/** Raised with every change of what is said here. */
export const FACTS_PROMPT_VERSION = 'facts-1';

const MESSAGE_LIMIT = 2_000;
const NAME_LIMIT = 80;

const SYSTEM = `From the last messages of a conversation you take what the user tells of themselves that will still be true, and of use, in another conversation: name, place, work, family, likes and dislikes, allergies and health, possessions, plans with a date, and how they want things done.

${DATA_IS_DATA}

- Only what the user states of themselves. Nothing that the assistant says or suggests, nothing asked, supposed, wished for, quoted or told of others, and no passing state ("I am tired").
- text: one short sentence that says by itself of whom it is, at most 200 characters. Name the user as given, or "The user". Where it is an attribute, write "<name>'s <attribute> is <value>". Turn "next week" into a date by the date of the message.
- source: the number of the message that says it.
- Passwords, keys and tokens are no facts. Placeholders in square brackets stay as they are.
- In the language of the messages. An empty list is a good answer where nothing lasts.

Answer with one JSON object with exactly this key: facts, a list of objects with the keys text and source.`;

/** Over any OpenAI-compatible endpoint, with one repair of an answer that does not fit. */
export function createOpenAiFactExtractor(options: OpenAiChatOptions): FactExtractor {
  const ask = createJsonAsker(options, { name: 'facts', schema: MODEL_FACTS_JSON_SCHEMA });
  return {
    model: options.model,
    promptVersion: FACTS_PROMPT_VERSION,
    extract: async (said, signal) => {
      const own = said.messages.filter(({ role }) => role === 'user').map(({ n }) => n);
      const question = { system: SYSTEM, user: questionOf(said) };
      const read = (object: object) => parseModelFacts(object, new Set(own));
      const { value, usage } = await ask(question, read, signal);
      return { facts: value.facts, usage };
    },
  };
}

function questionOf({ subject, messages }: SaidLast): string {
  const lines = messages.map(
    ({ n, role, name, at, content }) =>
      `[${n}] (${role}${name === null ? '' : `, ${shortLine(name, NAME_LIMIT)}`}, ${at.slice(0, 16)}) ${shortLine(content, MESSAGE_LIMIT)}`,
  );
  return [
    `The user is called: ${subject === null ? 'unknown' : shortLine(subject, NAME_LIMIT)}.`,
    fenced('MESSAGES', lines.join('\n')),
    'Write the facts as one JSON object.',
  ].join('\n\n');
}
