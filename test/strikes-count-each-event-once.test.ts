import fc from 'fast-check';
import { DAY_MS, durationMs, isDuration } from '../src/domain/durations';
import { isStrike, isStruckOut, stepOf, strikesInWindow } from '../src/domain/strike-step';
import { daysAgo, NOW } from './support/domain-cards';

describe('the step of an event', () => {
  const call = { service: 'slack', operation: 'get_channels' };

  it('is its workflow step, else its service and operation, else none', () => {
    const workflow_step = { workflow: 'release', step: 'publish' };
    expect(stepOf({ ...call, workflow_step })).toEqual(workflow_step);
    expect(stepOf(call)).toEqual({ workflow: 'slack', step: 'get_channels' });
    expect(stepOf({ service: 'slack' })).toBeNull();
    expect(stepOf({})).toBeNull();
  });

  it('is struck by failures and blocks only', () => {
    const struck = (['worked', 'failed', 'blocked', 'neutral'] as const).filter(isStrike);
    expect(struck).toEqual(['failed', 'blocked']);
  });
});

describe('strikes', () => {
  const strikes = fc.array(
    fc.record({
      event_id: fc.constantFrom('a', 'b', 'c', 'd'),
      occurred_at: fc.integer({ min: -2, max: 60 }).map(daysAgo),
    }),
    { maxLength: 12 },
  );

  it('count each event once, within the window, oldest first', () => {
    fc.assert(
      fc.property(strikes, (all) => {
        const counted = strikesInWindow(all, NOW, 30 * DAY_MS);
        const ids = counted.map((strike) => strike.event_id);
        expect(new Set(ids).size).toBe(ids.length);
        for (const { occurred_at } of counted) {
          expect(Date.parse(occurred_at)).toBeLessThanOrEqual(NOW);
          expect(Date.parse(occurred_at)).toBeGreaterThan(NOW - 30 * DAY_MS);
        }
        const times = counted.map((strike) => Date.parse(strike.occurred_at));
        expect(times).toEqual([...times].sort((a, b) => a - b));
      }),
    );
  });

  it('open a proposal on the third, not on a repeat of the second', () => {
    const two = [
      { event_id: 'a', occurred_at: daysAgo(3) },
      { event_id: 'b', occurred_at: daysAgo(2) },
      { event_id: 'b', occurred_at: daysAgo(2) },
    ];
    expect(isStruckOut(strikesInWindow(two, NOW, 30 * DAY_MS), 3)).toBe(false);
    const three = [...two, { event_id: 'c', occurred_at: daysAgo(1) }];
    expect(isStruckOut(strikesInWindow(three, NOW, 30 * DAY_MS), 3)).toBe(true);
    expect(isStruckOut(strikesInWindow(three, NOW, 2 * DAY_MS), 3)).toBe(false);
  });
});

describe('durations', () => {
  it.each([
    ['P30D', 30 * 86_400_000],
    ['PT1H', 3_600_000],
    ['PT2S', 2_000],
    ['P2W', 14 * 86_400_000],
    ['P1DT12H30M', 131_400_000],
    ['PT0.5S', 500],
  ])('reads %s', (iso, ms) => {
    expect(durationMs(iso)).toBe(ms);
  });

  it.each(['', 'P', 'PT', 'P1DT', '30D', 'P1M', 'P1Y', 'P-1D', 'PT1H ', 'p1d'])(
    'refuses %j',
    (iso) => {
      expect(isDuration(iso)).toBe(false);
      expect(() => durationMs(iso)).toThrow(RangeError);
    },
  );

  it('adds up its parts', () => {
    const part = fc.nat({ max: 500 });
    fc.assert(
      fc.property(part, part, part, part, (d, h, m, s) => {
        expect(durationMs(`P${d}DT${h}H${m}M${s}S`)).toBe(
          ((d * 24 + h) * 60 + m) * 60_000 + s * 1000,
        );
      }),
    );
  });
});
