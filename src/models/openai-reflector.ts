import { MODEL_REFLECTION_JSON_SCHEMA, parseModelReflection } from '../schemas/model-reflection';
import { createJsonAsker } from './ask-json';
import { fenced } from './distill-prompt';
import type { OpenAiChatOptions } from './openai-chat';
import { DATA_IS_DATA, NOTHING_PERSONAL, ONLY_WHAT_IS_SAID } from './prompt-rules';
import { CARDS_SHOWN, KNOWN_SHOWN, type ReflectedCard, type Reflector } from './reflector';
import { shortLine } from './shortened';
import { SKILL_RULES, withOperations } from './skill-words';

/** Raised with every change of what is said here. */
export const REFLECTION_PROMPT_VERSION = 'reflection-1';

const CARD_LIMIT = 300;
const KNOWN_LIMIT = 200;

const SYSTEM = `You keep the memory of a fleet of AI agents. You read cards about past work and find what they have in common: candidates that rules and people will judge.

${DATA_IS_DATA}

- facts: stable statements about a service or the world that two or more cards show: a limit, a required field, a format, a time window, what a thing is called. Nothing that was true only once, nothing about a single task, and nothing that is among what is known already. sources: the numbers of all cards that show it. confidence: 0 to 1, higher the more cards and agents agree.
- links between two cards, from the newer to the older: supports (both show the same), constrains (a warning about an approach), satisfies (a success that answers a warning), conflicts (both cannot be true at the same time; likeness alone is no conflict). reason: one clause that names what matches or differs.
- skills: procedures that worked in the cards, with more than one step. Mostly there is none.
${SKILL_RULES}
- An empty list is a good answer where the cards show nothing. Prefer few that are certain.
- ${ONLY_WHAT_IS_SAID}
- ${NOTHING_PERSONAL}

Answer with one JSON object with exactly these keys: facts (text, topic, sources, confidence), links (from, to, type, confidence, reason), skills (name, purpose, preconditions, steps, failure_handling, causes, sources).`;

/** Over any OpenAI-compatible endpoint, with one repair of an answer that does not fit. */
export function createOpenAiReflector(options: OpenAiChatOptions): Reflector {
  const ask = createJsonAsker(options, {
    name: 'reflection',
    schema: MODEL_REFLECTION_JSON_SCHEMA,
  });
  return {
    model: options.model,
    promptVersion: REFLECTION_PROMPT_VERSION,
    reflect: async ({ cards, known }, signal) => {
      const shown = cards.slice(0, CARDS_SHOWN);
      const numbers = new Set(shown.map(({ n }) => n));
      const question = { system: SYSTEM, user: questionOf(shown, known.slice(0, KNOWN_SHOWN)) };
      const read = (object: object) => parseModelReflection(object, numbers);
      const { value, usage } = await ask(question, read, signal);
      const skills = value.skills.map(({ sources, ...skill }) => ({
        ...withOperations(skill, shown),
        sources,
      }));
      return { facts: value.facts, links: value.links, skills, usage };
    },
  };
}

function questionOf(shown: readonly ReflectedCard[], known: readonly string[]): string {
  const lines = known.map((text) => `- ${shortLine(text, KNOWN_LIMIT)}`);
  return [
    fenced('CARDS', shown.map(lineOf).join('\n')),
    ...(lines.length === 0 ? [] : [fenced('KNOWN ALREADY', lines.join('\n'))]),
    'Write what they show as one JSON object.',
  ].join('\n\n');
}

function lineOf({ n, kind, sign, summary, service, operation, agents }: ReflectedCard): string {
  const step = [service, operation].filter((name) => name !== null && name !== '').join('.');
  const marks = [kind, sign, ...(step === '' ? [] : [step]), `${agents} agents`];
  return `[${n}] (${shortLine(marks.join(', '), CARD_LIMIT)}) ${shortLine(summary, CARD_LIMIT)}`;
}
