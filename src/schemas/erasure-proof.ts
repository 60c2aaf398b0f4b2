import { z } from 'zod';
import { ERASURE_ENDS, type ErasureReceipt, TOMBSTONE_KINDS } from '../contracts/erasure';
import type {
  ErasureVerification,
  TombstonesApplied,
  TombstonesFile,
  VerifyErasure,
} from '../contracts/erasure-proof';

/** Of a text that is looked for: as long as a card's. */
const MOST_CHARACTERS = 2_000;
/** Shorter ones stand in anything. */
const LEAST_BYTES = 4;
const MOST_TEXTS = 50;
const hex = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits in lower case');
const kind = z.enum(TOMBSTONE_KINDS);
const count = z.int().min(0);
const signature = {
  signature: z.string().max(200),
  key_id: z.string().max(200),
  public_key: z.string().max(200),
};

const placeSchema = z.strictObject({
  place: z.string(),
  searched: count,
  found: count,
  shared: count.exactOptional(),
});

/** As it was given out; a field more or less, and its signature holds no longer. */
export const erasureReceiptSchema = z.strictObject({
  erasure_id: z.string(),
  workspace: z.string(),
  status: z.enum(ERASURE_ENDS),
  requested_at: z.string(),
  completed_at: z.string(),
  selector: z.array(z.strictObject({ kind, hash: hex })),
  legal_basis: z.string().nullable(),
  counts: z.strictObject({
    purged: z.record(z.string(), count),
    rederived: count,
    kept: count,
    held: count,
  }),
  places: z.array(placeSchema),
  hashes: z.array(z.string().max(100)),
  beside: z.array(z.string().max(100)).exactOptional(),
  verified_at: z.string(),
  ...signature,
}) satisfies z.ZodType<ErasureReceipt>;

export const verifyErasureBody = z.strictObject({
  receipt: erasureReceiptSchema,
  search: z
    .array(
      z
        .string()
        .max(MOST_CHARACTERS)
        .refine(
          (text) => Buffer.byteLength(text) >= LEAST_BYTES,
          `must have at least ${LEAST_BYTES} bytes`,
        ),
    )
    .max(MOST_TEXTS)
    .exactOptional(),
}) satisfies z.ZodType<VerifyErasure>;

export const erasureVerificationSchema = z.object({
  ok: z.boolean(),
  erasure_id: z.string(),
  status: z.enum(ERASURE_ENDS),
  left: z.array(
    z.object({ place: z.string(), searched: count, found: count, shared: count.exactOptional() }),
  ),
  signature: z.enum(['valid', 'foreign', 'invalid']),
  missing: count,
  returned: z.array(z.object({ place: z.string(), kind, found: count })),
  places: z.array(
    z.object({ place: z.string(), searched: count, found: count, shared: count.exactOptional() }),
  ),
}) satisfies z.ZodType<ErasureVerification>;

export const tombstonesFileSchema = z.strictObject({
  format: z.literal('cairn-tombstones'),
  version: z.literal(1),
  workspace: z.string().max(40),
  made_at: z.string().max(40),
  tombstones: z.array(z.strictObject({ kind, hash: hex, at: z.iso.datetime({ offset: true }) })),
  ...signature,
}) satisfies z.ZodType<TombstonesFile>;

export const tombstonesAppliedSchema = z.object({
  written: count,
  returned: z.partialRecord(kind, count),
  erasure_id: z.string().nullable(),
  operation_id: z.string().nullable(),
}) satisfies z.ZodType<TombstonesApplied>;
