import { z } from 'zod';
import type { HoldSelector, LegalHold } from '../contracts/legal-hold';
import { remarkSchema } from './card';
import { listQuery } from './listing';
import { selectorSchema } from './selector';

export const holdSelectorSchema = selectorSchema(
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
