import type { Json, JsonObject, Refused, SettledEvent } from '../contracts/event';
import { captureWorkflowId } from '../contracts/workflow-ids';
import { cleanJson, depthOf } from '../domain/clean-text';
import { redactJson } from '../redaction/json';
import type { RedactionOptions } from '../redaction/scanner';
import { parseEvent } from '../schemas/event';
import type { WorkspaceHasher } from './hashing';
import { checkIdentifiers } from './identifiers';

/** Of one event as JSON, in bytes (design §5). */
export const MAX_EVENT_BYTES = 256 * 1024;
/** Levels of nesting (contract, Events). */
export const MAX_EVENT_DEPTH = 32;
/** Temporal's Postgres keeps 255 characters of a workflow id; prefix and workspace take up to 49 (design §6). */
const MAX_ID_IN_WORKFLOW_ID = 120;

/** An event that is fit to be made durable. */
export interface PreparedEvent {
  event: SettledEvent;
  /** Keyed hash of what came: says whether a repeated id brings the same content. */
  contentHash: Buffer;
  /** Keyed hash without the id: the same work reported under another id. */
  dedupeHash: Buffer;
  redactions: Record<string, number>;
  workflowId: string;
}

export interface PreparedItem {
  /** Echoed only where it is known to be harmless. */
  eventId: string | null;
  result: PreparedEvent | Refused;
}

export interface Preparation {
  workspace: string;
  /** Whose key reports, where it is an agent's own: what names no agent is its work. */
  agent?: string;
  hasher: WorkspaceHasher;
  redaction: RedactionOptions;
}

const IDENTIFIERS: ReadonlySet<string> = new Set([
  'event_id',
  'kind',
  'agent',
  'team',
  'parent_agent',
  'task',
  'session',
  'project',
  'subject',
  'service',
  'operation',
  'workflow_step',
  'task_type',
  'outcome',
  'occurred_at',
  'delegate',
  'card_kind',
  'importance',
  'parent_event',
  'key',
  'final',
]);

/** Clean, check, redact and hash one item of a batch. It never throws: what is wrong becomes a refusal. */
export function prepareEvent(raw: unknown, by: Preparation): PreparedItem {
  // Depth first: what writes or reads JSON calls itself at each level, and would run out of stack.
  if (depthOf(raw, MAX_EVENT_DEPTH) > MAX_EVENT_DEPTH) {
    return refuse(
      null,
      'invalid',
      `the event is nested deeper than ${MAX_EVENT_DEPTH} levels; send the deep part as text`,
    );
  }
  const bytes = Buffer.byteLength(JSON.stringify(raw) ?? '');
  if (bytes > MAX_EVENT_BYTES) {
    return refuse(
      null,
      'too_large',
      `the event is ${bytes} bytes of JSON; at most ${MAX_EVENT_BYTES} are taken`,
    );
  }
  const clean = ofAgent(cleanEvent(raw as Json), by.agent);
  const parsed = parseEvent(clean);
  if (!('event' in parsed)) return refuse(null, 'invalid', parsed.detail, parsed.pointer);
  const { event, refused } = checkIdentifiers(parsed.event, by.redaction);
  if (refused !== null) return { eventId: null, result: refused };
  const { event_id: _id, ...content } = clean as JsonObject;
  const redacted = redactContent(event, by.redaction);
  return {
    eventId: event.event_id,
    result: {
      event: redacted.event,
      redactions: redacted.counts,
      contentHash: by.hasher.hash('event', clean),
      dedupeHash: by.hasher.hash('content', content),
      workflowId: captureWorkflowId(by.workspace, eventPart(event.event_id, by.hasher)),
    },
  };
}

function ofAgent(event: Json, agent: string | undefined): Json {
  const isNamed = typeof event !== 'object' || event === null || 'agent' in event;
  return agent === undefined || isNamed || Array.isArray(event) ? event : { ...event, agent };
}

/**
 * Content is cleaned; the names of fields, ids and labels are not, beyond composing, since they have to
 * be found again as they were sent: one that holds NUL or half a surrogate pair is refused by its form.
 */
function cleanEvent(raw: Json): Json {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return raw;
  return Object.fromEntries(
    Object.entries(raw).map(([field, value]) => [
      field,
      IDENTIFIERS.has(field) ? composed(value) : cleanJson(value),
    ]),
  );
}

function composed(value: Json): Json {
  if (typeof value === 'string') return value.length > LONGEST_LABEL ? value : composedText(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      typeof inner === 'string' && inner.length <= LONGEST_LABEL ? composedText(inner) : inner,
    ]),
  );
}

/** An id is ASCII: a letter that composes into one (the Kelvin sign into K) makes no id. */
function composedText(text: string): string {
  const composed = text.normalize('NFC');
  return ASCII.test(composed) ? text : composed;
}

const ASCII = /^[\u0020-\u007e]*$/;
/** Longer than any label can be, decomposed; what is beyond is refused as it is. */
const LONGEST_LABEL = 2_000;

/** The caller's id where Temporal can hold it, else a keyed hash of it behind `~`. */
function eventPart(eventId: string, hasher: WorkspaceHasher): string {
  return eventId.length <= MAX_ID_IN_WORKFLOW_ID && !eventId.includes('/')
    ? eventId
    : `~${hasher.shortId('event-id', eventId)}`;
}

/** Everything that is not an identifier or a label, object keys included. */
export function redactContent(
  event: SettledEvent,
  options: RedactionOptions,
): { event: SettledEvent; counts: Record<string, number> } {
  const kept: JsonObject = {};
  const content: JsonObject = {};
  for (const [field, value] of Object.entries(event as unknown as JsonObject)) {
    (IDENTIFIERS.has(field) ? kept : content)[field] = value;
  }
  const { value, counts } = redactJson(content, options);
  // A scan that failed as a whole answers with a mark instead of an object: fail closed, keep the ids.
  const safe = typeof value === 'object' && value !== null ? value : { text: value };
  return { event: { ...kept, ...(safe as JsonObject) } as unknown as SettledEvent, counts };
}

function refuse(
  eventId: string | null,
  code: Refused['code'],
  detail: string,
  pointer?: string,
): PreparedItem {
  return { eventId, result: pointer ? { code, detail, pointer } : { code, detail } };
}
