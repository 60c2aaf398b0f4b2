import { z } from 'zod';
import { ACTION_STATUSES, INSIGHT_ORIGINS, METRIC_GOALS, SEVERITIES } from '../contracts/insight';
import { VISIBILITIES } from '../contracts/names';
import { cleanText } from '../domain/clean-text';
import { DAY_MS, durationMs, isDuration, SECOND_MS } from '../domain/durations';
import { visibleText } from '../domain/insights/action-text';
import { hintsSchema, metadataSchema, remarkSchema, scopeSchema, severalOf } from './card';
import { idSchema, labelSchema, timeSchema } from './event';
import { flagFilter, instantFilter, listQuery, textFilter } from './listing';

/** Together with a full stop and a blank they are a card's text, of at most 2,000 characters. */
const MAX_TITLE = 190;
const MAX_FINDING = 1_800;
const MAX_ACTION = 500;
const MOST_ACTIONS = 20;
const MOST_METRICS = 50;
const MOST_SOURCES = 50;
/** Of one push. */
const MOST_NUMBERS = 500;
const LONGEST_DAYS = 366;

const said = (most: number) =>
  z
    .string()
    .transform(cleanText)
    .refine((text) => visibleText(text).trim() !== '', 'must not be empty')
    .refine((text) => [...text].length <= most, `must be at most ${most} characters`);

/** From an action taken to measuring it. */
export const windowSchema = z
  .string()
  .refine(isDuration, 'must be an ISO 8601 duration of weeks, days and time, such as P21D or PT12H')
  .refine(
    (text) =>
      !isDuration(text) ||
      (durationMs(text) >= SECOND_MS && durationMs(text) <= LONGEST_DAYS * DAY_MS),
    `must be between a second and ${LONGEST_DAYS} days`,
  );

/** The year 0 is no year of the database's calendar. */
const moment = timeSchema.refine(
  (text) => !text.startsWith('0000'),
  'must be in the year 1 or later',
);

const number = {
  name: labelSchema,
  unit: labelSchema.max(40).nullish(),
  at: moment.optional(),
  goal: z.enum(METRIC_GOALS).nullish(),
};

/** Without a value the latest number that was pushed under this name. */
const namedMetric = z.strictObject({ ...number, value: z.number().optional() });

const pushedMetric = z.strictObject({ ...number, value: z.number() });

export const newInsightSchema = z.strictObject({
  origin: z.enum(INSIGHT_ORIGINS),
  title: said(MAX_TITLE),
  finding: said(MAX_FINDING),
  domain: labelSchema.max(60),
  severity: z.enum(SEVERITIES),
  metrics: z.array(namedMetric).max(MOST_METRICS).default([]),
  actions: z
    .array(z.strictObject({ text: said(MAX_ACTION) }))
    .max(MOST_ACTIONS)
    .default([]),
  window: windowSchema.optional(),
  /** Cards that it was made from; the writer has to see them. */
  sources: z.array(labelSchema).max(MOST_SOURCES).default([]),
  scope: scopeSchema.optional(),
  hints: hintsSchema.optional(),
  subject: idSchema.nullish(),
  project: idSchema.nullish(),
  visibility: z.enum(VISIBILITIES).optional(),
  metadata: metadataSchema.optional(),
});
export type NewInsightBody = z.output<typeof newInsightSchema>;

/** `origin`, `severity` and `status`, which is that of an action of it, may be given more than once. */
export const insightListQuery = listQuery({
  origin: severalOf(INSIGHT_ORIGINS),
  severity: severalOf(SEVERITIES),
  status: severalOf(ACTION_STATUSES),
  domain: textFilter,
  min_score: z
    .string()
    .regex(/^\d{1,3}(?:\.\d{1,3})?$/, 'must be a number from 0 to 100')
    .transform(Number)
    .pipe(z.number().max(100, 'must be a number from 0 to 100'))
    .meta({ type: 'number', minimum: 0, maximum: 100, pattern: undefined })
    .optional(),
  agent: textFilter,
  team: textFilter,
  subject: textFilter,
  q: z.string().min(1).max(1_000).optional(),
  since: instantFilter,
  until: instantFilter,
  order: z.enum(['score', 'created']).default('created'),
});

export const insightActionParams = z.object({ id: labelSchema, action_id: labelSchema });

/** A body may be left out altogether. */
export const takenSchema = z
  .strictObject({ at: moment.optional(), window: windowSchema.optional() })
  .nullish();

/** One number, or many. */
export const pushedMetricsSchema = z.union([
  pushedMetric,
  z.strictObject({ metrics: z.array(pushedMetric).min(1).max(MOST_NUMBERS) }),
]);
export type PushedMetric = z.output<typeof pushedMetric>;

export const metricListQuery = listQuery({
  name: textFilter,
  since: instantFilter,
  until: instantFilter,
});

export const knownActionQuery = listQuery({ blocked: flagFilter });

export const actionParams = z.object({
  hash: z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex'),
});

/** A body may be left out altogether. */
export const blockSchema = z.strictObject({ reason: remarkSchema.optional() }).nullish();
