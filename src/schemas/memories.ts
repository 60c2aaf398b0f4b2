import { z } from 'zod';
import { cleanText } from '../domain/clean-text';
import { jsonObjectSchema } from './event';
import { wholeNumber } from './whole-number';

/**
 * What the mem0-shaped routes take. A field that is not named here is left alone: mem0's clients send some
 * that have no meaning here, and newer ones will send others.
 */

/** Some clients number their users. */
const id = z.union([z.string(), z.number()]).transform((value) => String(value).trim());
const anId = id.nullish().transform((value) => (value === '' ? null : (value ?? null)));

/** What one says of whose memory it is, in a body or a query. */
const who = { user_id: anId, agent_id: anId, run_id: anId, app_id: anId };

/** A text, or the parts of one; an image is none. */
const content = z.union(
  [
    z.string(),
    z.array(z.looseObject({ type: z.literal('text'), text: z.string() })),
    z.looseObject({ type: z.literal('text'), text: z.string() }),
  ],
  { error: 'must be text: images and files are not remembered' },
);

const textOfContent = (value: z.output<typeof content>): string =>
  typeof value === 'string'
    ? value
    : [value]
        .flat()
        .map((part) => part.text)
        .join('\n');

const message = z
  .looseObject({
    role: z.string().default('user'),
    content: content.nullish(),
    name: z.string().max(200).nullish(),
  })
  .transform(({ role, content: said, name }) => ({
    role,
    content: said == null ? '' : cleanText(textOfContent(said)),
    ...(name == null || name.trim() === '' ? {} : { name: cleanText(name) }),
  }));

const messages = z.union(
  [
    z
      .string()
      .transform((text) => [{ role: 'user', content: cleanText(text) }])
      .meta({ description: 'What the user said' }),
    z.array(message).min(1).max(500),
    message.transform((one) => [one]),
  ],
  { error: 'must be a text, a message, or 1 to 500 messages with role and content' },
);

/** Unix seconds as mem0 has them, or RFC 3339. */
const timestamp = z.union([z.number(), z.string()]).nullish();
/** A day, which is the last on which it is found, or RFC 3339. */
const expirationDate = z.string().nullish();
const metadata = jsonObjectSchema.nullish();

/** Of what takes no parameter. */
export const anyQuery = z.looseObject({});

export const addMemorySchema = z.looseObject({
  messages: messages.optional(),
  text: z.string().optional(),
  ...who,
  metadata,
  infer: z.boolean().nullish(),
  timestamp,
  expiration_date: expirationDate,
});
export type AddMemory = z.output<typeof addMemorySchema>;

const filters = z.union([jsonObjectSchema, z.array(jsonObjectSchema)]).nullish();
const categories = z.array(z.unknown()).nullish();

export const MOST_FOUND = 100;
const topK = z.int().min(1).max(MOST_FOUND).nullish();

export const searchMemoriesSchema = z.looseObject({
  query: z.string().max(20_000).transform(cleanText),
  filters,
  ...who,
  metadata,
  categories,
  top_k: topK,
  limit: topK,
  threshold: z.number().nullish(),
  fields: z.array(z.string()).nullish(),
  reference_date: z.union([z.string(), z.number()]).nullish(),
});
export type SearchMemories = z.output<typeof searchMemoriesSchema>;

export const listMemoriesSchema = z
  .looseObject({
    filters,
    ...who,
    metadata,
    categories,
    start_date: z.string().nullish(),
    end_date: z.string().nullish(),
  })
  .nullish();
export type ListMemories = z.output<typeof listMemoriesSchema>;

const paging = {
  page: wholeNumber(1, 1_000_000).default(1),
  page_size: wholeNumber(1, 500).default(100),
};
export const pageQuery = z.looseObject(paging);
export const memoryListQuery = z.looseObject({ ...who, ...paging });
export type MemoryPage = z.output<typeof pageQuery>;

/** The one place where an unknown field is refused: what narrows a deletion must not be overlooked. */
export const deleteAllQuery = z.strictObject(who);
export type DeleteAll = z.output<typeof deleteAllQuery>;

export const deleteOneQuery = z.looseObject({ delete_linked: z.string().optional() });

export const updateMemorySchema = z.looseObject({
  text: z.string().nullish(),
  memory: z.string().nullish(),
  metadata,
  timestamp,
  expiration_date: expirationDate,
});
export type UpdateMemory = z.output<typeof updateMemorySchema>;

const MOST_AT_ONCE = 1_000;
const named = z.looseObject({ memory_id: z.string() });
export const batchUpdateSchema = z.looseObject({
  memories: z
    .array(named.extend({ text: z.string() }))
    .min(1)
    .max(MOST_AT_ONCE),
});
export type BatchUpdate = z.output<typeof batchUpdateSchema>;
export const batchDeleteSchema = z.looseObject({
  memories: z.array(named).min(1).max(MOST_AT_ONCE),
});
export type BatchDelete = z.output<typeof batchDeleteSchema>;

export const FEEDBACK = ['POSITIVE', 'NEGATIVE', 'VERY_NEGATIVE'] as const;
export const feedbackSchema = z.looseObject({
  memory_id: z.string(),
  feedback: z.enum(FEEDBACK).nullish(),
  feedback_reason: z.string().max(2_000).nullish(),
});
export type MemoryFeedback = z.output<typeof feedbackSchema>;

/** Answers, for OpenAPI; a field that is not listed passes too. */
const text = z.string().nullable();
export const memorySchema = z.looseObject({
  id: z.string(),
  memory: z.string(),
  user_id: text,
  agent_id: text,
  run_id: text,
  metadata: jsonObjectSchema,
  created_at: z.string(),
  updated_at: z.string(),
});
export const resultsSchema = z.looseObject({
  results: z.array(z.looseObject({ id: z.string(), memory: text, score: z.number().optional() })),
});
export const memoryPageSchema = z.looseObject({
  count: z.int(),
  next: text,
  previous: text,
  results: z.array(z.looseObject({})),
});
export const saidSchema = z.looseObject({ message: z.string() });
