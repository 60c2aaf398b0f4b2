import { z } from 'zod';
import { finish, sentences } from '../domain/distill/plain-text';
import { wordsOf } from './model-parts';
import { type Fit, fitting } from './model-words';

/** With the full stop that ends it. */
const LENGTH = { least: 15, most: 240 };

/** Types only, as for cards. */
export const MODEL_ADVICE_JSON_SCHEMA = {
  type: 'object',
  properties: {
    reflection: {
      type: 'string',
      description: 'One sentence on what to do differently next time, at most 240 characters.',
    },
  },
  required: ['reflection'],
  additionalProperties: false,
} as const;

/** The one sentence that a failure becomes. */
export function parseModelAdvice(object: object): Fit<{ reflection: string }> {
  const reflection = wordsOf(LENGTH.least, LENGTH.most - 1)
    .refine((text) => sentences(text).length === 1, 'must be one sentence')
    .transform(finish);
  return fitting(z.object({ reflection }), object);
}
