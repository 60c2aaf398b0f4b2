import type { Card } from '../../contracts/card';
import type { WrittenCard } from '../card-creating';

/** What adding a sentence came to. */
export type MemoryEvent = 'ADD' | 'NONE' | 'UPDATE';

/** A card as mem0's clients know a memory; what they have no name for stands beside it. */
export interface Memory {
  id: string;
  memory: string;
  user_id: string | null;
  agent_id: string | null;
  app_id: null;
  run_id: string | null;
  metadata: Card['metadata'];
  categories: [];
  created_at: string;
  updated_at: string;
  expiration_date: string | null;
  kind: Card['kind'];
  sign: Card['sign'];
  status: Card['status'];
  score?: number;
  event?: MemoryEvent;
  /** Only the beginning of what was added is kept: it was longer than a memory, and no fact was found in it. */
  truncated?: boolean;
  /** Why the policy holds it back, where it does. */
  reason?: string;
}

export function memoryOf(card: Card, changedAt: string): Memory {
  return {
    id: card.id,
    memory: card.summary,
    user_id: card.subject,
    agent_id: agentOf(card),
    app_id: null,
    run_id: card.session,
    metadata: card.metadata,
    categories: [],
    created_at: card.recorded_at,
    updated_at: changedAt,
    expiration_date: card.expires_at === null ? null : lastDay(card.expires_at),
    kind: card.kind,
    sign: card.sign,
    status: card.status,
  };
}

export function writtenMemory(card: WrittenCard, changedAt: string, event: MemoryEvent): Memory {
  const memory = { ...memoryOf(card, changedAt), event };
  return card.reason === undefined ? memory : { ...memory, reason: card.reason };
}

/** Whose memory it is; of a team's or the workspace's nobody's alone. */
export function agentOf({ scope }: Pick<Card, 'scope'>): string | null {
  return scope.type === 'agent' ? scope.id : null;
}

/** A recall's score grows without bound, and orders: here it lies in 0–1 and orders the same. */
export function scoreOf(score: number): number {
  return 1 - Math.exp(-Math.max(0, score));
}

const DAY_MS = 86_400_000;

/** The day on which it is still found. */
function lastDay(expiresAt: string): string {
  return new Date(Date.parse(expiresAt) - 1).toISOString().slice(0, 10);
}

/** When a day given as `YYYY-MM-DD` is over, in UTC; any other text as it is. */
export function endOfDay(date: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return date;
  const start = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(start) ? date : new Date(start + DAY_MS).toISOString();
}

/** Of mem0's Unix seconds; RFC 3339 as it is. A number of thirteen digits is milliseconds. */
export function momentOf(timestamp: number | string): string {
  const number = typeof timestamp === 'number' ? timestamp : Number(timestamp);
  if (Number.isNaN(number)) return String(timestamp);
  const time = new Date(number < 1e11 ? number * 1000 : number);
  return Number.isNaN(time.getTime()) ? String(timestamp) : time.toISOString();
}
