import { z } from 'zod';
import { SOURCE_KINDS, type Source } from '../contracts/source';
import { remarkSchema } from './card';
import { flagFilter, listQuery } from './listing';

/** A label, and the longest kind before it. */
const LONGEST_ID = 200 + 'runtime:'.length;

/** Which source it names, and whether it names one, is said where it is looked for. */
export const sourceParams = z.object({ id: z.string().max(LONGEST_ID) });

export const putSourceSchema = z.strictObject({
  stopped: z.boolean(),
  reason: remarkSchema.optional(),
});

export const sourceListQuery = listQuery({
  kind: z.enum(SOURCE_KINDS).optional(),
  stopped: flagFilter,
});

export const sourceSchema = z.object({
  id: z.string(),
  kind: z.enum(SOURCE_KINDS),
  name: z.string(),
  stopped: z.boolean(),
  reason: z.string().nullable(),
  changed_at: z.string().nullable(),
}) satisfies z.ZodType<Source>;
