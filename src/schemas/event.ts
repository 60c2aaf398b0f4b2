import { z } from 'zod';
import type {
  EventItem,
  EventsAnswer,
  Json,
  JsonObject,
  Refused,
  SettledEvent,
} from '../contracts/event';
import {
  CARD_KINDS,
  DISPOSITIONS,
  EVENT_KINDS,
  ITEM_STATUSES,
  OUTCOMES,
  REFUSALS,
} from '../contracts/names';

/** Ids of the contract: they start with a letter or digit and hold no space. */
export const idSchema = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,199}$/,
    'must be 1 to 200 of A-Z a-z 0-9 . _ : / @ - and start with a letter or digit',
  );

/** Of an agent, a person or a subject: also a phone number in its international form, which becomes a pseudonym. */
export const personalIdSchema = z.union([idSchema, z.string().regex(/^\+[0-9][0-9 ().-]{5,24}$/)], {
  error: 'must be an id of 1 to 200 of A-Z a-z 0-9 . _ : / @ - that starts with a letter or digit',
});

/** `task`, `session` and the labels: any 1–200 printable characters. */
export const labelSchema = z
  .string()
  .regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]{1,200}$/u, 'must be 1 to 200 printable characters');

/** RFC 3339 with a zone; a time without one is refused, since nobody knows when it was. */
export const timeSchema = z.iso
  .datetime({
    offset: true,
    error: 'must be an RFC 3339 time with a zone, such as 2026-03-02T08:24:15Z',
  })
  .refine(isWithinReach, 'must lie between the years 1000 and 9999 in UTC');

/** Beyond these a time is written otherwise by Postgres, JavaScript or RFC 3339. */
function isWithinReach(time: string): boolean {
  const at = Date.parse(time);
  return at >= Date.UTC(1000, 0, 1) && at < Date.UTC(9999, 11, 31);
}

/**
 * Looked at and handed on as it is: a copy would lose a member named `__proto__`. Documented as open,
 * since a schema of JSON itself refers to itself.
 */
export const jsonSchema = z.custom<Json>(isJson, 'must be JSON').meta({ description: 'Any JSON' });
export const jsonObjectSchema: z.ZodType<JsonObject> = z
  .custom<JsonObject>((value) => isRecord(value) && isJson(value), 'must be a JSON object')
  .meta({ type: 'object', additionalProperties: true });

const messageSchema = z.strictObject({
  role: labelSchema,
  content: z.string(),
  name: labelSchema.optional(),
  at: timeSchema.optional(),
});

/** A track record adds these up, and a sum has to stay a number: 10¹² ms are 31 years. */
const amountSchema = z.number().nonnegative().max(1e12, 'must be at most 1000000000000');

export const eventSchema = z.strictObject({
  event_id: idSchema,
  kind: z.enum(EVENT_KINDS),
  agent: personalIdSchema,
  team: idSchema.optional(),
  parent_agent: personalIdSchema.optional(),
  task: labelSchema.optional(),
  session: labelSchema.optional(),
  project: idSchema.optional(),
  subject: personalIdSchema.optional(),
  service: labelSchema.optional(),
  operation: labelSchema.optional(),
  workflow_step: z.strictObject({ workflow: labelSchema, step: labelSchema }).optional(),
  task_type: labelSchema.optional(),
  outcome: z.enum(OUTCOMES),
  occurred_at: timeSchema,
  text: z.string().optional(),
  input: jsonSchema.optional(),
  output: jsonSchema.optional(),
  error: jsonSchema.optional(),
  messages: z.array(messageSchema).optional(),
  delegate: z
    .strictObject({
      agent: personalIdSchema,
      cost: amountSchema.optional(),
      duration_ms: amountSchema.optional(),
    })
    .optional(),
  card_kind: z.enum(CARD_KINDS).optional(),
  importance: z.int().min(1).max(10).optional(),
  parent_event: idSchema.optional(),
  key: idSchema.optional(),
  final: z.boolean().optional(),
  metadata: jsonObjectSchema.optional(),
});

// The wire type and the schema may not drift apart: a field in one is a field in the other.
type Parsed = z.output<typeof eventSchema>;
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
const sameFields: Same<keyof Parsed, keyof SettledEvent> = true;
void sameFields;

const refusedSchema = z.looseObject({
  code: z.enum(REFUSALS),
  detail: z.string(),
  pointer: z.string().optional(),
});

const itemSchema = z.looseObject({
  event_id: z.string().optional(),
  index: z.int().optional(),
  operation_id: z.string().optional(),
  workflow_id: z.string().optional(),
  status: z.enum(ITEM_STATUSES),
  reason: refusedSchema.optional(),
  card_id: z.string().optional(),
  disposition: z.enum(DISPOSITIONS).optional(),
});

type Declared<Schema extends z.ZodObject> = keyof Schema['shape'];
const sameItems: [
  Same<Declared<typeof itemSchema>, keyof EventItem>,
  Same<Declared<typeof refusedSchema>, keyof Refused>,
] = [true, true];
void sameItems;

/** What `POST /v1/events` answers; a field that is not listed passes too. */
export const eventsAnswerSchema = z.looseObject({
  items: z.array(itemSchema),
}) as unknown as z.ZodType<EventsAnswer, EventsAnswer>;

/** The event, or the first thing that is wrong with it and where. */
export function parseEvent(
  value: unknown,
): { event: SettledEvent } | { pointer: string; detail: string } {
  const parsed = eventSchema.safeParse(value);
  if (parsed.success) return { event: parsed.data as SettledEvent };
  return firstIssue(parsed.error);
}

/** A problem's place as a JSON pointer and its sentence; never the value itself. */
export function firstIssue(error: z.ZodError): { pointer: string; detail: string } {
  const issue = error.issues[0];
  if (issue === undefined) return { pointer: '', detail: 'is not valid' };
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    return {
      pointer: pointerOf([...path, key]),
      detail: 'unknown field: remove it, or put it into metadata',
    };
  }
  return { pointer: pointerOf(path), detail: issue.message };
}

function pointerOf(path: readonly string[]): string {
  return shortPointer(
    path.map((part) => `/${part.replace(/~/g, '~0').replace(/\//g, '~1')}`).join(''),
  );
}

/**
 * A pointer repeats names that the caller chose: of one longer than any place in a request its
 * beginning is enough to find it, and 500 refusals stay an answer of a sane size.
 */
export function shortPointer(pointer: string): string {
  if (pointer.length <= POINTER_LENGTH) return pointer;
  return `${pointer.slice(0, POINTER_LENGTH).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

const POINTER_LENGTH = 200;

/** What JSON text can say; a number too large for a double (1e999) cannot be written back. */
function isJson(value: unknown): boolean {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one === 'number' ? !Number.isFinite(one) : !JSON_TYPES.has(typeof one)) return false;
    if (typeof one !== 'object' || one === null) continue;
    if (!Array.isArray(one) && !isRecord(one)) return false;
    for (const inner of Object.values(one)) open.push(inner);
  }
  return true;
}

const JSON_TYPES: ReadonlySet<string> = new Set(['object', 'string', 'boolean', 'number']);

function isRecord(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
