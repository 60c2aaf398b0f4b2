import { z } from 'zod';
import {
  ACTION_STATUSES,
  FOLLOW_UP_REFUSALS,
  type FollowUpAnswer,
  OUTCOME_RESULTS,
  UNMEASURED_CODES,
} from '../contracts/insight';
import { remarkSchema } from './card';
import { labelSchema, timeSchema } from './event';
import { windowSchema } from './insights';

/** A body may be left out altogether. */
export const measureSchema = z.strictObject({}).nullish();

/** `window` counts from when the action was taken, as that of the insight does. */
export const extendSchema = z
  .strictObject({ until: timeSchema.optional(), window: windowSchema.optional() })
  .refine(
    ({ until, window }) => (until === undefined) !== (window === undefined),
    'give either until or window',
  );

export const cancelSchema = z.strictObject({ reason: remarkSchema.optional() }).nullish();

/** Relative change: −0.18 is 18 % less. */
const MOST_SIZE = 1_000_000;

export const outcomeSchema = z.strictObject({
  action_id: labelSchema,
  result: z.enum(OUTCOME_RESULTS),
  size: z.number().min(-MOST_SIZE).max(MOST_SIZE).optional(),
  note: remarkSchema.optional(),
});
export type OutcomeBody = z.output<typeof outcomeSchema>;

export const followUpAnswerSchema = z.object({
  action_id: z.string(),
  status: z.enum(ACTION_STATUSES).nullable(),
  result: z.enum(OUTCOME_RESULTS).nullable(),
  measure_at: z.string().nullable(),
  code: z.enum([...UNMEASURED_CODES, ...FOLLOW_UP_REFUSALS]).nullable(),
}) satisfies z.ZodType<FollowUpAnswer>;
