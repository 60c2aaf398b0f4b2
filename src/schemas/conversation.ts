import { z } from 'zod';
import { CONVERSATION_STATUSES, type Conversation, MESSAGE_ROLES } from '../contracts/conversation';
import { idSchema, labelSchema, personalIdSchema, timeSchema } from './event';
import { listQuery, textFilter } from './listing';
import { wholeNumber } from './whole-number';

/** Of one call. */
export const MAX_MESSAGES = 500;

export const conversationParams = z.object({ id: labelSchema });
/** Of what is no number there is no message. */
export const messageParams = z.object({ id: labelSchema, n: labelSchema });

export const putConversationSchema = z
  .strictObject({
    subject: personalIdSchema.nullable().optional(),
    project: idSchema.nullable().optional(),
  })
  .nullish();

/** How long the text may be is said by the route: 413, and not 400. */
const messageSchema = z.strictObject({
  role: z.enum(MESSAGE_ROLES),
  content: z.string(),
  name: labelSchema.optional(),
  tool_call_id: labelSchema.optional(),
  at: timeSchema,
});

export const appendSchema = z.strictObject({
  messages: z.array(messageSchema).min(1).max(MAX_MESSAGES),
});

export const conversationListQuery = listQuery({
  status: z.enum(CONVERSATION_STATUSES).optional(),
  subject: personalIdSchema.optional(),
  project: textFilter,
});

export const messageListQuery = listQuery({});

/** Below it not even a short answer has room beside what is remembered. */
const LEAST_BUDGET = 256;

export const contextQuery = z.strictObject({
  budget_tokens: wholeNumber(LEAST_BUDGET, 2_000_000).optional(),
  if_context_version: z.string().max(200).optional(),
});

export const conversationSchema = z.object({
  id: z.string(),
  agent: z.string(),
  subject: z.string().nullable(),
  project: z.string().nullable(),
  status: z.enum(CONVERSATION_STATUSES),
  messages: z.int(),
  tokens: z.int(),
  summarized_through: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
  closed_at: z.string().nullable(),
  archived_at: z.string().nullable(),
}) satisfies z.ZodType<Conversation>;

export const appendedSchema = z.object({
  conversation_id: z.string(),
  disposition: z.enum(['kept', 'mode_off', 'sensitive']),
  reason: z.string().nullable(),
  accepted: z.int(),
  first: z.int().nullable(),
  last: z.int().nullable(),
  operation_id: z.string().nullable(),
});

export const closedSchema = conversationSchema.extend({ operation_id: z.string().nullable() });

export const storedMessageSchema = z.object({
  n: z.int(),
  role: z.enum(MESSAGE_ROLES),
  content: z.string().nullable(),
  cleared: z.boolean(),
  name: z.string().nullable(),
  tool_call_id: z.string().nullable(),
  at: z.string(),
  recorded_at: z.string(),
  tokens: z.int(),
  extracted: z.string().nullable(),
});

export const contextSchema = z.object({
  messages: z.array(
    z.object({
      role: z.enum(MESSAGE_ROLES),
      content: z.string(),
      name: z.string().optional(),
      tool_call_id: z.string().optional(),
    }),
  ),
  tokens: z.int(),
  summary: z
    .object({
      text: z.string(),
      through: z.int(),
      version: z.int(),
      written_by: z.enum(['model', 'fallback']),
    })
    .nullable(),
  facts: z.array(
    z.object({
      id: z.string(),
      text: z.string(),
      confidence: z.number(),
      recorded_at: z.string(),
    }),
  ),
  context_version: z.string(),
  recall_id: z.string().nullable(),
  degraded: z.array(z.string()).optional(),
});
