import { z } from 'zod';
import { itemsOf, numberAmong, wordsOf } from './model-parts';
import { type Fit, fitting } from './model-words';

const MOST_FACTS = 20;
const LENGTH = { least: 8, most: 240 };

/** Types only, as for cards. */
export const MODEL_FACTS_JSON_SCHEMA = {
  type: 'object',
  properties: {
    facts: {
      type: 'array',
      description: 'At most twenty; none where nothing lasts.',
      items: {
        type: 'object',
        properties: {
          text: { type: 'string', description: 'One sentence, at most 200 characters.' },
          source: { type: 'integer', description: 'Number of the message that says it.' },
        },
        required: ['text', 'source'],
        additionalProperties: false,
      },
    },
  },
  required: ['facts'],
  additionalProperties: false,
} as const;

/**
 * The facts of an answer; one that is in no message of the user is left out.
 * @param numbers of the user's messages
 */
export function parseModelFacts(
  object: object,
  numbers: ReadonlySet<number>,
): Fit<{ facts: { text: string; source: number }[] }> {
  const source = numberAmong(numbers).refine(
    (value) => value !== null,
    'must be the number of a message of the user',
  );
  const fact = z.object({ text: wordsOf(LENGTH.least, LENGTH.most), source });
  const facts = itemsOf(fact, MOST_FACTS).transform((found) =>
    found.flatMap(({ text, source: n }) => (n === null ? [] : [{ text, source: n }])),
  );
  return fitting(z.object({ facts }), object);
}
