import { z } from 'zod';
import { CARD_STATUSES, SCOPE_TYPES } from '../contracts/names';
import { scopeSchema, summarySchema } from './card';
import { heldForSchema } from './card-answers';
import { idSchema } from './event';
import { listQuery } from './listing';

export const noteParams = z.object({ key: idSchema });

export const noteSchema = z.strictObject({ value: summarySchema, scope: scopeSchema.optional() });

/** A scope in a query: its type, and its id unless it is the workspace's. */
export const scopeInQuery = {
  scope_type: z.enum(SCOPE_TYPES).optional(),
  scope_id: idSchema.optional(),
};

export const noteQuery = z.strictObject(scopeInQuery);
export const noteListQuery = listQuery(scopeInQuery);

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
});

export const writtenNoteSchema = noteAnswerSchema.extend({ reason: heldForSchema });
