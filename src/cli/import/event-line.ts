import type { SettledEvent } from '../../contracts/event';

/** Every field of an event; the compiler refuses a list that differs from the wire type. */
const KNOWN: Record<keyof SettledEvent, true> = {
  event_id: true,
  kind: true,
  agent: true,
  team: true,
  parent_agent: true,
  task: true,
  session: true,
  project: true,
  subject: true,
  service: true,
  operation: true,
  workflow_step: true,
  task_type: true,
  outcome: true,
  occurred_at: true,
  text: true,
  input: true,
  output: true,
  error: true,
  messages: true,
  delegate: true,
  card_kind: true,
  importance: true,
  parent_event: true,
  key: true,
  final: true,
  metadata: true,
};

/** Where null is a value; elsewhere, exports write it for "not there". */
const MAY_BE_NULL = new Set(['input', 'output', 'error']);

export type EventLine = { event: SettledEvent } | { code: ProblemCode; reason: string };
export type ProblemCode = 'not_json' | 'not_an_event' | 'metadata_conflict';

/**
 * A line as an event: fields that are omitted are dropped, fields that Cairn does not know go into
 * `metadata`. Whether it is a good event, the server says.
 */
export function eventIn(text: string, omit: ReadonlySet<string>): EventLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { code: 'not_json', reason: 'not JSON' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { code: 'not_an_event', reason: 'JSON, but not an object' };
  }
  const known: [string, unknown][] = [];
  const unknown: [string, unknown][] = [];
  for (const [field, content] of Object.entries(value)) {
    if (omit.has(field)) continue;
    if (!Object.hasOwn(KNOWN, field)) unknown.push([field, content]);
    else if (content !== null || MAY_BE_NULL.has(field)) known.push([field, content]);
  }
  // From entries and not by assignment: a field may be called __proto__.
  const event: Record<string, unknown> = Object.fromEntries(known);
  if (unknown.length > 0) {
    const metadata = event.metadata ?? {};
    if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) {
      return {
        code: 'metadata_conflict',
        reason: 'metadata is no object, so nothing can be put into it',
      };
    }
    const taken = unknown.find(([field]) => Object.hasOwn(metadata, field))?.[0];
    if (taken !== undefined) {
      const reason = `the unknown field ${taken} is in metadata already; drop one with --omit ${taken}`;
      return { code: 'metadata_conflict', reason };
    }
    event.metadata = Object.fromEntries([...Object.entries(metadata), ...unknown]);
  }
  return { event: event as unknown as SettledEvent };
}
