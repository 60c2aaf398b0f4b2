import fc from 'fast-check';
import { CARD_KINDS, INTENTS, RECALL_PROFILES, SIGNS, TRUSTS } from '../src/contracts/names';
import { type EvidenceCard, evidence, halved, touchedAt } from '../src/domain/evidence';
import { DEFAULT_POLICY } from '../src/domain/policy';
import { daysAgo, NOW } from './support/domain-cards';

const { weights } = DEFAULT_POLICY.recall;
const context = { intent: 'act', profile: 'fleet', now: NOW, weights } as const;

const card: EvidenceCard = {
  kind: 'experience',
  sign: 'worked',
  importance: null,
  confidence: 0.8,
  trust: 'runtime',
  key: null,
  valid_from: daysAgo(3),
  touched_at: daysAgo(3),
  proven_uses: 0,
  dense: 0.4,
  relevance: 0.5,
};

const unit = fc.double({ min: 0, max: 1, noNaN: true });
const anyCard: fc.Arbitrary<EvidenceCard> = fc.record({
  kind: fc.constantFrom(...CARD_KINDS),
  sign: fc.constantFrom(...SIGNS),
  importance: fc.option(fc.integer({ min: 1, max: 10 })),
  confidence: unit,
  trust: fc.constantFrom(...TRUSTS),
  key: fc.option(fc.constant('home_airport')),
  valid_from: fc.integer({ min: -5, max: 4000 }).map(daysAgo),
  touched_at: fc.integer({ min: -5, max: 4000 }).map(daysAgo),
  proven_uses: fc.nat({ max: 10_000 }),
  dense: fc.option(fc.double({ min: -1, max: 1, noNaN: true })),
  relevance: fc.double({ min: 1e-9, max: 1, noNaN: true }),
});
const anyContext = fc.record({
  intent: fc.constantFrom(...INTENTS),
  profile: fc.constantFrom(...RECALL_PROFILES),
  now: fc.constant(NOW),
  weights: fc.constant(weights),
});

describe('the evidence score', () => {
  it('is the product that design §7 gives, term by term', () => {
    const terms = evidence({ ...card, proven_uses: 4, importance: 8 }, context);
    const expected =
      0.5 *
      2 *
      (1 + 0.15 * Math.log(5)) *
      Math.exp(-3 / 30) *
      1.05 *
      (0.5 + 8 / 20) *
      (0.8 * 0.99 ** 3) *
      1;
    expect(terms.score).toBeCloseTo(expected, 12);
    expect(terms).toMatchObject({
      relevance: 0.5,
      intent: 2,
      sign: 1.05,
      importance: 0.9,
      trust: 1,
    });
  });

  it('is the sum of the episodic profile', () => {
    const terms = evidence(
      { ...card, dense: 0.7, importance: 9, valid_from: daysAgo(7) },
      { ...context, profile: 'episodic' },
    );
    const expected = 0.4 * 0.7 + 0.3 * Math.exp(-0.01 * 168) + 0.3 * 0.9;
    expect(terms.score).toBeCloseTo(expected, 12);
    const unscored = evidence({ ...card, importance: null }, { ...context, profile: 'episodic' });
    expect(unscored.importance).toBeCloseTo(0.3 * 0.5, 12);
  });

  it.each([
    ['act', ['constraint', 'experience']],
    ['plan', ['competence', 'delegation']],
    ['look_up', ['knowledge', 'insight']],
  ] as const)('doubles for %s only %s', (intent, favoured) => {
    for (const kind of CARD_KINDS) {
      const weight = evidence({ ...card, kind }, { ...context, intent }).intent;
      expect(weight).toBe((favoured as readonly string[]).includes(kind) ? 2 : 1);
    }
  });

  it('weighs a failure more only when the agent is about to act', () => {
    const failed = { ...card, sign: 'failed' as const };
    expect(evidence(failed, context).sign).toBe(1.1);
    expect(evidence(failed, { ...context, intent: 'look_up' }).sign).toBe(1);
  });

  it('never falls below the floor with age, and a note does not age', () => {
    const old = { ...card, touched_at: daysAgo(4000) };
    expect(evidence(old, context).recency).toBe(0.3);
    const note = evidence({ ...old, key: 'home_airport' }, context);
    expect(note).toMatchObject({ recency: 1, confidence: 0.8 });
  });

  it('is the same all day', () => {
    const touched = { ...card, touched_at: daysAgo(3.2) };
    expect(evidence(touched, context)).toEqual(
      evidence(touched, { ...context, now: NOW + 3_600_000 }),
    );
  });

  it('is bounded and a number for any card', () => {
    fc.assert(
      fc.property(anyCard, anyContext, (any, where) => {
        const { score = Number.NaN } = evidence(any, where);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThan(10);
      }),
    );
  });

  it('never falls when a card is used, trusted, believed or rated more', () => {
    const at = (any: EvidenceCard, where: Parameters<typeof evidence>[1]) =>
      evidence(any, where).score ?? Number.NaN;
    fc.assert(
      fc.property(anyCard, anyContext, unit, (any, where, more) => {
        const score = at(any, where);
        expect(at({ ...any, proven_uses: any.proven_uses + 1 }, where)).toBeGreaterThanOrEqual(
          score,
        );
        expect(at({ ...any, importance: 10 }, where)).toBeGreaterThanOrEqual(score);
        expect(at({ ...any, trust: 'person' }, where)).toBeGreaterThanOrEqual(score);
        const confidence = Math.max(any.confidence, more);
        expect(at({ ...any, confidence }, where)).toBeGreaterThanOrEqual(score);
        const relevance = Math.max(any.relevance, more);
        expect(at({ ...any, relevance }, where)).toBeGreaterThanOrEqual(score);
      }),
    );
  });

  it('is halved on an end of an open contradiction', () => {
    const terms = evidence(card, context);
    expect(halved(terms, weights).score).toBeCloseTo((terms.score ?? 0) / 2, 12);
  });

  it('counts from the latest touch', () => {
    const times = { recorded_at: daysAgo(9), last_used_at: daysAgo(2), edited_at: null };
    expect(touchedAt({ ...times, validated_at: daysAgo(5) })).toBe(daysAgo(2));
    expect(touchedAt({ ...times, last_used_at: null, validated_at: null })).toBe(daysAgo(9));
  });
});
