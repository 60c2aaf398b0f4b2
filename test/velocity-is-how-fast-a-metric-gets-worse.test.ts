import type { MetricSnapshot } from '../src/contracts/insight';
import { goalByName } from '../src/domain/insights/goal';
import { velocityOf } from '../src/domain/insights/velocity';

const NOW = new Date('2026-05-01T00:00:00Z');

/** Days before now → value. */
function series(
  name: string,
  values: Record<number, number>,
  change: Partial<MetricSnapshot> = {},
) {
  return Object.entries(values).map(([days, value]) => ({
    name,
    value,
    unit: null,
    at: new Date(NOW.getTime() - Number(days) * 86_400_000).toISOString(),
    goal: null,
    ...change,
  }));
}

const weekly = (snapshots: MetricSnapshot[]) => velocityOf(snapshots, NOW)?.weekly_change;

test('from the first to the last number of four weeks, a week', () => {
  const found = velocityOf(series('overtime', { 40: 999, 21: 30, 14: 90, 0: 36 }), NOW);
  expect(found).toMatchObject({ metric: 'overtime', from: { value: 30 }, to: { value: 36 } });
  expect(found?.weekly_change).toBeCloseTo(0.2 / 3, 12);
});

test('which way is worse is said, or read from the name, or else any way is', () => {
  expect(weekly(series('overtime', { 7: 100, 0: 90 }))).toBeCloseTo(-0.1, 12);
  expect(weekly(series('sales', { 7: 100, 0: 90 }))).toBeCloseTo(0.1, 12);
  expect(weekly(series('sales', { 7: 100, 0: 90 }, { goal: 'down' }))).toBeCloseTo(-0.1, 12);
  expect(weekly(series('oven temperature', { 7: 100, 0: 90 }))).toBeCloseTo(0.1, 12);
  expect(weekly(series('oven temperature', { 7: 100, 0: 110 }))).toBeCloseTo(0.1, 12);
});

test('an hour is not taken for a trend', () => {
  expect(weekly(series('overtime', { 0.04: 100, 0: 110 }))).toBeCloseTo(0.1, 12);
});

test('of several metrics the one that gets worse the fastest counts', () => {
  const all = [
    ...series('overtime', { 7: 100, 0: 105 }),
    ...series('sales', { 7: 100, 0: 80 }),
    ...series('food_waste', { 7: 100, 0: 50 }),
  ];
  expect(velocityOf(all, NOW)).toMatchObject({ metric: 'sales' });
});

test('there is none of one number, of one moment, of other units, of the past or the future', () => {
  expect(velocityOf([], NOW)).toBeNull();
  expect(velocityOf(series('overtime', { 3: 1 }), NOW)).toBeNull();
  expect(
    velocityOf([...series('overtime', { 3: 1 }), ...series('overtime', { 3: 2 })], NOW),
  ).toBeNull();
  expect(velocityOf(series('overtime', { 60: 1, 30: 2, 28: 3, 1: 4 }), NOW)).toBeNull();
  expect(velocityOf(series('overtime', { 3: 1, [-2]: 9 }), NOW)).toBeNull();
  const other = [
    ...series('overtime', { 7: 1 }, { unit: 'h' }),
    ...series('overtime', { 0: 60 }, { unit: 'min' }),
  ];
  expect(velocityOf(other, NOW)).toBeNull();
});

test('what stood at nothing has risen by all of it', () => {
  expect(weekly(series('complaints', { 14: 0, 0: 3 }))).toBe(0.5);
  expect(weekly(series('complaints', { 14: 0, 0: 0 }))).toBe(0);
});

test.each([
  ['labor_percent', 'down'],
  ['Labour cost', 'down'],
  ['food waste', 'down'],
  ['refundRate', 'down'],
  ['cost_of_sales', 'down'],
  ['wait-time', 'down'],
  ['voids', 'down'],
  ['sales', 'up'],
  ['gross-margin', 'up'],
  ['average_check', 'up'],
  ['covers', 'up'],
  ['Guest satisfaction', 'up'],
  ['oven temperature', null],
  ['wholesaler count', null],
  ['', null],
] as const)('%s: %s', (name, goal) => {
  expect(goalByName(name)).toBe(goal);
});

test('a goal is the insight’s, or else the last that was pushed, or else what the name tells', () => {
  const rising = series('waste', { 14: 100, 0: 150 });
  const pushed = rising.map((one) => ({ ...one, goal: 'up' as const }));
  const own = series('waste', { 0: 150 }, { goal: 'down' });
  const worse = (snapshots: MetricSnapshot[], said: MetricSnapshot[] = []) =>
    Math.sign(velocityOf(snapshots, NOW, said)?.weekly_change ?? 0);
  expect([worse(rising), worse(pushed), worse(pushed, own)]).toEqual([1, -1, 1]);
  const [last, first] = rising;
  const changed = [
    { ...first, goal: 'down' },
    { ...last, goal: 'up' },
  ] as MetricSnapshot[];
  expect(worse(changed)).toBe(-1);
});
