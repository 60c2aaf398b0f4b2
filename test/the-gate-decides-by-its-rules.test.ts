import fc from 'fast-check';
import { SCOPE_TYPES } from '../src/contracts/names';
import type { GateRule } from '../src/contracts/policy';
import { DEFAULT_POLICY } from '../src/domain/policy';
import { decide, GATE_REASONS, type GateFacts } from '../src/domain/reflection/gate';

const { rules } = DEFAULT_POLICY.gate;
const TYPES = ['fact', 'skill', 'link', 'merge', 'archive'] as const;
const DECISIONS = ['reject', 'escalate', 'approve'] as const;
const rank = (facts: GateFacts) => DECISIONS.indexOf(decide(facts, rules).decision);

const share = fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100);
const anyFacts: fc.Arbitrary<GateFacts> = fc.record({
  candidate: fc.constantFrom(...TYPES),
  confidence: share,
  evidence: fc.nat({ max: 12 }),
  sources: fc.nat({ max: 5 }),
  openConflict: fc.boolean(),
  sensitive: fc.boolean(),
  scope: fc.constantFrom(...SCOPE_TYPES),
  flags: fc.constantFrom([], ['instruction_like' as const]),
});
const anyRule: fc.Arbitrary<GateRule> = fc.record(
  {
    candidate: fc.constantFrom(...TYPES),
    min_confidence: share,
    min_evidence: fc.integer({ min: 1, max: 8 }),
    max_evidence: fc.nat({ max: 8 }),
    min_sources: fc.integer({ min: 1, max: 4 }),
    open_conflict: fc.boolean(),
    sensitive: fc.boolean(),
    scope: fc.constantFrom(...SCOPE_TYPES),
    flag: fc.constant('instruction_like' as const),
    decision: fc.constantFrom('approve' as const, 'reject' as const, 'escalate' as const),
  },
  { requiredKeys: ['decision'] },
);
/** Each condition once more, from the words of the policy. */
const HOLDS: Record<string, (facts: GateFacts, wanted: unknown) => boolean> = {
  candidate: (of, wanted) => of.candidate === wanted,
  min_confidence: (of, wanted) => of.confidence >= Number(wanted),
  min_evidence: (of, wanted) => of.evidence >= Number(wanted),
  max_evidence: (of, wanted) => of.evidence <= Number(wanted),
  min_sources: (of, wanted) => of.sources >= Number(wanted),
  open_conflict: (of, wanted) => of.openConflict === wanted,
  sensitive: (of, wanted) => of.sensitive === wanted,
  scope: (of, wanted) => WIDTH.indexOf(of.scope) >= WIDTH.indexOf(String(wanted)),
  flag: (of) => of.flags.length > 0,
};
const WIDTH: string[] = ['agent', 'team', 'workspace'];

const facts: GateFacts = {
  candidate: 'fact',
  confidence: 0.84,
  evidence: 4,
  sources: 1,
  openConflict: false,
  sensitive: false,
  scope: 'agent',
  flags: [],
};

describe('the rules of the gate', () => {
  test('are taken in their order: the first that matches decides, and where none does a person is asked', () => {
    const list: GateRule[] = [
      { candidate: 'skill', decision: 'approve' },
      { min_evidence: 5, decision: 'approve' },
      { candidate: 'fact', decision: 'reject' },
    ];
    expect(decide(facts, list)).toEqual({ decision: 'reject', rule: 2, reason: 'rule' });
    expect(decide({ ...facts, evidence: 5 }, list)).toEqual({
      decision: 'approve',
      rule: 1,
      reason: 'evidence',
    });
    expect(decide({ ...facts, candidate: 'link' }, list)).toEqual({
      decision: 'escalate',
      rule: null,
      reason: 'no_rule',
    });
  });

  test('match only where every condition holds', () => {
    fc.assert(
      fc.property(anyFacts, anyRule, (candidate, rule) => {
        const conditions = Object.entries(rule).filter(([field]) => field !== 'decision');
        const holds = conditions.every(([field, wanted]) => HOLDS[field]?.(candidate, wanted));
        const verdict = decide(candidate, [rule]);
        expect(verdict.rule).toBe(holds ? 0 : null);
        expect(verdict.decision).toBe(holds ? rule.decision : 'escalate');
        expect(GATE_REASONS).toContain(verdict.reason);
      }),
    );
  });

  test('decide the same of the same facts', () => {
    fc.assert(
      fc.property(anyFacts, fc.array(anyRule, { maxLength: 8 }), (candidate, list) => {
        expect(decide(candidate, list)).toEqual(decide({ ...candidate }, [...list]));
      }),
    );
  });
});

describe('by the default rules', () => {
  test('more evidence, of more agents and with more confidence never makes it worse', () => {
    fc.assert(
      fc.property(anyFacts, fc.nat(9), fc.nat(4), share, (less, events, agents, surer) => {
        const more = {
          ...less,
          evidence: less.evidence + events,
          sources: less.sources + agents,
          confidence: Math.min(1, less.confidence + surer),
        };
        expect(rank(more)).toBeGreaterThanOrEqual(rank(less));
      }),
      { numRuns: 500 },
    );
  });

  test('what is sensitive is never approved for a team or wider', () => {
    fc.assert(
      fc.property(
        anyFacts,
        fc.constantFrom('team' as const, 'workspace' as const),
        (any, scope) => {
          expect(decide({ ...any, scope, sensitive: true }, rules).decision).toBe('reject');
        },
      ),
    );
  });

  test('what speaks to the machine that reads it is always rejected', () => {
    fc.assert(
      fc.property(anyFacts, (any) => {
        expect(decide({ ...any, flags: ['instruction_like'] }, rules).decision).toBe('reject');
      }),
    );
  });

  test('what rests on one end of an open contradiction is never approved, and well founded it is escalated', () => {
    fc.assert(
      fc.property(anyFacts, (any) => {
        expect(decide({ ...any, openConflict: true }, rules).decision).not.toBe('approve');
      }),
    );
    expect(decide({ ...facts, openConflict: true }, rules)).toMatchObject({
      decision: 'escalate',
      reason: 'open_conflict',
    });
  });

  test('a fact of one event is rejected, one of two waits for a person, one of three is approved', () => {
    const of = (evidence: number) => decide({ ...facts, evidence }, rules).decision;
    expect([1, 2, 3].map(of)).toEqual(['reject', 'escalate', 'approve']);
  });

  test('nothing is approved for a team without a person', () => {
    fc.assert(
      fc.property(anyFacts, (any) => {
        expect(decide({ ...any, scope: 'team' }, rules).decision).not.toBe('approve');
      }),
    );
  });
});
