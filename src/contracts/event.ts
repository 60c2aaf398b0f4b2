import type { CardKind, Disposition, EventKind, ItemStatus, Outcome, Refusal } from './names';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** A settled piece of work as a caller reports it (design §10, contract "Events"). Ids 1–200 characters. */
export interface SettledEvent {
  event_id: string;
  kind: EventKind;
  agent: string;
  team?: string;
  parent_agent?: string;
  task?: string;
  session?: string;
  project?: string;
  subject?: string;
  service?: string;
  operation?: string;
  workflow_step?: { workflow: string; step: string };
  task_type?: string;
  outcome: Outcome;
  /** RFC 3339 with a zone; a time without one is refused. */
  occurred_at: string;
  text?: string;
  input?: Json;
  output?: Json;
  error?: Json;
  messages?: { role: string; content: string; name?: string; at?: string }[];
  /** The agent that did the work; absent means the event's own agent. `duration_ms` in milliseconds. */
  delegate?: { agent: string; cost?: number; duration_ms?: number };
  card_kind?: CardKind;
  /** 1–10. */
  importance?: number;
  parent_event?: string;
  /** Makes a keyed `knowledge` card, a note. */
  key?: string;
  /** The task ends with this event. */
  final?: boolean;
  /** The caller's own: filterable and returned, never indexed, embedded or distilled. */
  metadata?: JsonObject;
}

export interface Refused {
  code: Refusal;
  detail: string;
  /** JSON pointer into the item, e.g. `/occurred_at`. */
  pointer?: string;
}

export interface EventItem {
  event_id?: string;
  /** Position in the batch; present where the id itself must not be echoed. */
  index?: number;
  operation_id?: string;
  workflow_id?: string;
  status: ItemStatus;
  reason?: Refused;
  card_id?: string;
  disposition?: Disposition;
}

export interface EventsAnswer {
  items: EventItem[];
}

/**
 * `GET /v1/events/{event_id}`. `event` is null once the payload's retention is over; of an event that is
 * not remembered nothing was kept but its id, its agent and its disposition.
 */
export interface EventRecord {
  event_id: string;
  agent: string;
  kind: EventKind | null;
  outcome: Outcome | null;
  occurred_at: string | null;
  recorded_at: string;
  event: JsonObject | null;
  disposition: Disposition;
  reason: string | null;
  card_id: string | null;
  operation_id: string;
  redactions: Record<string, number>;
  needs_distill: boolean;
}
