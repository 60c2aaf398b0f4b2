import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { type MetricSnapshot, SEVERITIES, type Severity } from '../src/contracts/insight';
import {
  dollarPoints,
  MOST_URGENCY,
  timePoints,
  type UrgencyInput,
  urgencyOf,
  velocityPoints,
} from '../src/domain/insights/urgency';
import { DEFAULT_POLICY, mergePolicy } from '../src/domain/policy';
import { newInsightSchema } from '../src/schemas/insights';

const DOC = readFileSync(join(__dirname, '..', 'docs', 'insights.md'), 'utf8');
const NOW = new Date('2026-05-01T00:00:00Z');
const policy = DEFAULT_POLICY.insights;

function urgency(change: Partial<UrgencyInput> = {}) {
  return urgencyOf({
    severity: 'medium',
    finding: 'Nothing in particular.',
    domain: 'labor',
    metrics: [],
    series: [],
    policy,
    now: NOW,
    ...change,
  });
}

function snapshot(change: Partial<MetricSnapshot>): MetricSnapshot {
  return {
    name: 'overtime',
    value: 1,
    unit: null,
    at: '2026-04-20T00:00:00Z',
    goal: null,
    ...change,
  };
}

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}

const anyNumber = fc.oneof(
  fc.double(),
  fc.constantFrom(
    0,
    -0,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    1e308,
    -1e308,
    5e-324,
  ),
);
const anySnapshot = fc.record({
  name: fc.constantFrom('overtime', 'sales', 'x', '', '__proto__'),
  value: anyNumber,
  unit: fc.constantFrom(null, '', 'USD', 'EUR/week', '%', '$'),
  at: fc.oneof(
    fc
      .date({ min: new Date('2026-03-01'), max: new Date('2026-06-01'), noInvalidDate: true })
      .map((d) => d.toISOString()),
    fc.constantFrom('2026-04-20T00:00:00Z', '2026-04-27T02:00:00+02:00', 'no time', ''),
  ),
  goal: fc.constantFrom(null, 'up' as const, 'down' as const),
});
const anySeverity = fc.constantFrom(...SEVERITIES);

test('whatever comes in, every term is a number within its bounds, and they add up', () => {
  fc.assert(
    fc.property(
      anySeverity,
      fc.oneof(
        fc.string(),
        fc.double().map((n) => `$${n}`),
        fc.constantFrom('', '$', '$1e999', '$999999999999999 trillion'),
      ),
      fc.oneof(
        fc.string(),
        fc.constantFrom('labor', 'menu', '', '__proto__', 'constructor', 'toString'),
      ),
      fc.array(anySnapshot, { maxLength: 5 }),
      fc.array(anySnapshot, { maxLength: 12 }),
      fc.dictionary(fc.constantFrom('labor', 'other', 'x'), anyNumber),
      fc.dictionary(fc.constantFrom('EUR', 'USD', 'GBP'), anyNumber),
      (severity, finding, domain, metrics, series, time_sensitivity, rates) => {
        const found = urgency({
          severity,
          finding,
          domain,
          metrics,
          series,
          policy: { time_sensitivity, rates },
        });
        for (const term of ['severity', 'dollars', 'velocity', 'time_sensitivity'] as const) {
          expect(Object.is(found[term], -0)).toBe(false);
          expect(found[term]).toBeGreaterThanOrEqual(0);
          expect(found[term]).toBeLessThanOrEqual(MOST_URGENCY[term]);
        }
        const sum = found.severity + found.dollars + found.velocity + found.time_sensitivity;
        expect(found.score).toBeCloseTo(sum, 9);
        expect(found.score).toBeLessThanOrEqual(100);
        expect(numbersIn(found).filter((one) => !Number.isFinite(one))).toEqual([]);
      },
    ),
    { numRuns: 1_000 },
  );
});

test('it never falls as severity, dollars or velocity rise, all else being equal', () => {
  const base = fc.record({
    domain: fc.constantFrom('labor', 'menu', 'x'),
    dollars: fc.double({ min: 0, max: 1e9, noNaN: true }),
    values: fc.tuple(
      fc.double({ min: 1, max: 1e6, noNaN: true }),
      fc.double({ min: 1, max: 1e6, noNaN: true }),
    ),
    severity: anySeverity,
  });
  const scored = (one: {
    domain: string;
    dollars: number;
    values: [number, number];
    severity: Severity;
  }) =>
    urgency({
      severity: one.severity,
      domain: one.domain,
      metrics: [snapshot({ name: 'loss', value: one.dollars, unit: 'USD' })],
      series: [
        snapshot({ value: one.values[0], at: '2026-04-10T00:00:00Z' }),
        snapshot({ value: one.values[1], at: '2026-04-24T00:00:00Z' }),
      ],
    }).score;
  fc.assert(
    fc.property(
      base,
      anySeverity,
      fc.double({ min: 0, max: 1e9, noNaN: true }),
      fc.double({ min: 0, max: 1e6, noNaN: true }),
      (one, other, more, rise) => {
        const score = scored(one);
        const higher = SEVERITIES.indexOf(other) > SEVERITIES.indexOf(one.severity);
        if (higher) expect(scored({ ...one, severity: other })).toBeGreaterThan(score);
        expect(scored({ ...one, dollars: one.dollars + more })).toBeGreaterThanOrEqual(score);
        // Overtime is a thing of which less is better.
        const [first, last] = one.values;
        expect(scored({ ...one, values: [first, last + rise] })).toBeGreaterThanOrEqual(score);
      },
    ),
    { numRuns: 1_000 },
  );
});

