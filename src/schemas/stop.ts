import { z } from 'zod';
import { CARD_KINDS, CARD_STATUSES } from '../contracts/names';
import { type CardStop, STOP_ACTIONS } from '../contracts/stop';
import { remarkSchema } from './card';

/** A body may be left out altogether: then the card alone is quarantined. */
export const stopBodySchema = z
  .strictObject({
    derived: z.boolean().default(false),
    action: z.enum(STOP_ACTIONS).default('quarantine'),
    reason: remarkSchema.optional(),
    dry_run: z.boolean().default(false),
  })
  .nullish()
  .transform((body) => body ?? { derived: false, action: 'quarantine' as const, dry_run: false });

export type StopBody = {
  derived: boolean;
  action: (typeof STOP_ACTIONS)[number];
  dry_run: boolean;
  reason?: string | undefined;
};

const stoppedCard = z.object({
  id: z.string(),
  kind: z.enum(CARD_KINDS),
  was: z.enum(CARD_STATUSES),
  status: z.enum(CARD_STATUSES),
  changed: z.boolean(),
  relation: z.enum(['derived_from', 'supersedes']).nullable(),
  from: z.string().nullable(),
  generation: z.int(),
  changed_at: z.string(),
});

export const cardStopSchema = z.object({
  action: z.enum(STOP_ACTIONS),
  dry_run: z.boolean(),
  cards: z.array(stoppedCard),
  counts: z.object({ cards: z.int(), changed: z.int(), unchanged: z.int() }),
  recounted: z.int(),
  injected: z.object({
    recalls: z.int(),
    agents: z.array(
      z.object({ agent: z.string().nullable(), recalls: z.int(), last_at: z.string() }),
    ),
  }),
  proposals: z.array(z.string()),
}) satisfies z.ZodType<CardStop>;
