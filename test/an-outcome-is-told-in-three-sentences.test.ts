import fc from 'fast-check';
import { OUTCOME_RESULTS } from '../src/contracts/insight';
import { outcomeSummary, type ToldOutcome } from '../src/domain/insights/outcome-card';

const TOLD: ToldOutcome = {
  found: 'Waste rises at the harbor site',
  action: 'Order lettuce twice a week',
  result: 'improved',
  taken_at: '2026-03-01T09:00:00Z',
  at: '2026-03-15T09:00:00Z',
  metric: { name: 'waste', unit: 'kg', before: 120, after: 90 },
  size: -0.25,
};

const BEGINNING = 'Waste rises at the harbor site. Tried: Order lettuce twice a week. ';

test.each<[Partial<ToldOutcome>, string]>([
  [{}, 'It helped: in 14 days waste went from 120 to 90 kg, 25 % less.'],
  [
    { result: 'worse', size: 0.5, metric: { name: 'waste', unit: null, before: 0.1, after: 0.15 } },
    'It made things worse: in 14 days waste went from 0.1 to 0.15, 50 % more.',
  ],
  // What stood at 0 has no relative change.
  [
    { size: null, result: 'worse', metric: { name: 'voids', unit: null, before: 0, after: 3 } },
    'It made things worse: in 14 days voids went from 0 to 3.',
  ],
  [
    {
      result: 'unchanged',
      size: 0,
      metric: { name: 'waste', unit: 'kg', before: 120, after: 120 },
    },
    'It changed nothing that counts: after 14 days waste stood at 120 kg still.',
  ],
  [{ metric: null, size: null }, 'It helped, as was reported after 14 days.'],
  [
    { metric: null, at: '2026-03-01T10:10:00Z' },
    'It helped, 25 % less, as was reported after 70 minutes.',
  ],
  [
    { metric: null, at: '2026-03-02T13:00:00Z' },
    'It helped, 25 % less, as was reported after 28 hours.',
  ],
  // No time is told that did not pass.
  [{ metric: null, at: TOLD.taken_at }, 'It helped, 25 % less, as was reported.'],
  [
    { at: '2026-03-01T09:08:20Z' },
    'It helped: in 8 minutes waste went from 120 to 90 kg, 25 % less.',
  ],
  [
    { at: '2026-03-01T09:00:05Z' },
    'It helped: in less than a minute waste went from 120 to 90 kg, 25 % less.',
  ],
])('%j', (fields, end) => {
  expect(outcomeSummary({ ...TOLD, ...fields })).toBe(`${BEGINNING}${end}`);
});

test('whatever was found, done and measured, it is short, ends, and holds no broken number', () => {
  const metric = fc.record({
    name: fc.string({ minLength: 1, maxLength: 200 }),
    unit: fc.option(fc.string({ maxLength: 40 })),
    before: fc.double({ noNaN: true, noDefaultInfinity: true }),
    after: fc.double({ noNaN: true, noDefaultInfinity: true }),
  });
  const told = fc.record({
    found: fc.string({ minLength: 1, maxLength: 2_000 }),
    action: fc.option(fc.string({ maxLength: 500 })),
    result: fc.constantFrom(...OUTCOME_RESULTS),
    taken_at: fc.constant(TOLD.taken_at),
    at: fc.constant(TOLD.at),
    metric: fc.option(metric),
    size: fc.option(fc.double({ min: -1e6, max: 1e6, noNaN: true })),
  });
  fc.assert(
    fc.property(told, (one) => {
      const text = outcomeSummary(one);
      expect(text.length).toBeLessThanOrEqual(1_000);
      expect(text.endsWith('.')).toBe(true);
      const figures = text.slice(text.lastIndexOf('It '));
      if (one.metric === null) expect(figures).not.toMatch(/NaN|Infinity|undefined/);
    }),
  );
});
