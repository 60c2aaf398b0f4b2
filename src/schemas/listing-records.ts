import { z } from 'zod';
import type { AccessRow, AuditRow } from '../contracts/audit';
import type { CompetenceRecord } from '../contracts/competence';
import type { EventRecord } from '../contracts/event';
import {
  DISPOSITIONS,
  EVENT_KINDS,
  EXECUTION_MODES,
  OPERATION_STATES,
  OUTCOMES,
  VIAS,
} from '../contracts/names';
import type { Operation } from '../contracts/run';
import { jsonObjectSchema } from './event';

const time = z.string();

export const auditRowSchema = z.object({
  seq: z.int(),
  at: time,
  actor: z.object({ kind: z.string(), id: z.string() }),
  action: z.string(),
  target: z.object({ type: z.string(), id: z.string() }),
  changed: z.array(z.string()),
  versions: z.array(z.int()),
  hashes: jsonObjectSchema,
  reason_id: z.string().nullable(),
  channel: z.string(),
  workflow_id: z.string().nullable(),
});

export const accessRowSchema = z.object({
  id: z.int(),
  at: time,
  agent: z.string().nullable(),
  person: z.string().nullable(),
  execution_mode: z.enum(EXECUTION_MODES),
  session: z.string().nullable(),
  via: z.enum(VIAS),
  surface: z.string(),
  count: z.int(),
  card_ids: z.array(z.string()),
});

export const competenceSchema = z.object({
  agent: z.string(),
  task_type: z.string(),
  attempts: z.int(),
  completed: z.int(),
  completion_rate: z.number(),
  lower_bound: z.number(),
  lower_bound_now: z.number(),
  cost_total: z.number(),
  cost_mean: z.number().nullable(),
  duration_ms_mean: z.number().nullable(),
  last_at: time,
  card_id: z.string().nullable(),
});

const operationFields = z.looseObject({
  id: z.string(),
  type: z.string(),
  state: z.enum(OPERATION_STATES),
  result: jsonObjectSchema.nullable(),
  error: z.string().nullable(),
  workflow_id: z.string(),
  run_id: z.string().nullable(),
  started_at: time.nullable(),
  finished_at: time.nullable(),
});

/** A field that is not listed passes too. */
export const operationSchema = operationFields as unknown as z.ZodType<Operation, Operation>;

/** Of an event that was not to be remembered, nothing but its id, its agent and its disposition is known. */
export const eventRecordSchema = z.object({
  event_id: z.string(),
  agent: z.string(),
  kind: z.enum(EVENT_KINDS).nullable(),
  outcome: z.enum(OUTCOMES).nullable(),
  occurred_at: time.nullable(),
  recorded_at: time,
  event: jsonObjectSchema.nullable(),
  disposition: z.enum(DISPOSITIONS),
  reason: z.string().nullable(),
  card_id: z.string().nullable(),
  operation_id: z.string(),
  redactions: z.record(z.string(), z.number()),
  needs_distill: z.boolean(),
});

// A field of a wire type is a field of its schema.
type Covers<Schema extends z.ZodType, Wire> = keyof Wire extends keyof z.output<Schema>
  ? true
  : never;
const covered: [
  Covers<typeof auditRowSchema, AuditRow>,
  Covers<typeof accessRowSchema, AccessRow>,
  Covers<typeof competenceSchema, CompetenceRecord>,
  Covers<typeof eventRecordSchema, EventRecord>,
  Covers<typeof operationFields, Operation>,
] = [true, true, true, true, true];
void covered;