test('one more digit or group is never fewer points, however many there are', () => {
  const notations = [(n: number) => `$${'9'.repeat(n)}`, (n: number) => `$9${',999'.repeat(n)}`];
  for (const written of [...notations, (n: number) => `$9${' 999'.repeat(n)}`]) {
    const points = Array.from(
      { length: 420 },
      (_, n) => urgency({ finding: written(n + 1) }).dollars,
    );
    expect(points).toEqual([...points].sort((a, b) => a - b));
    expect(points.at(-1)).toBe(35);
  }
  const metrics = [1e5, 1e308].map((value) => snapshot({ value, unit: 'EUR/week' }));
  expect(urgency({ metrics }).basis.dollars).toMatchObject({ amount: 1e308 });
});

test('labor stands above menu at equal dollars', () => {
  fc.assert(
    fc.property(anySeverity, fc.integer({ min: 0, max: 1_000_000 }), (severity, dollars) => {
      const finding = `It costs $${dollars} a month.`;
      const labor = urgency({ severity, finding, domain: 'labor' });
      const menu = urgency({ severity, finding, domain: 'menu' });
      expect(labor.dollars).toBe(menu.dollars);
      expect(labor.score).toBeGreaterThan(menu.score);
    }),
  );
});

test.each([
  ['low', 8],
  ['medium', 15],
  ['high', 23],
  ['critical', 30],
] as const)('severity %s is %d points', (severity, points) => {
  expect(urgency({ severity }).severity).toBe(points);
});

test('dollars are logarithmic and full at 100,000', () => {
  expect([0, 100, 1_000, 10_000, 100_000, 1e12].map(dollarPoints)).toEqual([
    0, 3.5, 12.1, 23.4, 35, 35,
  ]);
  expect([-5, -0, Number.NaN].map(dollarPoints)).toEqual([0, 0, 0]);
});

test('velocity is linear and full at a quarter a week', () => {
  expect([-1, 0, 0.05, 0.125, 0.25, 9].map(velocityPoints)).toEqual([0, 0, 4, 10, 20, 20]);
});

test('time-sensitivity is the policy’s of the domain, and never another’s', () => {
  const table = policy.time_sensitivity;
  expect(
    ['labor', 'Labor', 'inventory', 'menu', 'weather', ''].map((one) => timePoints(one, table)),
  ).toEqual([15, 15, 12, 8, 5, 5]);
  expect(timePoints('constructor', table)).toBe(5);
  expect(timePoints('weather', {})).toBe(0);
  const own = mergePolicy({ insights: { time_sensitivity: { weather: 9 } } }).insights;
  expect(urgency({ domain: 'weather', policy: own }).time_sensitivity).toBe(9);
});

test('the basis says which amount counted, of the text or of a metric', () => {
  const finding = 'Waste is $500 a week; the till was short by $80, and the lease is ¥10,000.';
  expect(urgency({ finding }).basis).toEqual({
    dollars: {
      quote: '$500',
      amount: 500,
      currency: 'USD',
      per: 'week',
      dollars: 2172.62,
      source: 'finding',
    },
    velocity: null,
    domain: 'labor',
  });
  const metrics = [
    snapshot({ value: -9000, unit: 'EUR' }),
    snapshot({ value: 99_999, unit: 'covers' }),
  ];
  expect(urgency({ finding, metrics }).basis.dollars).toMatchObject({
    quote: '-9000 EUR',
    dollars: 9360,
    source: 'metric',
  });
  expect(urgency({ metrics: [], finding: 'On 2026-03-01, 1200 covers.' }).basis.dollars).toBeNull();
});

test('a score is the same each time, whatever the order of the numbers', () => {
  fc.assert(
    fc.property(fc.array(anySnapshot, { maxLength: 8 }), (series) => {
      expect(urgency({ series: [...series].reverse() }).velocity).toEqual(
        urgency({ series }).velocity,
      );
    }),
  );
});

test('the example of the documentation has the score that it says', () => {
  const body = /-d '(\{[\s\S]*?\})'/.exec(DOC)?.[1] ?? '';
  const { metrics, ...example } = newInsightSchema.parse(JSON.parse(body));
  const shown = urgency({
    ...example,
    metrics: metrics.map((one) =>
      snapshot({ name: one.name, value: one.value ?? 0, unit: one.unit ?? null }),
    ),
  });
  const { basis: _, ...terms } = shown;
  const told = /"urgency": (\{.*?), "basis": \{…\}\}/.exec(DOC)?.[1] ?? '';
  expect(JSON.parse(`${told}}`)).toEqual(terms);
});

test('the table of the documentation says what the term of dollars is', () => {
  const row = (name: string) => {
    const [, cells = ''] = new RegExp(`^\\| ${name} \\|(.*)\\|$`, 'm').exec(DOC) ?? [];
    return cells.split('|').map((cell) => Number.parseFloat(cell.replace(/,/g, '')));
  };
  const amounts = row('\\*d\\*');
  expect(amounts).toEqual([0, 100, 1_000, 10_000, 100_000]);
  expect(row('\\*points\\*')).toEqual(amounts.map(dollarPoints));
});
