import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { OutcomeResult } from '../src/contracts/insight';
import { boostOf, judgedAction, type PastOutcome, priorityOf } from '../src/domain/insights/boost';
import { recommended } from '../src/domain/insights/recommended';

function past(improved: number, unchanged: number, worse: number): PastOutcome[] {
  const of = (result: OutcomeResult, count: number) =>
    Array.from({ length: count }, () => ({
      result,
      size: null,
      metric: null,
      at: '2026-03-01T00:00:00Z',
    }));
  return [...of('improved', improved), ...of('unchanged', unchanged), ...of('worse', worse)];
}

// Worked out by hand: 1 + (improved − worse) / (improved + unchanged + worse + 1), to two decimals.
const BY_HAND = [
  [0, 0, 0, '1.00', 'normal'],
  [1, 0, 0, '1.50', 'normal'],
  [2, 0, 0, '1.67', 'high'],
  [3, 0, 0, '1.75', 'high'],
  [3, 1, 0, '1.60', 'high'],
  [3, 2, 0, '1.50', 'normal'],
  [5, 0, 1, '1.57', 'high'],
  [2, 0, 1, '1.25', 'normal'],
  [0, 3, 0, '1.00', 'normal'],
  [0, 2, 1, '0.75', 'normal'],
  [0, 1, 1, '0.67', 'low'],
  [0, 0, 1, '0.50', 'low'],
  [1, 0, 3, '0.60', 'low'],
  [0, 0, 3, '0.25', 'low'],
] as const;

test.each(BY_HAND)(
  '%d improved, %d unchanged, %d worse: %s, %s',
  (improved, unchanged, worse, boost, priority) => {
    const judged = judgedAction(past(improved, unchanged, worse));
    expect(judged.boost.toFixed(2)).toBe(boost);
    expect(judged.priority).toBe(priority);
    expect(judged.evidence).toEqual({
      outcomes: improved + unchanged + worse,
      improved,
      unchanged,
      worse,
    });
    expect(judged.caution === undefined).toBe(priority !== 'low');
  },
);

test('the table of the documentation is the one worked out by hand', () => {
  const doc = readFileSync(join(__dirname, '..', 'docs', 'insights.md'), 'utf8');
  const row = /^\| (\d+) \| (\d+) \| (\d+) \| 1 ([+−]) (\d+) ∕ (\d+) = (\d\.\d\d) \| (\w+) \|$/gm;
  const rows = [...doc.matchAll(row)].map((match) => match.slice(1));
  expect(
    rows.map(([a, b, c, , , , boost, priority]) => [
      Number(a),
      Number(b),
      Number(c),
      boost,
      priority,
    ]),
  ).toEqual(BY_HAND);
  for (const [improved, unchanged, worse, sign, over, under] of rows) {
    const difference = Number(improved) - Number(worse);
    expect(sign).toBe(difference < 0 ? '−' : '+');
    expect(Number(over)).toBe(Math.abs(difference));
    expect(Number(under)).toBe(Number(improved) + Number(unchanged) + Number(worse) + 1);
  }
});

test('a boost rises with what improved, falls with what got worse, and stays between 0 and 2', () => {
  const count = fc.nat({ max: 1_000_000 });
  fc.assert(
    fc.property(count, count, count, count, (improved, unchanged, worse, more) => {
      const evidence = (i: number, w: number) => ({
        improved: i,
        worse: w,
        unchanged,
        outcomes: i + w + unchanged,
      });
      const boost = boostOf(evidence(improved, worse));
      expect(boost).toBeGreaterThan(0);
      expect(boost).toBeLessThan(2);
      expect(boostOf(evidence(improved + more, worse))).toBeGreaterThanOrEqual(boost);
      expect(boostOf(evidence(improved, worse + more))).toBeLessThanOrEqual(boost);
      expect(boost - 1).toBeCloseTo(1 - boostOf(evidence(worse, improved)), 12);
    }),
    { numRuns: 2_000 },
  );
});

