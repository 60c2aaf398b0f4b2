import { z } from 'zod';
import { ERROR_FAMILIES, OUTCOMES } from '../contracts/names';
import { SKILL_STATUSES } from '../contracts/skill';
import { cleanText } from '../domain/clean-text';
import {
  MAX_BODY,
  MAX_DESCRIPTION,
  MAX_ITEMS,
  MAX_LINE,
  SKILL_NAME,
} from '../domain/skills/limits';
import { oneLine } from '../domain/skills/one-line';
import { scopeSchema } from './card';
import { labelSchema } from './event';
import { listQuery } from './listing';
import { scopeInQuery } from './notes';
import { wholeNumber } from './whole-number';

/** Of the tests that one request brings. */
const MOST_TESTS = 20;
const TRACE_LENGTH = 50;
const LAST_VERSION = 1_000_000;

const lineOf = (length: number) =>
  z
    .string()
    .max(4 * length)
    .transform(oneLine)
    .refine((text) => text !== '', 'must not be empty')
    .refine((text) => [...text].length <= length, `must be at most ${length} characters`);

const line = lineOf(MAX_LINE);
const descriptionSchema = lineOf(MAX_DESCRIPTION);
const label = labelSchema.transform((text) => text.trim()).refine((text) => text !== '');

export const skillNameSchema = z
  .string()
  .regex(
    SKILL_NAME,
    'must be 1 to 100 of A-Z a-z 0-9 . _ - and start with a letter or digit, such as send-a-batch',
  );

export const bodySchema = z
  .string()
  .max(2 * MAX_BODY)
  .transform((text) => cleanText(text).replace(/\r\n?/g, '\n').trim())
  .refine((text) => text !== '', 'must not be empty')
  .refine((text) => [...text].length <= MAX_BODY, `must be at most ${MAX_BODY} characters`);

const documentSchema = z.strictObject({
  purpose: line.optional(),
  preconditions: z.array(line).max(MAX_ITEMS).default([]),
  steps: z
    .array(z.strictObject({ text: line, service: label.optional(), operation: label.optional() }))
    .max(MAX_ITEMS),
  failure_handling: z
    .array(
      z.strictObject({
        when: line,
        then: line,
        error_family: z.enum(ERROR_FAMILIES).optional(),
        error_signature: label.optional(),
      }),
    )
    .max(MAX_ITEMS)
    .default([]),
  causes: z.array(line).max(MAX_ITEMS).default([]),
});

const traceSchema = z
  .array(
    z.strictObject({
      service: label,
      operation: label,
      outcome: z.enum(OUTCOMES),
      error_family: z.enum(ERROR_FAMILIES).optional(),
      error_signature: label.optional(),
      what_changed: line.optional(),
    }),
  )
  .min(1)
  .max(TRACE_LENGTH);

const words = z.array(lineOf(200)).max(MOST_TESTS).default([]);

const caseSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('origin'), trace: traceSchema }),
  z.strictObject({ kind: z.literal('failure'), trace: traceSchema }),
  z
    .strictObject({
      kind: z.literal('manual'),
      must_mention: words,
      must_not_mention: words,
    })
    .refine(
      ({ must_mention, must_not_mention }) => must_mention.length + must_not_mention.length > 0,
      'must name at least one word',
    ),
]);

const written = {
  /** What of it: in parts, in Markdown, or the whole file. */
  document: documentSchema.optional(),
  body: bodySchema.optional(),
  skill_md: z
    .string()
    .max(4 * MAX_BODY)
    .optional(),
  tests: z.array(caseSchema).max(MOST_TESTS).default([]),
};

type Written = { document?: unknown; body?: unknown; skill_md?: unknown };
const isOne = ({ document, body, skill_md }: Written) =>
  [document, body, skill_md].filter((one) => one !== undefined).length === 1;
const ONE = 'give one of document, body and skill_md';

export const newSkillSchema = z
  .strictObject({
    name: skillNameSchema.optional(),
    description: descriptionSchema.optional(),
    scope: scopeSchema.optional(),
    ...written,
  })
  .refine(isOne, ONE)
  .refine(
    ({ skill_md, name, description }) =>
      (skill_md === undefined) === (name !== undefined && description !== undefined) &&
      (skill_md === undefined || (name === undefined && description === undefined)),
    'name and description come with document or body; skill_md has its own',
  );

export const newSkillVersionSchema = z
  .strictObject({ description: descriptionSchema.optional(), ...written })
  .refine(isOne, ONE)
  .refine(
    ({ skill_md, description }) => skill_md === undefined || description === undefined,
    'skill_md has its own description',
  );

export type NewSkillBody = z.output<typeof newSkillSchema>;
export type NewSkillVersionBody = z.output<typeof newSkillVersionSchema>;

/** What a SKILL.md has to say once it is read. */
export const skillMdSchema = z.object({
  name: skillNameSchema,
  description: descriptionSchema,
  body: bodySchema,
});

/** A document that was read from Markdown, held to the same bounds as one that came in parts. */
export const readDocumentSchema = documentSchema;

const version = wholeNumber(1, LAST_VERSION);

export const skillParams = z.object({ name: labelSchema });
export const skillVersionParams = z.object({ name: labelSchema, n: version });

export const skillQuery = z.strictObject(scopeInQuery);
export const oneSkillQuery = z.strictObject({ version: version.optional(), ...scopeInQuery });
export const skillListQuery = listQuery({
  query: z.string().min(1).max(10_000).optional(),
  status: z.enum(SKILL_STATUSES).optional(),
}).refine(
  ({ query, status }) => query === undefined || status === undefined,
  'a query finds skills that are in use: leave status out',
);
export const skillVersionsQuery = listQuery(scopeInQuery);
export const skillDiffQuery = z.strictObject({
  from: version.optional(),
  to: version.optional(),
  ...scopeInQuery,
});

export const testSkillSchema = z.strictObject({ dry_run: z.boolean().default(false) }).nullish();
export const rollbackSkillSchema = z
  .strictObject({ version: z.int().min(1).max(LAST_VERSION).optional() })
  .nullish();
export const deprecateSkillSchema = z
  .strictObject({ replaced_by: skillNameSchema.optional() })
  .nullish();
