import { z } from 'zod';
import { CARD_KINDS, INTENTS, RECALL_PROFILES, SECTIONS, SIGNS, VIAS } from '../contracts/names';
import {
  DROP_REASONS,
  type Dropped,
  type Folded,
  type OutdatedValue,
  type RecallAnswer,
  type RecalledCard,
  type RecallSection,
} from '../contracts/recall';
import { cleanText } from '../domain/clean-text';
import { cardSchema } from './card-answers';
import { idSchema, jsonObjectSchema, labelSchema, personalIdSchema, timeSchema } from './event';

const oneOrMore = <T extends z.ZodType>(schema: T) => z.union([schema, z.array(schema).min(1)]);

export const recallFiltersSchema = z.strictObject({
  kind: oneOrMore(z.enum(CARD_KINDS)).optional(),
  sign: oneOrMore(z.enum(SIGNS)).optional(),
  service: labelSchema.optional(),
  operation: labelSchema.optional(),
  workflow: labelSchema.optional(),
  step: labelSchema.optional(),
  subject: idSchema.optional(),
  topic: labelSchema.optional(),
  project: idSchema.optional(),
  session: labelSchema.optional(),
  since: timeSchema.optional(),
  until: timeSchema.optional(),
  key: idSchema.optional(),
  metadata: jsonObjectSchema.optional(),
});

/** `limit` to 50: a context of more cards than that is a transcript. */
export const recallSchema = z.strictObject({
  query: z.string().max(20_000).transform(cleanText),
  intent: z.enum(INTENTS).optional(),
  profile: z.enum(RECALL_PROFILES).optional(),
  limit: z.int().min(1).max(50).optional(),
  budget_tokens: z.int().min(1).max(100_000).optional(),
  as_of: timeSchema.optional(),
  known_at: timeSchema.optional(),
  project: idSchema.optional(),
  about: personalIdSchema.optional(),
  filters: recallFiltersSchema.optional(),
  if_context_version: z.string().max(200).optional(),
  explain: z.boolean().optional(),
});

export const feedbackSchema = z.strictObject({
  card_id: idSchema,
  useful: z.boolean(),
});

const terms = z.record(z.string(), z.number());

const foldedSchema = z.looseObject({ count: z.int(), last_at: z.string() });

const outdatedSchema = z.looseObject({
  field: z.string(),
  value: z.string(),
  since: z.string(),
  by: z.string(),
});

const recalledSchema = cardSchema
  .extend({
    hints: cardSchema.shape.hints.loose(),
    provenance: cardSchema.shape.provenance.loose(),
    superseded_by: z.string().optional(),
    score: z.number(),
    via: z.enum(VIAS),
    vias: z.array(z.enum(VIAS)),
    folded: foldedSchema.optional(),
    resolved_by: z.array(z.string()).optional(),
    outdated: outdatedSchema.optional(),
    terms: terms.optional(),
  })
  .loose();

const droppedSchema = z.looseObject({
  id: z.string(),
  reason: z.enum(DROP_REASONS),
  winner: z.string().optional(),
  terms: terms.optional(),
});

const sectionSchema = z.looseObject({
  name: z.enum(SECTIONS),
  title: z.string(),
  cards: z.array(z.string()),
});

const answerSchema = z.looseObject({
  recall_id: z.string(),
  context_version: z.string(),
  degraded: z.array(z.string()).optional(),
  intent: z.enum(INTENTS),
  context: z.string(),
  tokens: z.int(),
  sections: z.array(sectionSchema),
  cards: z.array(recalledSchema),
  dropped: z.array(droppedSchema).optional(),
  pools: z.partialRecord(z.enum(VIAS), z.number()),
  took_ms: z.number(),
});

// The wire types and the schemas have the same fields.
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
type Declared<Schema extends z.ZodObject> = keyof Schema['shape'];
const same: [
  Same<Declared<typeof answerSchema>, keyof RecallAnswer>,
  Same<Declared<typeof recalledSchema>, keyof RecalledCard>,
  Same<Declared<typeof droppedSchema>, keyof Dropped>,
  Same<Declared<typeof sectionSchema>, keyof RecallSection>,
  Same<Declared<typeof foldedSchema>, keyof Folded>,
  Same<Declared<typeof outdatedSchema>, keyof OutdatedValue>,
] = [true, true, true, true, true, true];
void same;

/** What `POST /v1/recall` answers; a field that is not listed passes too. */
export const recallAnswerSchema = answerSchema as unknown as z.ZodType<RecallAnswer, RecallAnswer>;
