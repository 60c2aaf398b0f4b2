import fc from 'fast-check';
import { competenceOf, competenceSummary, wilsonLowerBound } from '../src/domain/competence';
import { daysAgo } from './support/domain-cards';

describe('competence', () => {
  it('agrees with published values of the Wilson bound', () => {
    expect(wilsonLowerBound(0, 10)).toBe(0);
    expect(wilsonLowerBound(1, 1)).toBeCloseTo(0.2065, 4);
    expect(wilsonLowerBound(9, 10)).toBeCloseTo(0.5958, 4);
    expect(wilsonLowerBound(81, 263)).toBeCloseTo(0.2553, 4);
    expect(wilsonLowerBound(0, 0)).toBe(0);
  });

  it('stays between 0 and the rate, and rises with successes and with evidence', () => {
    const pair = fc
      .integer({ min: 1, max: 5000 })
      .chain((attempts) => fc.tuple(fc.integer({ min: 0, max: attempts }), fc.constant(attempts)));
    fc.assert(
      fc.property(pair, ([completed, attempts]) => {
        const bound = wilsonLowerBound(completed, attempts);
        expect(bound).toBeGreaterThanOrEqual(0);
        expect(bound).toBeLessThanOrEqual(completed / attempts);
        expect(wilsonLowerBound(completed + 1, attempts + 1)).toBeGreaterThanOrEqual(bound);
        expect(wilsonLowerBound(completed * 2, attempts * 2)).toBeGreaterThanOrEqual(bound);
        expect(wilsonLowerBound(completed, attempts + 1)).toBeLessThanOrEqual(bound);
      }),
    );
  });

  const observation = fc.record({
    worked: fc.boolean(),
    cost: fc.option(fc.double({ min: 0, max: 100, noNaN: true })),
    duration_ms: fc.option(fc.nat({ max: 100_000 })),
    at: fc.integer({ min: 0, max: 100 }).map(daysAgo),
  });

  it('does not depend on the order in which work settled', () => {
    fc.assert(
      fc.property(fc.array(observation, { maxLength: 20 }), (all) => {
        const figures = competenceOf(all);
        expect(competenceOf([...all].reverse())).toEqual(figures);
        expect(figures.completed).toBeLessThanOrEqual(figures.attempts);
      }),
    );
  });

  it('takes means over what was measured, and has none where nothing was', () => {
    const figures = competenceOf([
      { worked: true, cost: 2, duration_ms: null, at: daysAgo(3) },
      { worked: false, cost: null, duration_ms: null, at: daysAgo(1) },
    ]);
    expect(figures).toMatchObject({
      attempts: 2,
      completed: 1,
      completion_rate: 0.5,
      cost_total: 2,
      cost_mean: 2,
      duration_ms_mean: null,
      last_at: daysAgo(1),
    });
    expect(competenceOf([])).toMatchObject({ completion_rate: 0, lower_bound: 0, last_at: null });
    expect(competenceSummary('agent-a', 'refund', figures)).toBe(
      'agent-a completed 1 of 2 refund tasks (at least 9 % at 95 % confidence). ' +
        'On average it took a cost of 2.',
    );
  });
});
