import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SettledEvent } from '../src/contracts/event';
import { TIER_OF_KIND } from '../src/contracts/names';
import { distill } from '../src/domain/distill/distill';
import { linkAll } from '../src/domain/link';
import { DEFAULT_POLICY } from '../src/domain/policy';
import type { FactCandidate } from '../src/domain/reflection/candidate';
import type { ReflectionCard, ReflectionEdge } from '../src/domain/reflection/card';
import { findCandidates } from '../src/domain/reflection/find';
import { decide } from '../src/domain/reflection/gate';
import { describeWithData } from './support/data';
import { success } from './support/reflection-cards';

interface Line extends SettledEvent {
  labels: unknown;
  source: unknown;
  trajectory: unknown;
}

/** As filing leaves them: each card with the edges that it gets among the last fifty of its call. */
function cardsOf(events: readonly SettledEvent[]): {
  cards: ReflectionCard[];
  edges: ReflectionEdge[];
} {
  const cards: ReflectionCard[] = [];
  const edges: ReflectionEdge[] = [];
  for (const event of events) {
    const draft = distill(event, []);
    const { service = null, operation = null, task_type = null } = event;
    const hints = { service, operation, task_type, workflow: null, step: null };
    const { keywords, error_signature, error_family } = draft;
    const card = success({
      id: event.event_id,
      event: event.event_id,
      task: event.task ?? null,
      kind: draft.kind,
      tier: TIER_OF_KIND[draft.kind],
      sign: draft.sign,
      summary: draft.summary,
      topic: draft.topic,
      flags: draft.flags,
      input_fields: draft.input_fields,
      scope: { type: 'agent', id: event.agent },
      agent: event.agent,
      valid_from: event.occurred_at,
      recorded_at: event.occurred_at,
      hints: { ...hints, keywords, error_signature, error_family },
    });
    const compared = (one: ReflectionCard) => ({ ...one, ...one.hints, value: null });
    const near = cards
      .filter(({ hints: of }) => of.service === service && of.operation === operation)
      .slice(-50)
      .map((one) => ({ ...compared(one), similarity: null }));
    edges.push(...linkAll(compared(card), near, DEFAULT_POLICY.link));
    cards.push(card);
  }
  return { cards, edges };
}

const FIGURES = /^(\S+) failed (\d+) of (\d+) times/;

describeWithData('what a reflection finds in the work of a real fleet', (folder) => {
  const found: { agent: string; events: SettledEvent[]; facts: FactCandidate[] }[] = [];
  beforeAll(() => {
    const lines = readFileSync(join(folder, 'fleet-dev.jsonl'), 'utf8').split('\n');
    const byAgent = new Map<string, SettledEvent[]>();
    for (const line of lines.filter((one) => one !== '')) {
      const { labels: _l, source: _s, trajectory: _t, ...event } = JSON.parse(line) as Line;
      byAgent.set(event.agent, [...(byAgent.get(event.agent) ?? []), event]);
    }
    for (const [agent, events] of byAgent) {
      const { cards, edges } = cardsOf(events);
      const candidates = findCandidates(cards, edges, DEFAULT_POLICY.link);
      const facts = candidates.filter((one) => one.type === 'fact');
      found.push({ agent, events, facts });
    }
  });

  test('is enough to be of use, and not so much that nobody reads it', () => {
    const facts = found.flatMap(({ facts: of }) => of);
    expect(facts.length).toBeGreaterThanOrEqual(15);
    expect(facts.length).toBeLessThanOrEqual(60);
    const payments = facts.filter(({ operation }) => operation === 'book_reservation');
    expect(payments.map(({ text }) => text).join('\n')).toMatch(/once payment amount was changed/);
  });

  test('has the figures that the events have', () => {
    let checked = 0;
    for (const { events, facts } of found) {
      for (const { text } of facts) {
        const [, call, failed, all] = FIGURES.exec(text) ?? [];
        if (call === undefined) continue;
        const same = events.filter((event) => `${event.service}.${event.operation}` === call);
        const bad = same.filter(({ outcome }) => outcome === 'failed' || outcome === 'blocked');
        expect(Number(failed)).toBeGreaterThanOrEqual(2);
        expect(Number(failed)).toBeLessThanOrEqual(bad.length);
        // Events that speak to the machine are flagged, and no evidence.
        expect(Number(all)).toBeLessThanOrEqual(same.length);
        checked += 1;
      }
    }
    expect(checked).toBeGreaterThanOrEqual(15);
  });

  test('reads as a sentence that says what to do or to expect, and is not rejected by the default rules', () => {
    for (const { text, ...fact } of found.flatMap(({ facts }) => facts)) {
      expect(text).toMatch(/^\S+\.\S+ .*\.$/);
      expect(text.length).toBeLessThanOrEqual(480);
      expect(text).not.toMatch(/[{}[\]]|undefined|null\b/);
      const gate = decide(
        {
          candidate: 'fact',
          confidence: fact.confidence,
          evidence: fact.evidence,
          sources: fact.agents,
          openConflict: false,
          sensitive: false,
          scope: 'agent',
          flags: [],
        },
        DEFAULT_POLICY.gate.rules,
      );
      expect(gate.decision).not.toBe('reject');
    }
  });
});