test('exactly at a bound it is normal', () => {
  expect([1.5, 1.500001, 0.75, 0.749999].map(priorityOf)).toEqual([
    'normal',
    'high',
    'normal',
    'low',
  ]);
});

test('what is high says its evidence, and what is low its caution', () => {
  const outcome = (result: OutcomeResult, size: number | null, at: string): PastOutcome => ({
    result,
    size,
    metric: size === null ? null : 'food_waste',
    at,
  });
  const good = [
    outcome('improved', -0.2, '2026-01-01T00:00:00Z'),
    outcome('improved', -0.12, '2026-03-01T00:00:00+02:00'),
    outcome('improved', -0.3, '2026-02-01T00:00:00Z'),
  ];
  expect(judgedAction(good)).toMatchObject({
    priority: 'high',
    rationale: 'Improved 3 of 3 times, last 12 % less food_waste.',
  });
  expect(judgedAction([...good].reverse())).toEqual(judgedAction(good));
  const bad = [
    outcome('worse', 0.09, '2026-01-01T00:00:00Z'),
    outcome('worse', null, '2026-02-01T00:00:00Z'),
    outcome('unchanged', 0.01, '2026-03-01T00:00:00Z'),
  ];
  expect(judgedAction(bad)).toMatchObject({
    priority: 'low',
    rationale: 'Made it worse 2 of 3 times, unchanged 1, last 1 % more food_waste.',
    caution: 'It made things worse 2 of 3 times.',
  });
  expect(judgedAction([]).rationale).toBe('No outcome of this action is known yet.');
  expect(judgedAction(past(0, 1, 0)).rationale).toBe('Changed nothing the one time it was taken.');
  expect(judgedAction(past(2, 1, 1)).rationale).toBe(
    'Improved 2 of 4 times, worse 1, unchanged 1.',
  );
});

test('what is blocked is not there, and the best comes first', () => {
  const action = (hash: string, position: number) => ({ hash, position, text: `do ${hash}` });
  const actions = [
    action('none', 0),
    action('bad', 1),
    action('good', 2),
    action('fair', 3),
    action('no', 4),
  ];
  const known = new Map([
    ['good', past(3, 0, 0)],
    ['fair', past(1, 0, 0)],
    ['bad', past(0, 0, 2)],
    ['no', past(9, 0, 0)],
  ]);
  const found = recommended(actions, known, new Set(['no', 'elsewhere']));
  expect(found.removed).toBe(1);
  expect(found.actions.map(({ hash }) => hash)).toEqual(['good', 'fair', 'none', 'bad']);
  expect(JSON.stringify(found)).not.toContain('do no"');
});

test('whatever is blocked and known, nothing blocked is shown and nothing else is lost', () => {
  const hash = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const results = fc.array(fc.constantFrom<OutcomeResult>('improved', 'unchanged', 'worse'), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(
      fc.uniqueArray(hash),
      fc.uniqueArray(hash),
      fc.dictionary(hash, results),
      (shown, blocked, outcomes) => {
        const known = new Map(
          Object.entries(outcomes).map(([one, list]) => [
            one,
            list.map((result) => ({
              result,
              size: null,
              metric: null,
              at: '2026-03-01T00:00:00Z',
            })),
          ]),
        );
        const actions = shown.map((one, position) => ({ hash: one, position }));
        const found = recommended(actions, known, new Set(blocked));
        expect(found.actions.map((one) => one.hash).sort()).toEqual(
          shown.filter((one) => !blocked.includes(one)).sort(),
        );
        expect(found.removed + found.actions.length).toBe(shown.length);
        const ranks = found.actions.map(({ priority }) =>
          ['high', 'normal', 'low'].indexOf(priority),
        );
        expect(ranks).toEqual([...ranks].sort());
        const boosts = found.actions.map(({ boost }) => boost);
        expect(boosts).toEqual([...boosts].sort((a, b) => b - a));
      },
    ),
  );
});
