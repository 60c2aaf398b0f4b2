import { z } from 'zod';
import type { HoldSelector, LegalHold } from '../contracts/legal-hold';
import { remarkSchema } from './card';
import { labelSchema } from './event';
import { listQuery } from './listing';

/** One hold names this many events or cards at the most; more are another hold. */
const MOST_NAMED = 1_000;

const named = z.array(labelSchema).min(1).max(MOST_NAMED);

export const holdSelectorSchema = z
  .strictObject({
    subject: labelSchema.exactOptional(),
    person: labelSchema.exactOptional(),
    agent: labelSchema.exactOptional(),
    source: labelSchema.exactOptional(),
    project: labelSchema.exactOptional(),
    event_ids: named.exactOptional(),
    card_ids: named.exactOptional(),
  })
  .refine(
    (selector) => Object.keys(selector).length > 0,
    'must name something: a hold on nothing keeps nothing',
  );

export const putHoldSchema = z.strictObject({
  selector: holdSelectorSchema,
  reason: remarkSchema,
});
export type HoldBody = z.output<typeof putHoldSchema>;

export const holdListQuery = listQuery({});

export const holdSchema = z.object({
  id: z.string(),
  selector: z.object({
    subject: z.string().exactOptional(),
    person: z.string().exactOptional(),
    agent: z.string().exactOptional(),
    source: z.string().exactOptional(),
    project: z.string().exactOptional(),
    event_ids: z.array(z.string()).exactOptional(),
    card_ids: z.array(z.string()).exactOptional(),
  }) satisfies z.ZodType<HoldSelector>,
  reason: z.string().nullable(),
  set_by: z.string(),
  created_at: z.string(),
  changed_at: z.string(),
}) satisfies z.ZodType<LegalHold>;
