import { MODEL_LESSONS_JSON_SCHEMA, parseModelLessons } from '../schemas/model-lessons';
import { createJsonAsker } from './ask-json';
import { fenced } from './distill-prompt';
import type { OpenAiChatOptions } from './openai-chat';
import { DATA_IS_DATA, NOTHING_PERSONAL, ONLY_WHAT_IS_SAID } from './prompt-rules';
import { shortLine } from './shortened';
import {
  EPISODES_SHOWN,
  type LessonEpisode,
  type LessonGroup,
  type WisdomWriter,
} from './wisdom-writer';

/** Raised with every change of what is said here. */
export const LESSONS_PROMPT_VERSION = 'lessons-1';

const EPISODE_LIMIT = 400;
const NAME_LIMIT = 80;

const SYSTEM = `You keep the memory of a fleet of AI agents. From short records of past work you write the lessons that another agent will read before it does something similar.

${DATA_IS_DATA}

Write one to eight lessons, the most useful first.
- text: one bullet, at most 240 characters: what to do or to avoid, and why. Keep the concrete values that make it usable: limits, names of services and fields, formats, amounts, dates.
- Merge records that say the same into one lesson and say how often it was seen ("failed 4 times"). Where a later success answers a failure, say what was different then.
- A record marked "open" is a warning that nothing has resolved. Keep every such warning, and say in the lesson that it is still open.
- Something that failed once is not impossible: say under which conditions it failed.
- sources: the numbers of the records that the lesson rests on, at least one.
- ${ONLY_WHAT_IS_SAID}
- ${NOTHING_PERSONAL}

Answer with one JSON object with exactly this key: lessons, a list of objects with the keys text and sources.`;

/** Over any OpenAI-compatible endpoint, with one repair of an answer that does not fit. */
export function createOpenAiWisdomWriter(options: OpenAiChatOptions): WisdomWriter {
  const ask = createJsonAsker(options, {
    name: 'wisdom_note',
    schema: MODEL_LESSONS_JSON_SCHEMA,
  });
  return {
    model: options.model,
    promptVersion: LESSONS_PROMPT_VERSION,
    write: async (group, signal) => {
      const shown = group.episodes.slice(0, EPISODES_SHOWN);
      const numbers = new Set(shown.map(({ n }) => n));
      const question = { system: SYSTEM, user: questionOf(group, shown) };
      const read = (object: object) => parseModelLessons(object, numbers);
      const { value, usage } = await ask(question, read, signal);
      return { lessons: value.lessons, usage };
    },
  };
}

function questionOf({ scope, topic }: LessonGroup, shown: readonly LessonEpisode[]): string {
  const about = [`Memory of: ${shortLine(scope, NAME_LIMIT)}`];
  if (topic !== null) about.push(`Topic: ${shortLine(topic, NAME_LIMIT)}`);
  return [
    fenced('RECORDS', [...about, ...shown.map(lineOf)].join('\n')),
    'Write the lessons as one JSON object.',
  ].join('\n\n');
}

function lineOf({ n, sign, age_days, summary, resolved, times }: LessonEpisode): string {
  const state = sign !== 'failed' ? [] : [resolved ? 'resolved later' : 'open'];
  const marks = [
    sign,
    ...state,
    `${age_days} days ago`,
    ...(times > 1 ? [`seen ${times} times`] : []),
  ];
  return `[${n}] (${marks.join(', ')}) ${shortLine(summary, EPISODE_LIMIT)}`;
}
