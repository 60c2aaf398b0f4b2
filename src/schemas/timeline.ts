import { z } from 'zod';
import { WORKFLOW_TYPES } from '../contracts/names';
import {
  STEP_KINDS,
  STEP_STATUSES,
  TIMELINE_STATUSES,
  type Timeline,
  type TimelineStep,
} from '../contracts/timeline';
import { labelSchema } from './event';

/** Of Temporal; a control character stands in none of ours. */
const workflowIdSchema = z
  .string()
  .regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]{1,1000}$/u, 'must be 1 to 1000 printable characters');

export const timelineQuery = z.strictObject({
  workflow_id: workflowIdSchema,
  run_id: labelSchema.optional(),
});

const status = z.enum(TIMELINE_STATUSES);

const stepSchema = z.object({
  at: z.string(),
  ended_at: z.string().nullable(),
  kind: z.enum(STEP_KINDS),
  name: z.string(),
  status: z.enum(STEP_STATUSES),
  attempts: z.int(),
  failure: z.object({ code: z.string(), message: z.string() }).nullable(),
  detail: z.string().nullable(),
}) satisfies z.ZodType<TimelineStep>;

export const timelineSchema = z.object({
  workflow_id: z.string(),
  run_id: z.string(),
  type: z.enum(WORKFLOW_TYPES),
  status,
  started_at: z.string(),
  closed_at: z.string().nullable(),
  events: z.int(),
  steps: z.array(stepSchema),
  truncated: z.boolean(),
  runs: z.array(z.object({ run_id: z.string(), status, started_at: z.string() })),
  ui: z.string().nullable(),
}) satisfies z.ZodType<Timeline>;
