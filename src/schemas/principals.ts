import { z } from 'zod';
import { MEMORY_MODES, PERSON_ROLES, PRINCIPAL_KINDS } from '../contracts/names';
import type {
  Agent,
  AgentGroup,
  ApiKey,
  Person,
  Project,
  Subject,
  Team,
  Workspace,
} from '../contracts/principal';
import { DAY_MS, durationMs, isDuration } from '../domain/durations';
import { idSchema, labelSchema, timeSchema } from './event';

/** Bodies of PUT: a field left out stays as it is, null empties it. */

export const workspaceIdSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be 1 to 40 of a-z 0-9 - and not start with -');

export const putWorkspaceSchema = z.strictObject({
  name: labelSchema.optional(),
  memory_mode: z.enum(MEMORY_MODES).optional(),
});

export const newWorkspaceSchema = z.strictObject({ id: workspaceIdSchema, name: labelSchema });

export const putPersonSchema = z.strictObject({
  name: labelSchema,
  email: z.email().max(320).nullable().optional(),
  role: z.enum(PERSON_ROLES),
  subject: idSchema.nullable().optional(),
});

export const putTeamSchema = z.strictObject({ name: labelSchema });

export const putAgentSchema = z.strictObject({
  team: idSchema.nullable().optional(),
  parent_agent: idSchema.nullable().optional(),
  agent_type: labelSchema.nullable().optional(),
  memory_mode: z.enum(MEMORY_MODES).optional(),
  restricted: z.boolean().optional(),
  succeeds: idSchema.nullable().optional(),
  writes_stopped: z.boolean().optional(),
});

/** More agents than this are a team. */
const MAX_MEMBERS = 1000;
export const putAgentGroupSchema = z.strictObject({
  members: z.array(idSchema).max(MAX_MEMBERS),
});

export const putSubjectSchema = z.strictObject({
  name: labelSchema.nullable().optional(),
  kind: labelSchema.nullable().optional(),
  household: idSchema.nullable().optional(),
  memory: z.enum(['on', 'off']).optional(),
  redact_name: z.boolean().optional(),
});

export const putProjectSchema = z.strictObject({ name: labelSchema.nullable().optional() });

/** A rate above the policy's changes nothing. */
const keyRate = z.int().min(1).max(1_000_000);

export const newKeySchema = z.strictObject({
  principal: z.strictObject({ kind: z.enum(PRINCIPAL_KINDS), id: idSchema }),
  name: labelSchema.optional(),
  expires_at: timeSchema.optional(),
  requests_per_minute: keyRate.optional(),
});

/** Long enough for every process that has the old key to be given the new one. */
const LONGEST_GRACE_MS = 30 * DAY_MS;
const grace = z
  .string()
  .refine(isDuration, 'must be an ISO 8601 duration of weeks, days and time, such as PT1H')
  .refine(
    (text) => !isDuration(text) || durationMs(text) <= LONGEST_GRACE_MS,
    'must be at most P30D',
  );

/** What is left out stays as the old key has it. */
export const rotateKeySchema = z
  .strictObject({
    grace: grace.optional().describe('How long the old key stays good; PT0S when left out'),
    expires_at: timeSchema.nullable().optional(),
    requests_per_minute: keyRate.nullable().optional(),
  })
  .nullish();

const time = z.string();
const id = z.string();

export const workspaceSchema = z.object({
  id,
  name: z.string(),
  memory_mode: z.enum(MEMORY_MODES),
  created_at: time,
});

/** `owner_key` is shown once: a repetition of the request answers without it. */
export const madeWorkspaceSchema = z.object({ id, owner_key: z.string().optional() });

export const personSchema = z.object({
  id,
  name: z.string(),
  email: z.string().nullable(),
  role: z.enum(PERSON_ROLES),
  subject: z.string().nullable(),
  created_at: time,
});

export const teamSchema = z.object({ id, name: z.string(), created_at: time });

export const agentSchema = z.object({
  id,
  team: z.string().nullable(),
  parent_agent: z.string().nullable(),
  depth: z.int(),
  agent_type: z.string().nullable(),
  memory_mode: z.enum(MEMORY_MODES),
  restricted: z.boolean(),
  succeeds: z.string().nullable(),
  writes_stopped: z.boolean(),
  created_at: time,
});

export const agentGroupSchema = z.object({ id, members: z.array(z.string()), created_at: time });

export const subjectSchema = z.object({
  id,
  name: z.string().nullable(),
  kind: z.string().nullable(),
  household: z.string().nullable(),
  memory: z.enum(['on', 'off']),
  redact_name: z.boolean(),
  created_at: time,
});

export const projectSchema = z.object({
  id,
  name: z.string().nullable(),
  status: z.enum(['open', 'closed']),
  closed_at: time.nullable(),
  created_at: time,
});

export const apiKeySchema = z.object({
  id,
  principal: z.object({ kind: z.enum(PRINCIPAL_KINDS), id }),
  name: z.string().nullable(),
  created_at: time,
  expires_at: time.nullable(),
  revoked_at: time.nullable(),
  last_used_at: time.nullable(),
  requests_per_minute: z.int().nullable(),
  replaces: z.string().nullable(),
});

/** `key` is shown once: a repetition of the request answers without it. */
export const madeKeySchema = apiKeySchema.extend({ key: z.string().optional() });

// A field of a wire type is a field of its schema.
type Covers<Schema extends z.ZodType, Wire> = z.output<Schema> extends Wire ? true : never;
const covered: [
  Covers<typeof workspaceSchema, Workspace>,
  Covers<typeof personSchema, Person>,
  Covers<typeof teamSchema, Team>,
  Covers<typeof agentSchema, Agent>,
  Covers<typeof agentGroupSchema, AgentGroup>,
  Covers<typeof subjectSchema, Subject>,
  Covers<typeof projectSchema, Project>,
  Covers<typeof apiKeySchema, ApiKey>,
] = [true, true, true, true, true, true, true, true];
void covered;
