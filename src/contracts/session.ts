import type { Json } from './event';

/** A task that agents work on together; known by the caller's own label, 1–200 printable characters. */
export interface Session {
  id: string;
  /** Whose session it is: this agent and whoever it spawned, at any depth, share the blackboard. */
  root_agent: string;
  status: SessionStatus;
  started_at: string;
  ended_at: string | null;
  /** Of its blackboard: how many keys, and the bytes of all values as JSON. */
  keys: number;
  bytes: number;
}

export const SESSION_STATUSES = ['open', 'ended'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

/** One value of a session's blackboard. */
export interface BlackboardEntry {
  key: string;
  value: Json;
  /** Grows with every write in the session; for `If-Match`. */
  version: number;
  writer: { kind: 'person' | 'agent'; id: string };
  created_at: string;
  updated_at: string;
}
