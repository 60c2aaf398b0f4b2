import { z } from 'zod';
import { CARD_STATUSES, PRINCIPAL_KINDS } from '../contracts/names';
import {
  PENDING_WRITE_STATUSES,
  PENDING_WRITE_TYPES,
  type PendingWrite,
} from '../contracts/pending-write';
import { remarkSchema, severalOf } from './card';
import { heldForSchema } from './card-answers';
import { listQuery, textFilter } from './listing';

/** `status` may be given more than once; `agent` is who posted it. */
export const pendingWriteListQuery = listQuery({
  status: severalOf(PENDING_WRITE_STATUSES),
  agent: textFilter,
});

export const pendingDecisionSchema = z.strictObject({
  accept: z.boolean(),
  reason: remarkSchema.optional(),
});

/** What a route answers whose write waits. */
export const heldWriteSchema = z.object({ pending_write_id: z.string() });

const text = z.string().nullable();

export const pendingWriteSchema = z.object({
  id: z.string(),
  type: z.enum(PENDING_WRITE_TYPES),
  status: z.enum(PENDING_WRITE_STATUSES),
  agent: z.string(),
  parent: text,
  session: text,
  write: z.looseObject({ summary: z.string() }).nullable(),
  created_at: z.string(),
  expires_at: z.string(),
  decided_at: text,
  decided_by: z.object({ kind: z.enum(PRINCIPAL_KINDS), id: z.string() }).nullable(),
  reason: text,
  card_id: text,
  card: z.object({ status: z.enum(CARD_STATUSES), reason: heldForSchema }).exactOptional(),
}) satisfies z.ZodType<PendingWrite>;
