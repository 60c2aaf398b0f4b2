import type { CardHints } from '../../contracts/card';
import type { CardStatus, Trust } from '../../contracts/names';
import { CONFIDENCE_DECIMALS } from '../confidence';
import { TRUST_RANK } from '../policy';
import { epochMs } from '../read-time';
import type { Episode } from './episode';

const MOST_KEYWORDS = 12;

/** What a note takes from its sources: never more than each of them has. */
export interface NoteStanding {
  status: Extract<CardStatus, 'pending' | 'active'>;
  trust: Trust;
  confidence: number;
  importance: number | null;
  valid_from: string;
  expires_at: string | null;
  hints: CardHints;
  /** Whose work it was, where it was one agent's. */
  agent: string | null;
}

/**
 * The standing of a note: unconfirmed where a source is, trusted as the least of them, as sure as they are on average,
 * as weighty as the weightiest, of the time of the newest, and gone with the first of them.
 */
export function standingOf(sources: readonly Episode[]): NoteStanding {
  const [first] = sources;
  if (first === undefined) throw new Error('a note has sources');
  const sum = sources.reduce((total, { confidence }) => total + confidence, 0);
  const scored = sources.flatMap(({ importance }) => (importance === null ? [] : [importance]));
  const ends = sources.flatMap(({ expires_at }) => (expires_at === null ? [] : [expires_at]));
  return {
    status: sources.some(({ status }) => status === 'pending') ? 'pending' : 'active',
    trust: sources.reduce<Trust>(
      (least, { trust }) => (TRUST_RANK[trust] < TRUST_RANK[least] ? trust : least),
      first.trust,
    ),
    confidence: Number((sum / sources.length).toFixed(CONFIDENCE_DECIMALS)),
    importance: scored.length === 0 ? null : Math.max(...scored),
    valid_from: ordered(sources.map((source) => source.valid_from)).at(-1) ?? first.valid_from,
    expires_at: ordered(ends)[0] ?? null,
    hints: hintsOf(sources),
    agent: common(sources.map(({ agent }) => agent)),
  };
}

function hintsOf(sources: readonly Episode[]): CardHints {
  const of = (hint: 'service' | 'operation' | 'task_type' | 'workflow' | 'step') =>
    common(sources.map(({ hints }) => hints[hint]));
  return {
    service: of('service'),
    operation: of('operation'),
    task_type: of('task_type'),
    workflow: of('workflow'),
    step: of('step'),
    keywords: mostFrequent(sources.flatMap(({ hints }) => hints.keywords)),
    error_signature: null,
    error_family: null,
  };
}

function common(values: readonly (string | null)[]): string | null {
  const [first = null] = values;
  return values.every((value) => value === first) ? first : null;
}

function mostFrequent(words: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, MOST_KEYWORDS)
    .map(([word]) => word);
}

function ordered(times: readonly string[]): string[] {
  return [...times].sort((a, b) => epochMs(a) - epochMs(b));
}
