import { z } from 'zod';
import { CARD_STATUSES, SCOPE_TYPES } from '../contracts/names';
import { metadataSchema, scopeSchema, summarySchema } from './card';
import { heldForSchema } from './card-answers';
import { idSchema, jsonObjectSchema } from './event';
import { listQuery } from './listing';

export const noteParams = z.object({ key: idSchema });

/** Metadata that is left out stays as it was. */
export const noteSchema = z.strictObject({
  value: summarySchema,
  metadata: metadataSchema.optional(),
  scope: scopeSchema.optional(),
});

/** A scope in a query: its type, and its id unless it is the workspace's. */
export const scopeInQuery = {
  scope_type: z.enum(SCOPE_TYPES).optional(),
  scope_id: idSchema.optional(),
};

export const noteQuery = z.strictObject(scopeInQuery);

/** A JSON object as text in a query. */
const metadataFilter = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: 'must be a JSON object' });
      return z.NEVER;
    }
  })
  .pipe(metadataSchema)
  .optional();

/** `metadata` is contained in the note's own. */
export const noteListQuery = listQuery({ ...scopeInQuery, metadata: metadataFilter });

export const noteAnswerSchema = z.object({
  key: z.string(),
  value: z.string(),
  card_id: z.string(),
  scope: z.object({ type: z.enum(SCOPE_TYPES), id: z.string() }),
  subject: z.string().nullable(),
  status: z.enum(CARD_STATUSES),
  version: z.number(),
  valid_from: z.string(),
  recorded_at: z.string(),
  updated_at: z.string(),
  metadata: jsonObjectSchema,
});

export const writtenNoteSchema = noteAnswerSchema.extend({ reason: heldForSchema });
