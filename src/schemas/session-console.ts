import { z } from 'zod';
import type { ConsoleSession } from '../contracts/console';
import { MEMORY_MODES, PERSON_ROLES, PRINCIPAL_KINDS } from '../contracts/names';

/** A key as it was shown; what is longer is none. */
const LONGEST_KEY = 500;

export const signInSchema = z.strictObject({
  key: z.string().regex(/^\S+$/, 'is a key as it was shown, without spaces').max(LONGEST_KEY),
});

export const consoleSessionSchema = z.object({
  workspace: z.object({ id: z.string(), name: z.string(), memory_mode: z.enum(MEMORY_MODES) }),
  principal: z.object({
    kind: z.enum(PRINCIPAL_KINDS),
    id: z.string(),
    name: z.string().nullable(),
    role: z.enum(PERSON_ROLES).nullable(),
    installation: z.boolean(),
  }),
  allowed: z.array(z.string()),
  csrf: z.string().nullable(),
  expires_at: z.string().nullable(),
  temporal: z.object({ ui: z.string().nullable(), namespace: z.string() }).nullable(),
  version: z.string(),
  timezone: z.string(),
}) satisfies z.ZodType<ConsoleSession>;
