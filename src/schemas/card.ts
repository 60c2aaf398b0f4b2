import { z } from 'zod';
import type { JsonObject } from '../contracts/event';
import {
  CARD_FLAGS,
  CARD_KINDS,
  CARD_STATUSES,
  EDGE_TYPES,
  ERROR_FAMILIES,
  SCOPE_TYPES,
  SIGNS,
  VISIBILITIES,
  WRITER_KINDS,
} from '../contracts/names';
import { cleanJson, cleanText, depthOf } from '../domain/clean-text';
import { idSchema, jsonObjectSchema, labelSchema, timeSchema } from './event';
import { instantFilter, listQuery, textFilter } from './listing';
import { wholeNumber } from './whole-number';

/** Of a card's text (contract, Card). */
export const MAX_SUMMARY = 2_000;
/** Of a card's metadata as JSON, in bytes: the caller's own labels, not a second place for documents. */
const MAX_METADATA_BYTES = 32 * 1024;
const MAX_METADATA_DEPTH = 32;
const MAX_KEYWORDS = 20;
const KEYWORD_LENGTH = 60;

/** Characters are code points, as the database counts them. */
export const summarySchema = z
  .string()
  .transform(cleanText)
  .refine((text) => text.trim() !== '', 'must not be empty')
  .refine(
    (text) => text.length <= MAX_SUMMARY || [...text].length <= MAX_SUMMARY,
    `must be at most ${MAX_SUMMARY} characters`,
  );

/** Free text beside a card: why somebody did something. */
export const remarkSchema = z
  .string()
  .max(2_000)
  .transform(cleanText)
  .refine((text) => text.trim() !== '', 'must not be empty');

/** The year 0 is no year of the database's calendar. */
const moment = timeSchema.refine(
  (text) => !text.startsWith('0000'),
  'must be in the year 1 or later',
);

export const hintsSchema = z.strictObject({
  service: labelSchema.nullish(),
  operation: labelSchema.nullish(),
  task_type: labelSchema.nullish(),
  workflow: labelSchema.nullish(),
  step: labelSchema.nullish(),
  keywords: z.array(labelSchema.max(KEYWORD_LENGTH)).max(MAX_KEYWORDS).optional(),
  error_signature: labelSchema.nullish(),
  error_family: z.enum(ERROR_FAMILIES).nullish(),
});

/** Its depth is counted first: what reads JSON in JSON would run out of stack. */
export const metadataSchema = z
  .unknown()
  .refine(
    (value) => depthOf(value, MAX_METADATA_DEPTH) <= MAX_METADATA_DEPTH,
    `must be nested at most ${MAX_METADATA_DEPTH} levels deep`,
  )
  .pipe(jsonObjectSchema)
  .transform((value) => cleanJson(value) as JsonObject)
  .refine(
    (value) => Buffer.byteLength(JSON.stringify(value)) <= MAX_METADATA_BYTES,
    `must be at most ${MAX_METADATA_BYTES} bytes of JSON`,
  );

/** What a card says, however it is written: the same fields when it is made and when it is corrected. */
const said = {
  kind: z.enum(CARD_KINDS).optional(),
  sign: z.enum(SIGNS).optional(),
  subject: idSchema.nullish(),
  topic: labelSchema.nullish(),
  project: idSchema.nullish(),
  hints: hintsSchema.optional(),
  importance: z.int().min(1).max(10).nullish(),
  confidence: z.number().min(0).max(1).optional(),
  visibility: z.enum(VISIBILITIES).optional(),
  valid_from: moment.optional(),
  expires_at: moment.nullish(),
  metadata: metadataSchema.optional(),
};

export const scopeSchema = z.strictObject({ type: z.enum(SCOPE_TYPES), id: idSchema });

export const newCardSchema = z.strictObject({
  summary: summarySchema,
  key: idSchema.optional(),
  scope: scopeSchema.optional(),
  ...said,
});

/** Scope, trust, status and provenance are not the writer's to change: such a field is unknown here. */
export const cardPatchSchema = z
  .strictObject({ summary: summarySchema.optional(), valid_to: moment.nullish(), ...said })
  .refine((patch) => Object.keys(patch).length > 0, 'must name at least one field to change');

export type NewCardBody = z.output<typeof newCardSchema>;
export type CardPatch = z.output<typeof cardPatchSchema>;

/** A filter that may be given more than once. */
export const severalOf = <T extends string>(names: readonly [T, ...T[]]) =>
  z
    .union([z.enum(names), z.array(z.enum(names)).min(1)])
    .transform((value): T[] => (Array.isArray(value) ? value : [value]) as T[])
    .optional();

/** `<kind>/<id>` of the key that wrote it, such as `runtime/harness`; an id of its own may hold slashes. */
const writerFilter = z
  .string()
  .max(210)
  .transform((text) => {
    const at = text.indexOf('/');
    return { kind: text.slice(0, at), id: text.slice(at + 1) };
  })
  .pipe(
    z.object({
      kind: z.enum(WRITER_KINDS, 'must be person, agent, runtime or system, a slash, and an id'),
      id: labelSchema,
    }),
  )
  .optional();

/** `<type>/<id>`, such as `team/support`, as the facets of cards name it. */
const scopeFilter = z
  .string()
  .max(210)
  .transform((text) => {
    const at = text.indexOf('/');
    return { type: text.slice(0, at), id: text.slice(at + 1) };
  })
  .pipe(
    z.object({
      type: z.enum(SCOPE_TYPES, 'must be agent, team or workspace, a slash, and an id'),
      id: labelSchema,
    }),
  )
  .optional();

const cardFilters = {
  kind: severalOf(CARD_KINDS),
  sign: severalOf(SIGNS),
  status: severalOf(CARD_STATUSES),
  agent: textFilter,
  team: textFilter,
  subject: textFilter,
  service: textFilter,
  operation: textFilter,
  flag: z.enum(CARD_FLAGS).optional(),
  event: textFilter,
  writer: writerFilter,
  scope: scopeFilter,
  q: z.string().min(1).max(1_000).optional(),
  since: instantFilter,
  until: instantFilter,
};

/**
 * `kind`, `sign` and `status` may be given more than once. Without `status`, what was superseded or
 * archived is left out; `q` keeps cards that hold all of its words.
 */
export const cardListQuery = listQuery(cardFilters);

/** The same filters, where cards are counted and not listed. */
export const cardFacetsQuery = z.strictObject(cardFilters);

export const validationSchema = z.strictObject({
  verdict: z.enum(['success', 'wrong']),
  note: remarkSchema.optional(),
});

/** A body may be left out altogether. */
export const reasonSchema = z.strictObject({ reason: remarkSchema.optional() }).nullish();

export const grantSchema = z
  .strictObject({ purpose: remarkSchema.optional(), expires_at: moment.optional() })
  .nullish();

/** A list with commas, or given more than once. */
const listFilter = <T extends string>(names: readonly [T, ...T[]]) =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((value) => [value].flat().flatMap((part) => part.split(',')))
    .pipe(z.array(z.enum(names)).min(1))
    .optional();

/** All but `edge_types` is of nodes; a center is shown whatever it is. */
export const graphQuery = z.strictObject({
  center: labelSchema.optional(),
  depth: wholeNumber(1, 2).default(1),
  kinds: listFilter(CARD_KINDS),
  agent: textFilter,
  since: instantFilter,
  until: instantFilter,
  edge_types: listFilter(EDGE_TYPES),
  limit: wholeNumber(1, 5_000).default(500),
});
