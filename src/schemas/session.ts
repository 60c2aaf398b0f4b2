import { z } from 'zod';
import type { BlackboardEntry, Session } from '../contracts/session';
import { SESSION_STATUSES } from '../contracts/session';
import { idSchema, jsonSchema, labelSchema } from './event';
import { listQuery } from './listing';

export const sessionParams = z.object({ session: labelSchema });
export const entryParams = sessionParams.extend({ key: idSchema });
export const entriesQuery = listQuery({});

/** `value` has to be there, and may be null. */
export const entrySchema = z.strictObject({ value: jsonSchema });

export const sessionSchema = z.object({
  id: z.string(),
  root_agent: z.string(),
  status: z.enum(SESSION_STATUSES),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  keys: z.int(),
  bytes: z.int(),
}) satisfies z.ZodType<Session>;

export const entryAnswerSchema = z.object({
  key: z.string(),
  value: jsonSchema,
  version: z.int(),
  writer: z.object({ kind: z.enum(['person', 'agent']), id: z.string() }),
  created_at: z.string(),
  updated_at: z.string(),
}) satisfies z.ZodType<BlackboardEntry>;
