import { z } from 'zod';
import { DISPOSITIONS } from '../contracts/names';
import type { Models, Overview } from '../contracts/overview';
import { PROPOSAL_TYPES } from '../contracts/proposal';
import { wholeNumber } from './whole-number';

const MOST_DAYS = 90;

export const overviewQuery = z.strictObject({ days: wholeNumber(1, MOST_DAYS).default(7) });

const time = z.string().nullable();
const dispositions = z.partialRecord(z.enum(DISPOSITIONS), z.int());
const spending = {
  calls: z.int(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  amount: z.number().nullable().describe('In money; null where no prices are known.'),
};
const share = (what: string) =>
  z
    .object({ count: z.int(), share: z.number().min(0).max(1).describe('Of `cards`; 0 of none.') })
    .describe(what);

const quality = z.object({
  cards: z
    .int()
    .describe(
      'In use (pending, active, validated) or held back (rejected, quarantined), not expired.',
    ),
  junk: share('Rejected or quarantined, or in use and flagged as reading like an instruction.'),
  duplicates: share(
    'In use, and the same words, but for upper case, as an earlier one of the same scope, kind, sign and subject.',
  ),
  stale: share(
    "In use, and no longer valid, or not filed, edited, confirmed or used for the policy's `recalibration.archive_unused`.",
  ),
  never_recalled: share('In use, and in the answer of no recall yet.'),
});

export const overviewSchema = z.object({
  at: z.string(),
  bucket: z.enum(['PT1H', 'P1D']),
  captures: z.object({
    series: z.array(z.object({ at: z.string(), counts: dispositions })),
    totals: dispositions,
  }),
  backlog: z.object({
    pending: z.int(),
    oldest_pending_at: time,
    needs_distill: z.int(),
    outbox: z.int(),
  }),
  proposals: z.object({
    open: z.int(),
    by_type: z.partialRecord(z.enum(PROPOSAL_TYPES), z.int()),
    oldest_open_at: time,
  }),
  contradictions: z.object({ open: z.int() }),
  quality,
  recalls: z.object({
    series: z.array(z.object({ at: z.string(), count: z.int() })),
    total: z.int(),
  }),
  cost: z.object({
    series: z.array(z.object({ at: z.string(), ...spending })),
    totals: z.object(spending),
    by: z.array(z.object({ activity: z.string(), model: z.string(), ...spending })),
  }),
  agents: z.object({ known: z.int(), writes_stopped: z.int() }),
  erasures: z.object({ open: z.int() }),
}) satisfies z.ZodType<Overview>;

const languageModel = z.object({
  kind: z.enum(['model', 'rules']),
  model: z.string().nullable(),
  endpoint: z.string().nullable().describe('The host alone, with its port where one is named.'),
});

export const modelsSchema = z.object({
  distiller: languageModel,
  writer: languageModel,
  embedder: z.object({
    id: z.string().nullable(),
    dimensions: z.int().nullable(),
    state: z.enum(['ready', 'loading', 'absent']),
  }),
  vectors: z.array(z.object({ embedder: z.string(), cards: z.int() })),
  reembedding: z.string().nullable(),
}) satisfies z.ZodType<Models>;
