import fc from 'fast-check';
import { CARD_KINDS, TRUSTS } from '../src/contracts/names';
import { isDuration } from '../src/domain/durations';
import {
  DEFAULT_POLICY,
  mergePolicy,
  ruleMatches,
  TRUST_RANK,
  trustOf,
  writeRoute,
} from '../src/domain/policy';

describe('the default policy', () => {
  it('holds the numbers of the design', () => {
    expect(DEFAULT_POLICY).toMatchObject({
      recall: { profile: 'fleet', limit: 5, budget_tokens: 1000 },
      resolve: { tie: 'PT1H' },
      link: { threshold: 0.6, alike: { conflicts: 0.75 } },
      strikes: { count: 3, window: 'P30D' },
      consolidation: { max_retire_share: 0.5, min_cards: 20 },
      retention: { event_payload: 'P30D' },
      learning: { novelty: 7, similarity: 0.8 },
    });
    expect(Object.keys(DEFAULT_POLICY.retention.by_kind).sort()).toEqual([...CARD_KINDS].sort());
    expect(Object.values(DEFAULT_POLICY.retention.by_kind)).toEqual(CARD_KINDS.map(() => null));
  });

  it('writes every duration so that it can be read', () => {
    const found = JSON.stringify(DEFAULT_POLICY).match(/"P[T\d][^"]*"/g) ?? [];
    expect(found.length).toBeGreaterThan(5);
    for (const text of found) expect(isDuration(JSON.parse(text) as string)).toBe(true);
  });

  it('cannot be changed in place', () => {
    expect(() => {
      (DEFAULT_POLICY.strikes as { count: number }).count = 4;
    }).toThrow(TypeError);
  });
});

describe('a change of the policy', () => {
  it('replaces the fields it names, arrays whole, and keeps the others', () => {
    const rules = [{ match: { service: 'agent-scratch' }, route: 'transient' as const }];
    const merged = mergePolicy({ strikes: { count: 5 }, capture: { write_rules: rules } });
    expect(merged.strikes).toEqual({ count: 5, window: 'P30D' });
    expect(merged.capture.write_rules).toEqual(rules);
    expect(merged.recall).toEqual(DEFAULT_POLICY.recall);
    const kept = mergePolicy({ retention: { by_kind: { experience: 'P90D' } } }, merged);
    expect(kept.retention.by_kind).toMatchObject({ experience: 'P90D', constraint: null });
    expect(mergePolicy({ retention: { by_kind: { experience: null } } }, kept)).toEqual(merged);
  });

  it('is the same laid over twice, and nothing when it is empty', () => {
    const patch = fc.record(
      {
        strikes: fc.record({ count: fc.nat() }, { requiredKeys: [] }),
        link: fc.record({ threshold: fc.double({ min: 0, max: 1, noNaN: true }) }),
        proposals: fc.record({ reminders: fc.array(fc.constantFrom('P1D', 'P2D')) }),
      },
      { requiredKeys: [] },
    );
    expect(mergePolicy({})).toEqual(DEFAULT_POLICY);
    fc.assert(
      fc.property(patch, (change) => {
        const once = mergePolicy(change);
        expect(mergePolicy(change, once)).toEqual(once);
        expect(Object.keys(once)).toEqual(Object.keys(DEFAULT_POLICY));
      }),
    );
  });
});

describe('a rule', () => {
  it('matches when every field it names does, and never when it names none', () => {
    const subject = { service: 'web', operation: 'get_webpage', agent: 'agent-a' };
    expect(ruleMatches({ service: 'web' }, subject)).toBe(true);
    expect(ruleMatches({ service: 'web', operation: 'get_*' }, subject)).toBe(true);
    expect(ruleMatches({ service: 'web', operation: 'post_*' }, subject)).toBe(false);
    expect(ruleMatches({ kind: 'chat' }, subject)).toBe(false);
    expect(ruleMatches({}, subject)).toBe(false);
  });

  it('of two that match, the stricter route wins, whatever their order', () => {
    const rules = [
      { match: { service: 'web' }, route: 'sensitive' as const },
      { match: { operation: 'get_webpage' }, route: 'transient' as const },
    ];
    for (const write_rules of [rules, [...rules].reverse()]) {
      const policy = mergePolicy({ capture: { write_rules } });
      expect(writeRoute(policy, { service: 'web', operation: 'get_webpage' })).toBe('sensitive');
      expect(writeRoute(policy, { service: 'slack' })).toBe('durable');
    }
  });

  it('may lower trust and never raises it', () => {
    const trust = fc.constantFrom(...TRUSTS);
    fc.assert(
      fc.property(trust, trust, (credential, named) => {
        const policy = mergePolicy({
          capture: { trust_rules: [{ match: { service: 'web' }, trust: named }] },
        });
        const lowered = trustOf(policy, credential, { service: 'web' });
        expect(TRUST_RANK[lowered]).toBe(Math.min(TRUST_RANK[credential], TRUST_RANK[named]));
        expect(trustOf(policy, credential, { service: 'slack' })).toBe(credential);
      }),
    );
  });
});
