import type { LinkCandidate, LinkCard } from '../../src/domain/link';
import { DEFAULT_POLICY } from '../../src/domain/policy';
import type { Candidate, RankInput } from '../../src/domain/recall-pipeline';

/** A day on which every card of these tests is a few hours old. */
export const NOW = Date.parse('2026-06-01T12:00:00Z');

/** A time the given number of days before `NOW`. */
export function daysAgo(days: number): string {
  return new Date(NOW - days * 86_400_000).toISOString();
}

export function linkCard(over: Partial<LinkCard> = {}): LinkCard {
  return {
    id: 'new',
    kind: 'experience',
    sign: 'worked',
    service: 'flight-booking',
    operation: 'book_reservation',
    workflow: null,
    step: null,
    task_type: null,
    subject: null,
    key: null,
    topic: null,
    keywords: [],
    input_fields: { origin: 'JFK', destination: 'SFO', 'payment_methods.0.amount': '608' },
    error_signature: null,
    valid_from: daysAgo(1),
    summary: 'Booked JFK to SFO, economy, paying 608. It worked.',
    scope: { type: 'agent', id: 'agent-a' },
    value: null,
    ...over,
  };
}

export function linkCandidate(over: Partial<LinkCandidate> = {}): LinkCandidate {
  return { ...linkCard({ id: 'old', valid_from: daysAgo(2) }), similarity: null, ...over };
}

export function warning(over: Partial<LinkCandidate> = {}): LinkCandidate {
  return linkCandidate({
    kind: 'constraint',
    sign: 'failed',
    input_fields: { origin: 'JFK', destination: 'SFO', 'payment_methods.0.amount': '304' },
    summary: 'Booked JFK to SFO, economy, paying 304. It failed: the total price is 608.',
    ...over,
  });
}

export function candidate(over: Partial<Candidate> = {}): Candidate {
  return {
    id: 'card',
    kind: 'experience',
    tier: 'episodic',
    sign: 'worked',
    status: 'active',
    summary: 'Booked JFK to SFO, economy. It worked.',
    hints: {
      service: 'flight-booking',
      operation: 'book_reservation',
      task_type: null,
      workflow: null,
      step: null,
      keywords: [],
      error_signature: null,
      error_family: null,
    },
    key: null,
    subject: null,
    topic: null,
    project: null,
    session: null,
    scope: { type: 'agent', id: 'agent-a' },
    visibility: 'private',
    importance: null,
    confidence: 0.8,
    trust: 'runtime',
    valid_from: daysAgo(1),
    valid_to: null,
    recorded_at: daysAgo(1),
    expires_at: null,
    use_count: 0,
    last_used_at: null,
    version: 1,
    metadata: {},
    flags: [],
    provenance: {
      event_id: null,
      writer: { kind: 'agent', id: 'agent-a' },
      workflow_id: null,
      run_id: null,
      model: null,
      prompt_version: null,
      embedder: null,
      distilled_by: 'fallback',
    },
    via: ['own'],
    dense: 0.5,
    lexical: 3,
    graph: null,
    structured: null,
    recency: null,
    vector: null,
    fold_key: null,
    proven_uses: 0,
    touched_at: daysAgo(1),
    ...over,
  };
}

/** Words stand for tokens: what matters is that the budget is asked of the caller's own count. */
export function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}

export function rankInput(over: Partial<RankInput> = {}): RankInput {
  return {
    query: 'book JFK to SFO',
    intent: 'act',
    profile: 'fleet',
    now: NOW,
    asOf: NOW,
    policy: DEFAULT_POLICY,
    limit: 5,
    budgetTokens: 1000,
    countTokens: countWords,
    filters: {},
    candidates: [],
    edges: [],
    others: [],
    explain: false,
    ...over,
  };
}
