import { z } from 'zod';
import { SCOPE_TYPES } from '../contracts/names';
import { RUN_CHANGES } from '../contracts/passes';
import { NOT_UNDONE, type Run, type RunChangeLine, type RunDetail } from '../contracts/run';
import { jsonObjectSchema, labelSchema } from './event';

const time = z.string();

export const RUN_STATUSES = ['running', 'completed', 'partial', 'failed'] as const;

const atMost = z.int().min(1).max(10_000_000).optional();

/** What a pass may spend; what is left out is bounded by the policy alone. */
const budgetSchema = z.strictObject({ cards: atMost, calls: atMost, tokens: atMost });

export const passBody = z.strictObject({
  scope: z.strictObject({ type: z.enum(SCOPE_TYPES), id: labelSchema }).optional(),
  dry_run: z.boolean().default(false),
  budget: budgetSchema.optional(),
});
export type PassBody = z.output<typeof passBody>;

/** What was redacted less once is redacted as it would be today. */
export const rescanBody = z.strictObject({ dry_run: z.boolean().default(false) }).nullish();

export const askedPassSchema = z.object({ operation_id: z.string() });

/** `type:id` in a query. */
export const scopeFilter = z
  .string()
  .max(300)
  .regex(/^(agent|team|workspace):./, 'is a type and an id, such as team:support')
  .transform((text) => {
    const [type = '', ...id] = text.split(':');
    return { type: type as (typeof SCOPE_TYPES)[number], id: id.join(':') };
  })
  .optional();

export const runSchema = z.object({
  id: z.string(),
  type: z.string(),
  scope: z.object({ type: z.string(), id: z.string() }).nullable(),
  status: z.enum(RUN_STATUSES),
  error: z.string().nullable(),
  counts: jsonObjectSchema,
  cost: z.number(),
  workflow_id: z.string(),
  run_id: z.string().nullable(),
  started_at: time.nullable(),
  finished_at: time.nullable(),
  dry_run: z.boolean(),
  budget: z
    .object({
      cards: z.number().optional(),
      calls: z.number().optional(),
      tokens: z.number().optional(),
    })
    .nullable(),
  versions: jsonObjectSchema,
  parent_id: z.string().nullable(),
  day: z.string().nullable(),
  paused: z.boolean(),
  asked_by: z.string().nullable(),
  undone_at: time.nullable(),
});

export const runChangeSchema = z.object({
  run_id: z.string(),
  n: z.int(),
  change: z.enum(RUN_CHANGES),
  card_id: z.string().nullable(),
  version_before: z.int().nullable(),
  version_after: z.int().nullable(),
  related: z.array(z.string()),
  reason: z.string().nullable(),
  at: time,
  undone_at: time.nullable(),
  not_undone: z.enum(NOT_UNDONE).nullable(),
});

export const runDetailSchema = runSchema.extend({
  result: jsonObjectSchema.nullable(),
  diff: z.array(runChangeSchema),
  diff_capped: z.boolean(),
  drafts: z.array(
    z.object({
      run_id: z.string(),
      part: z.string(),
      sources: z.array(z.string()),
      draft: jsonObjectSchema,
    }),
  ),
});

export const runUndoneSchema = z.object({
  undone: z.int(),
  not_undone: z.array(
    z.object({
      card_id: z.string().nullable(),
      related: z.array(z.string()),
      reason: z.enum(NOT_UNDONE),
    }),
  ),
  done: z.boolean(),
});

// A field of a wire type is a field of its schema.
type Covers<Schema extends z.ZodType, Wire> = keyof Wire extends keyof z.output<Schema>
  ? true
  : never;
const covered: [
  Covers<typeof runSchema, Run>,
  Covers<typeof runDetailSchema, RunDetail>,
  Covers<typeof runChangeSchema, RunChangeLine>,
] = [true, true, true];
void covered;
