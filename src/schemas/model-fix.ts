import { z } from 'zod';
import { cleanText } from '../domain/clean-text';
import { looksLikeInstruction } from '../domain/distill/instruction-like';
import { type Fit, fitting } from './model-words';

const LENGTH = { least: 20, most: 600 };

/** What a provider is told to answer with; types only, as for cards. */
export const MODEL_FIX_JSON_SCHEMA = {
  type: 'object',
  properties: {
    fix: { type: 'string', description: 'What to change, in one or two sentences.' },
    summary: { type: 'string', description: 'What went wrong, in one or two sentences.' },
  },
  required: ['fix', 'summary'],
  additionalProperties: false,
} as const;

const sentences = z
  .string('must be a string')
  .transform((text) => cleanText(text).replace(/\s+/g, ' ').trim())
  .refine(
    (text) => text.length >= LENGTH.least && text.length <= LENGTH.most,
    `must be ${LENGTH.least} to ${LENGTH.most} characters`,
  )
  .refine((text) => !/^[[{]/.test(text), 'must be plain sentences, not JSON')
  .refine((text) => !looksLikeInstruction(text), 'must not address its reader as an instruction');

const modelFixSchema = z.object({ fix: sentences, summary: sentences });

/** A model's words for a fix, or what is wrong with them in words that a repair can be asked by. */
export function parseModelFix(object: object): Fit<{ fix: string; summary: string }> {
  return fitting(modelFixSchema, object);
}
