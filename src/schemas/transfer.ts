import { z } from 'zod';
import {
  EXPORT_FORMAT,
  EXPORT_SCOPES,
  EXPORT_VERSION,
  type ExportLine,
  type ExportManifest,
  type ExportSignature,
  type ImportTaken,
} from '../contracts/transfer';
import { jsonObjectSchema, personalIdSchema } from './event';

const KEY_ID = /^ed25519:[0-9a-f]{32}$/;
const keyId = z.string().regex(KEY_ID, 'is the id of a key, such as ed25519: and 32 hex digits');
const count = z.int().min(0);

export const exportQuery = z.strictObject({ subject: personalIdSchema.optional() });

export const importQuery = z.strictObject({
  /** A key of another installation whose exports are taken. */
  accept_key: keyId.optional(),
  /** Of an import that was begun: the body goes on after its line `after`. */
  import: z.string().max(100).optional(),
  after: z.coerce.number().int().min(1).optional(),
  /** The body does not hold the last line yet. */
  more: z.enum(['true', 'false']).optional(),
});
export type ImportQuery = z.output<typeof importQuery>;

export const importTakenSchema = z.object({
  import_id: z.string(),
  status: z.enum(['receiving', 'accepted']),
  lines: count,
  operation_id: z.string().nullable(),
}) satisfies z.ZodType<ImportTaken>;

export const exportManifestSchema = z.object({
  type: z.literal('manifest'),
  format: z.literal(EXPORT_FORMAT),
  version: z.literal(EXPORT_VERSION),
  id: z.string().max(100),
  made_at: z.string(),
  workspace: z.object({ id: z.string(), name: z.string(), memory_mode: z.string() }),
  of: z.object({ scope: z.enum(EXPORT_SCOPES), id: z.string() }),
  schema: z.string(),
  consistency: z.enum(['snapshot', 'pages']),
  counts: z.record(z.string(), count),
  redaction: z.string(),
  key_id: keyId,
}) satisfies z.ZodType<ExportManifest>;

export const exportLineSchema = z.strictObject({
  type: z.string().max(40),
  row: jsonObjectSchema,
}) satisfies z.ZodType<ExportLine>;

export const exportSignatureSchema = z.strictObject({
  type: z.literal('signature'),
  lines: count,
  chain: z.string().regex(/^[0-9a-f]{64}$/),
  signature: z.string().max(200),
  key_id: keyId,
  public_key: z.string().max(100),
}) satisfies z.ZodType<ExportSignature>;
