import { z } from 'zod';
import {
  ACTION_PRIORITIES,
  ACTION_STATUSES,
  INSIGHT_ORIGINS,
  type Insight,
  type KnownAction,
  METRIC_GOALS,
  type MetricSnapshot,
  OUTCOME_RESULTS,
  SEVERITIES,
  UNMEASURED_CODES,
} from '../contracts/insight';
import { SCOPE_TYPES } from '../contracts/names';
import { heldForSchema } from './card-answers';

/** What the routes of insights, actions and metrics answer; restated from the wire types for OpenAPI. */

const text = z.string().nullable();
const who = z.object({ kind: z.string(), id: z.string() });
const figure = z.number().nullable();

const money = z.object({
  quote: z.string(),
  amount: z.number(),
  currency: z.string(),
  per: z.enum(['hour', 'day', 'week', 'month', 'quarter', 'year']).nullable(),
  dollars: z.number(),
  source: z.enum(['finding', 'metric']),
});

const point = z.object({ value: z.number(), at: z.string() });

const urgency = z.object({
  score: z.number(),
  severity: z.number(),
  dollars: z.number(),
  velocity: z.number(),
  time_sensitivity: z.number(),
  basis: z.object({
    dollars: money.nullable(),
    velocity: z
      .object({ metric: z.string(), weekly_change: z.number(), from: point, to: point })
      .nullable(),
    domain: z.string(),
  }),
});

export const metricSchema = z.object({
  name: z.string(),
  value: z.number(),
  unit: text,
  at: z.string(),
  goal: z.enum(METRIC_GOALS).nullable(),
}) satisfies z.ZodType<MetricSnapshot>;

const evidence = z.object({
  outcomes: z.number(),
  improved: z.number(),
  unchanged: z.number(),
  worse: z.number(),
});

const outcome = z.object({
  result: z.enum(OUTCOME_RESULTS),
  size: figure,
  metric: text,
  baseline: figure,
  value: figure,
  unit: text,
  at: z.string(),
  channel: z.enum(['measured', 'reported']),
  by: who,
  card_id: text,
});

const action = z.object({
  id: z.string(),
  text: z.string(),
  hash: z.string(),
  priority: z.enum(ACTION_PRIORITIES),
  boost: z.number(),
  rationale: z.string(),
  caution: z.string().exactOptional(),
  evidence,
  status: z.enum(ACTION_STATUSES),
  taken_at: text,
  taken_by: who.nullable(),
  measure_at: text,
  ended_code: z.enum(UNMEASURED_CODES).nullable(),
  outcome: outcome.nullable(),
});

export const insightSchema = z.object({
  id: z.string(),
  card_id: z.string(),
  origin: z.enum(INSIGHT_ORIGINS),
  title: text,
  finding: z.string(),
  domain: z.string(),
  severity: z.enum(SEVERITIES),
  scope: z.object({ type: z.enum(SCOPE_TYPES), id: z.string() }),
  owner: who,
  urgency,
  baseline: z.array(metricSchema),
  actions: z.array(action),
  removed: z.number(),
  window: z.string(),
  created_at: z.string(),
  operation_id: text,
  workflow_id: text,
}) satisfies z.ZodType<Insight>;

/** With why the policy holds its card back, where it does: then only people see it. */
export const savedInsightSchema = z.union([
  insightSchema.extend({ reason: heldForSchema }),
  z.object({ id: z.string() }),
]);

export const knownActionSchema = z.object({
  hash: z.string(),
  text: z.string(),
  boost: z.number(),
  priority: z.enum(ACTION_PRIORITIES),
  evidence,
  blocked: z.object({ at: z.string(), by: z.string(), reason: text }).nullable(),
  created_at: z.string(),
}) satisfies z.ZodType<KnownAction>;

/** Whom to ask how it goes on, and when it is measured. */
export const takenAnswerSchema = z.object({
  operation_id: z.string(),
  measure_at: z.string(),
  workflow_id: z.string(),
});

/** How many moments were kept: of one that was given twice the later number stands. */
export const acceptedMetricsSchema = z.object({ accepted: z.int() });
