import { createHash } from 'node:crypto';
import type { JsonObject, SettledEvent } from '../../contracts/event';
import type { Entry } from './run';

/** What the files of other programs do not say. */
export interface ForeignFile {
  /** Whose memories they become, where a memory names no agent. */
  agent: string;
  /** When what has no time of its own was said, RFC 3339. */
  at: string;
}

/** One thing that another program remembers. */
export interface Remembered {
  /** Of the program: `mem0`, `mcp-memory`. */
  from: string;
  text: string;
  agent: string;
  subject?: string;
  session?: string;
  at: string;
  metadata: JsonObject;
}

/**
 * As an event, whose id is a hash of who remembers what about whom: the same memory from the same or another file is
 * the same event, and one that was changed there is a new one.
 */
export function rememberedEvent(remembered: Remembered): SettledEvent {
  const { from, text, agent, subject, session, at, metadata } = remembered;
  const said = JSON.stringify([text, agent, subject ?? null, session ?? null]);
  const digest = createHash('sha256').update(said).digest('hex').slice(0, 32);
  return {
    event_id: `${from}:${digest}`,
    kind: 'observation',
    agent,
    outcome: 'neutral',
    occurred_at: at,
    text,
    card_kind: 'knowledge',
    metadata: { ...metadata, imported_from: from },
    ...(subject === undefined ? {} : { subject }),
    ...(session === undefined ? {} : { session }),
  };
}

export function notAMemory(line: number, reason: string): Entry {
  return { line, code: 'not_a_memory', reason };
}

/** A text that says something, or undefined. */
export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
