import { z } from 'zod';
import {
  ERASURE_ENDS,
  ERASURE_STATUSES,
  type Erasure,
  type ErasureReceipt,
  type ErasureSelector,
  NAMED_FOR_ERASURE,
  TOMBSTONE_KINDS,
} from '../contracts/erasure';
import { remarkSchema } from './card';
import { listQuery } from './listing';
import { selectorSchema } from './selector';

export const erasureSelectorSchema = selectorSchema(
  'must name something; a member may leave the selector out, for what is about themselves',
) satisfies z.ZodType<ErasureSelector>;

export const erasureBodySchema = z.strictObject({
  selector: erasureSelectorSchema.optional(),
  reason: remarkSchema.optional(),
  /** Shown with the receipt and signed: a reference, no story. */
  legal_basis: z
    .string()
    .min(1)
    .max(100)
    .regex(/^[A-Za-z0-9][A-Za-z0-9 .,()/§:-]*$/, 'is a reference such as GDPR Art. 17(1)(b)')
    .optional(),
  dry_run: z.boolean().default(false),
});
export type ErasureBody = z.output<typeof erasureBodySchema>;

export const erasureAcceptedSchema = z.object({
  erasure_id: z.string(),
  operation_id: z.string(),
});

export const erasureListQuery = listQuery({});

const countsSchema = z.object({
  purged: z.record(z.string(), z.int()),
  rederived: z.int(),
  kept: z.int(),
  held: z.int(),
});

const receiptSchema = z.object({
  erasure_id: z.string(),
  workspace: z.string(),
  status: z.enum(ERASURE_ENDS),
  requested_at: z.string(),
  completed_at: z.string(),
  selector: z.array(z.object({ kind: z.enum(TOMBSTONE_KINDS), hash: z.string() })),
  legal_basis: z.string().nullable(),
  counts: countsSchema,
  places: z.array(
    z.object({
      place: z.string(),
      searched: z.number(),
      found: z.number(),
      shared: z.number().exactOptional(),
    }),
  ),
  hashes: z.array(z.string()),
  beside: z.array(z.string()).exactOptional(),
  verified_at: z.string(),
  signature: z.string(),
  key_id: z.string(),
  public_key: z.string(),
}) satisfies z.ZodType<ErasureReceipt>;

export const listedErasureSchema = z.object({
  id: z.string(),
  operation_id: z.string(),
  workflow_id: z.string(),
  status: z.enum(ERASURE_STATUSES),
  dry_run: z.boolean(),
  selector: z.partialRecord(z.enum(NAMED_FOR_ERASURE), z.int()),
  legal_basis: z.string().nullable(),
  reason: z.string().nullable(),
  requested_by: z.object({ kind: z.string(), id: z.string() }),
  requested_at: z.string(),
  completed_at: z.string().nullable(),
  counts: countsSchema,
}) satisfies z.ZodType<Omit<Erasure, 'receipt'>>;

export const erasureSchema = listedErasureSchema.extend({ receipt: receiptSchema.nullable() });
