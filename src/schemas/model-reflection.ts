import { z } from 'zod';
import { itemsOf, numberAmong, numberFrom, sourcesAmong, wordsOf } from './model-parts';
import { MODEL_SKILL_PROPERTIES, type ModelSkill, skillFields } from './model-skill';
import { type Fit, fitting } from './model-words';

export const REFLECTED_LINKS = ['supports', 'constrains', 'satisfies', 'conflicts'] as const;
export type ReflectedLink = (typeof REFLECTED_LINKS)[number];

export interface ModelFact {
  text: string;
  topic: string | null;
  /** Two or more. */
  sources: number[];
  /** 0–1. */
  confidence: number;
}

export interface ModelLink {
  from: number;
  to: number;
  type: ReflectedLink;
  /** 0–1. */
  confidence: number;
  reason: string;
}

/** What a model made of some cards; every number is one that a card was shown by. */
export interface ModelReflection {
  facts: ModelFact[];
  links: ModelLink[];
  skills: (ModelSkill & { sources: number[] })[];
}

const MOST = { facts: 12, links: 20, skills: 4 };
const TEXT = { least: 15, most: 240 };
const TOPIC_LENGTH = 60;
/** Seen once is an episode; a fact is what several saw. */
const LEAST_SOURCES = 2;

const numbers = { type: 'array', items: { type: 'integer' }, description: 'Numbers of cards.' };
const confidence = { type: 'number', description: '0 to 1.' };

function listOf(properties: Record<string, unknown>) {
  const required = Object.keys(properties);
  return {
    type: 'array',
    items: { type: 'object', properties, required, additionalProperties: false },
  };
}

/** Types only, as for cards. */
export const MODEL_REFLECTION_JSON_SCHEMA = {
  type: 'object',
  properties: {
    facts: listOf({
      text: { type: 'string', description: 'One stable statement, at most 240 characters.' },
      topic: { type: ['string', 'null'], description: 'Two to five words, or null.' },
      sources: numbers,
      confidence,
    }),
    links: listOf({
      from: { type: 'integer', description: 'Number of the newer card.' },
      to: { type: 'integer', description: 'Number of the older card.' },
      type: { type: 'string', description: `One of: ${REFLECTED_LINKS.join(', ')}.` },
      confidence,
      reason: { type: 'string', description: 'One clause.' },
    }),
    skills: listOf({ ...MODEL_SKILL_PROPERTIES, sources: numbers }),
  },
  required: ['facts', 'links', 'skills'],
  additionalProperties: false,
} as const;

/**
 * What a reflection found, without the items that do not fit. Empty lists are an answer; lists that
 * held something, and nothing that fits, are none.
 * @param shown the numbers of the cards that were shown
 */
export function parseModelReflection(
  object: object,
  shown: ReadonlySet<number>,
): Fit<ModelReflection> {
  const strict = fitting(reflectionSchema(shown, 'refused'), object);
  if ('value' in strict) return strict;
  const lenient = fitting(reflectionSchema(shown, 'taken'), object);
  const found = 'value' in lenient ? Object.values(lenient.value).flat().length : 0;
  return found > 0 ? lenient : strict;
}

function reflectionSchema(shown: ReadonlySet<number>, none: 'refused' | 'taken') {
  const share = numberFrom(0, 1);
  const fact = z.object({
    text: wordsOf(TEXT.least, TEXT.most),
    topic: wordsOf(2, TOPIC_LENGTH).nullable().catch(null),
    sources: sourcesAmong(shown, LEAST_SOURCES),
    confidence: share,
  });
  const end = numberAmong(shown)
    .refine((value) => value !== null, 'must be the number of a card')
    .transform(Number);
  const link = z
    .object({
      from: end,
      to: end,
      type: z.enum(REFLECTED_LINKS, `must be one of ${REFLECTED_LINKS.join(', ')}`),
      confidence: share,
      reason: wordsOf(3, TEXT.most),
    })
    .refine(({ from, to }) => from !== to, 'must link two cards');
  const skill = z.object({ ...skillFields(shown), sources: sourcesAmong(shown, 1) });
  return z.object({
    facts: itemsOf(fact, MOST.facts, none),
    links: itemsOf(link, MOST.links, none).transform(eachOnce),
    skills: itemsOf(skill, MOST.skills, none),
  });
}

function eachOnce(links: ModelLink[]): ModelLink[] {
  const seen = new Set<string>();
  return links.filter(({ from, to, type }) => {
    const link = `${from} ${type} ${to}`;
    return !seen.has(link) && seen.add(link).size > 0;
  });
}
