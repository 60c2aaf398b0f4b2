import { z } from 'zod';
import {
  type AuditExportLine,
  type AuditExportPage,
  type AuditSeal,
  type AuditVerification,
  FAULT_REASONS,
  LOGS,
} from '../contracts/audit';
import { wholeNumber } from './whole-number';

const range = z.object({ from: z.int(), to: z.int(), rows: z.int() });

export const auditSealSchema = z.object({
  n: z.int(),
  audit: range,
  access: range,
  hash: z.string(),
  head: z.string(),
  sealed_at: z.string(),
  workflow_id: z.string(),
}) satisfies z.ZodType<AuditSeal>;

const head = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'must be a head: 64 hexadecimal digits in lower case');

export const verifyQuery = z.strictObject({
  /** A head that was known before: from a result in Temporal, or from paper. */
  anchor: head.optional(),
  /** `next` of the answer before. */
  after: wholeNumber(0, 999_999_999).optional(),
});

export const verificationSchema = z.object({
  ok: z.boolean(),
  seals: z.int(),
  verified: z.int(),
  sealed_to: z.object({ audit: z.int(), access: z.int() }),
  unsealed: z.int(),
  head: z.string().nullable(),
  anchor: z.object({ head: z.string(), n: z.int().nullable() }).exactOptional(),
  first_bad: z
    .object({
      log: z.enum([...LOGS, 'chain']),
      seq: z.int().nullable(),
      reason: z.enum(FAULT_REASONS),
    })
    .exactOptional(),
  next: z.int().nullable(),
}) satisfies z.ZodType<AuditVerification>;

export const exportQuery = z.strictObject({ cursor: z.string().max(1000).optional() });

const line = z.record(z.string(), z.string().nullable()) as unknown as z.ZodType<
  AuditExportLine,
  AuditExportLine
>;

export const exportPageSchema = z.object({
  lines: z.array(line),
  next_cursor: z.string().nullable(),
}) satisfies z.ZodType<AuditExportPage>;

export const askedSealSchema = z.object({ operation_id: z.string() });
