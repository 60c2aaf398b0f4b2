import { z } from 'zod';
import { CARD_KINDS, CARD_STATUSES, SIGNS } from '../contracts/names';
import {
  type AskedPromotion,
  CONFIG_FIX_STATUSES,
  type ConfigFix,
  DECISION_CHANNELS,
  DECISIONS,
  PROPOSAL_STATUSES,
  PROPOSAL_TYPES,
  type ProposalChange,
  type ProposalDetail,
} from '../contracts/proposal';
import { DAY_MS, durationMs, isDuration, MINUTE_MS } from '../domain/durations';
import { remarkSchema, severalOf } from './card';
import { idSchema, jsonObjectSchema, labelSchema } from './event';
import { listQuery, textFilter } from './listing';

const MOST_DAYS = 365;

/** How long a proposal waits: too short for anybody to look at it, or longer than anybody would, is a slip. */
const waiting = z
  .string()
  .refine(isDuration, 'must be an ISO 8601 duration of weeks, days and time, such as P7D or PT12H')
  .refine(
    (text) =>
      !isDuration(text) ||
      (durationMs(text) >= MINUTE_MS && durationMs(text) <= MOST_DAYS * DAY_MS),
    `must be between a minute and ${MOST_DAYS} days`,
  );

/** `status` and `type` may be given more than once; `card` is one of the evidence. */
export const proposalListQuery = listQuery({
  status: severalOf(PROPOSAL_STATUSES),
  type: severalOf(PROPOSAL_TYPES),
  team: textFilter,
  card: textFilter,
});

export const decisionSchema = z
  .strictObject({
    decision: z.enum(DECISIONS),
    reason: remarkSchema.optional(),
    /** The version that was looked at. */
    version: z.int32().min(1),
    /** Of a contradiction: the card to keep, where it is not the suggested one. */
    winner: labelSchema.optional(),
  })
  .refine(({ decision, winner }) => winner === undefined || decision === 'approve', {
    error: 'a winner goes with approve',
    path: ['winner'],
  });

export const promotionSchema = z.strictObject({
  scope: z.strictObject({ type: z.enum(['team', 'workspace']), id: idSchema }),
  reason: remarkSchema.optional(),
  expires_in: waiting.optional(),
});

export const askedPromotionSchema = z.object({
  proposal_id: z.string(),
  operation_id: z.string(),
}) satisfies z.ZodType<AskedPromotion>;

export const configFixListQuery = listQuery({
  status: severalOf(CONFIG_FIX_STATUSES),
  team: textFilter,
  workflow: textFilter,
  step: textFilter,
});

/** A body may be left out altogether. */
export const fixAppliedSchema = z
  .strictObject({ config_version: labelSchema.optional(), note: remarkSchema.optional() })
  .nullish();

const text = z.string().nullable();

const decision = z.object({
  by: z.string(),
  decision: z.enum(DECISIONS),
  reason: text,
  reason_code: text,
  channel: z.enum(DECISION_CHANNELS),
  version: z.number(),
  at: z.string(),
});

/** By type: what a fix, a promotion, a contradiction would change. */
const changeSchema = jsonObjectSchema as unknown as z.ZodType<ProposalChange, ProposalChange>;

export const proposalSchema = z.object({
  id: z.string(),
  type: z.enum(PROPOSAL_TYPES),
  status: z.enum(PROPOSAL_STATUSES),
  version: z.number(),
  title: z.string(),
  summary: text,
  drafted_by: z.enum(['model', 'fallback', 'person', 'rule']),
  team: text,
  evidence: z.array(z.string()),
  change: changeSchema,
  proposed_by: z.object({
    kind: z.enum(['person', 'agent', 'runtime', 'system']),
    id: z.string(),
  }),
  created_at: z.string(),
  expires_at: z.string(),
  closed_at: text,
  reminders: z.number(),
  decisions: z.array(decision),
  operation_id: z.string(),
  workflow_id: z.string(),
  run_id: text,
});

const evidenceCard = z.object({
  id: z.string(),
  kind: z.enum(CARD_KINDS),
  sign: z.enum(SIGNS),
  status: z.enum(CARD_STATUSES),
  summary: z.string(),
  agent: text,
});

export const proposalDetailSchema = proposalSchema.extend({ cards: z.array(evidenceCard) });

const figures = z.object({ worked: z.number(), failed: z.number() });

export const configFixSchema = z.object({
  id: z.string(),
  proposal_id: z.string(),
  version: z.number(),
  status: z.enum(CONFIG_FIX_STATUSES),
  team: z.string(),
  step: z.object({ workflow: z.string(), step: z.string() }),
  fix: z.string(),
  approved_at: z.string(),
  applied_at: text,
  config_version: text,
  note: text,
  observed: figures,
  closed_at: text,
}) satisfies z.ZodType<ConfigFix>;

// A field of a wire type is a field of its schema.
type Covers<Schema extends z.ZodType, Wire> = keyof Wire extends keyof z.output<Schema>
  ? true
  : never;
const covered: [
  Covers<typeof proposalDetailSchema, ProposalDetail>,
  Covers<typeof configFixSchema, ConfigFix>,
] = [true, true];
void covered;
