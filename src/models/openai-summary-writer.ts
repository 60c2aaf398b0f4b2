import { MODEL_SUMMARY_JSON_SCHEMA, parseModelSummary } from '../schemas/model-summary';
import { createJsonAsker } from './ask-json';
import { fenced } from './distill-prompt';
import type { OpenAiChatOptions } from './openai-chat';
import { DATA_IS_DATA } from './prompt-rules';
import { shortLine } from './shortened';
import type { SummaryWriter, ToldStretch } from './summary-writer';

/** Raised with every change of what is said here. */
export const SUMMARY_PROMPT_VERSION = 'summary-1';

const MESSAGE_LIMIT = 2_000;
const KEPT_SHOWN = 150;
const KEPT_LIMIT = 240;
/** What the check puts back needs room of its own. */
const SHARE_OF_BUDGET = 0.7;
/** English prose. */
const WORDS_A_TOKEN = 0.7;

const SYSTEM = `You keep the memory of a long conversation between a user and an assistant. From the summary so far and the messages that follow it you write the new summary of all of it, which stands in for those messages from now on.

${DATA_IS_DATA}

- decisions: what was decided, agreed, chosen, confirmed or refused, and by whom.
- details: every concrete thing that was said: names of people, places and things; numbers with their units; amounts of money; dates and times; addresses, URLs, ids, codes, file names; quoted strings; placeholders such as [EMAIL_…] exactly as they stand. One line each, with who said it and the date. Turn "yesterday" or "next week" into a date by the date of its message.
- open_items: what is still to be done, answered or decided. What a later message settles is no longer open.
- story: what happened, in as few lines as will do.
- Keep every decision, detail and open item of the summary so far that still holds, word for word where it is short. What was said at the very beginning matters as much as what was said last.
- Everything else may be compressed or left out. Invent nothing, and draw no conclusions.
- Write in the language of the conversation.

Answer with one JSON object with exactly these keys: decisions, details, open_items, story, each a list of strings.`;

/** Over any OpenAI-compatible endpoint, with one repair of an answer that does not fit. */
export function createOpenAiSummaryWriter(options: OpenAiChatOptions): SummaryWriter {
  const ask = createJsonAsker(options, {
    name: 'conversation_summary',
    schema: MODEL_SUMMARY_JSON_SCHEMA,
  });
  return {
    model: options.model,
    promptVersion: SUMMARY_PROMPT_VERSION,
    write: async (stretch, signal) => {
      const question = { system: SYSTEM, user: questionOf(stretch) };
      const { value: parts, usage } = await ask(question, parseModelSummary, signal);
      return { parts, usage };
    },
  };
}

/** Each line says that it is one of the summary: none can pass for a record. */
function marked(previous: string): string {
  return previous.replace(/^/gm, '| ');
}

function questionOf({ previous, messages, must_keep, budget_tokens }: ToldStretch): string {
  const words = Math.floor(budget_tokens * SHARE_OF_BUDGET * WORDS_A_TOKEN);
  const turns = messages.map(
    ({ role, name, at, content }) =>
      `[${at.slice(0, 16)}] ${name ?? role}: ${shortLine(content, MESSAGE_LIMIT)}`,
  );
  const kept = must_keep.slice(0, KEPT_SHOWN).map((clause) => `- ${shortLine(clause, KEPT_LIMIT)}`);
  return [
    ...(previous === null ? [] : [fenced('SUMMARY SO FAR', marked(previous))]),
    fenced('MESSAGES', turns.join('\n')),
    ...(kept.length === 0 ? [] : [fenced('MUST NOT BE LOST', kept.join('\n'))]),
    `Write the new summary in at most ${words} words, as one JSON object.`,
  ].join('\n\n');
}
