import { z } from 'zod';
import { itemsOf, numberAmong, numberFrom, optionalItemsOf, wordsOf } from './model-parts';
import { cut, type Fit, fitting, plainWords } from './model-words';

/** Why a task is as new as it was scored: the codes that a history may hold. */
export const NOVELTY_REASONS = [
  'routine',
  'known_skill',
  'new_service',
  'new_sequence',
  'recovery',
] as const;
export type NoveltyReason = (typeof NOVELTY_REASONS)[number];

/** A procedure in a model's words. `source` is the number of the step or card that it comes from. */
export interface ModelSkill {
  /** Words of lower-case Latin letters and digits, joined by hyphens: at most 64 characters. */
  name: string;
  purpose: string;
  preconditions: string[];
  steps: { text: string; source: number | null }[];
  failure_handling: { when: string; then: string; source: number | null }[];
  causes: string[];
}

const NAME_LENGTH = 64;
const TEXT = { least: 8, most: 240 };
const MOST = { steps: 12, preconditions: 6, failures: 8, causes: 6 };

const strings = (description: string) => ({
  type: 'array',
  items: { type: 'string' },
  description,
});
const source = { type: ['integer', 'null'], description: 'Number of what it comes from, or null.' };

/** Types only, as for cards. */
export const MODEL_SKILL_PROPERTIES = {
  name: { type: 'string', description: 'Two to six lower-case words joined by hyphens.' },
  purpose: { type: 'string', description: 'What it achieves and when to use it, one sentence.' },
  preconditions: strings('What has to hold before the first step; often few.'),
  steps: {
    type: 'array',
    items: {
      type: 'object',
      properties: { text: { type: 'string' }, source },
      required: ['text', 'source'],
      additionalProperties: false,
    },
    description: 'In order, at most twelve.',
  },
  failure_handling: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        when: { type: 'string' },
        then: { type: 'string' },
        source,
      },
      required: ['when', 'then', 'source'],
      additionalProperties: false,
    },
    description: 'What may go wrong, and what to do then.',
  },
  causes: strings('Usual causes of the trouble that the skill is about; often none.'),
} as const;

export const MODEL_SKILL_JSON_SCHEMA = {
  type: 'object',
  properties: {
    ...MODEL_SKILL_PROPERTIES,
    description: { type: 'string', description: 'One line for a list of skills.' },
  },
  required: [...Object.keys(MODEL_SKILL_PROPERTIES), 'description'],
  additionalProperties: false,
} as const;

export const MODEL_NOVELTY_JSON_SCHEMA = {
  type: 'object',
  properties: {
    novelty: { type: 'integer', description: '1 to 10.' },
    reason_code: { type: 'string', description: `One of: ${NOVELTY_REASONS.join(', ')}.` },
  },
  required: ['novelty', 'reason_code'],
  additionalProperties: false,
} as const;

const nameSchema = z
  .string('must be a string')
  .transform((text) =>
    cut(plainWords(text).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase(), 200)
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, NAME_LENGTH)
      .replace(/^-+|-+$/g, ''),
  )
  .refine((name) => /[a-z]{2}/.test(name), 'must be lower-case words joined by hyphens');

/**
 * The fields of a skill.
 * @param numbers of the steps or cards that were shown
 */
export function skillFields(numbers: ReadonlySet<number>) {
  const words = wordsOf(TEXT.least, TEXT.most);
  const source = numberAmong(numbers);
  const step = z.union([
    z.object({ text: words, source }),
    words.transform((text) => ({ text, source: null })),
  ]);
  const failure = z.object({
    when: words,
    then: words,
    source,
  });
  return {
    name: nameSchema,
    purpose: words,
    preconditions: optionalItemsOf(words, MOST.preconditions),
    steps: itemsOf(step, MOST.steps).refine((steps) => steps.length > 0, 'must hold a step'),
    failure_handling: optionalItemsOf(failure, MOST.failures),
    causes: optionalItemsOf(words, MOST.causes),
  };
}

export function parseModelSkill(
  object: object,
  numbers: ReadonlySet<number>,
): Fit<ModelSkill & { description: string }> {
  const description = wordsOf(TEXT.least, TEXT.most);
  return fitting(z.object({ ...skillFields(numbers), description }), object);
}

/** How new a task is; a reason that is none of ours is left out. */
export function parseModelNovelty(
  object: object,
): Fit<{ novelty: number; reason_code?: NoveltyReason }> {
  const schema = z
    .object({
      novelty: numberFrom(1, 10).transform(Math.round),
      reason_code: z.enum(NOVELTY_REASONS).nullable().catch(null),
    })
    .transform(({ novelty, reason_code }) => ({
      novelty,
      ...(reason_code === null ? {} : { reason_code }),
    }));
  return fitting(schema, object);
}
