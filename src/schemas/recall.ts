import { z } from 'zod';
import { CARD_KINDS, INTENTS, RECALL_PROFILES, SIGNS } from '../contracts/names';
import { idSchema, jsonObjectSchema, labelSchema, timeSchema } from './event';

const oneOrMore = <T extends z.ZodType>(schema: T) => z.union([schema, z.array(schema).min(1)]);

export const recallFiltersSchema = z.strictObject({
  kind: oneOrMore(z.enum(CARD_KINDS)).optional(),
  sign: oneOrMore(z.enum(SIGNS)).optional(),
  service: labelSchema.optional(),
  operation: labelSchema.optional(),
  workflow: labelSchema.optional(),
  step: labelSchema.optional(),
  subject: idSchema.optional(),
  topic: labelSchema.optional(),
  project: idSchema.optional(),
  session: labelSchema.optional(),
  since: timeSchema.optional(),
  until: timeSchema.optional(),
  key: idSchema.optional(),
  metadata: jsonObjectSchema.optional(),
});

/** `limit` to 50: a context of more cards than that is a transcript. */
export const recallSchema = z.strictObject({
  query: z.string().max(20_000),
  intent: z.enum(INTENTS).optional(),
  profile: z.enum(RECALL_PROFILES).optional(),
  limit: z.int().min(1).max(50).optional(),
  budget_tokens: z.int().min(1).max(100_000).optional(),
  as_of: timeSchema.optional(),
  known_at: timeSchema.optional(),
  project: idSchema.optional(),
  filters: recallFiltersSchema.optional(),
  if_context_version: z.string().max(200).optional(),
  explain: z.boolean().optional(),
});

export const feedbackSchema = z.strictObject({
  card_id: idSchema,
  useful: z.boolean(),
});
