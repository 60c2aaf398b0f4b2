import fc from 'fast-check';
import { intervalOf } from '../src/cli/simulate/world/interval';

it('agrees with a worked example', () => {
  // Five values with mean 3 and variance 2.5: 3 ± 2.776 · √(2.5 / 5).
  const { mean, low, high } = intervalOf([1, 2, 3, 4, 5]);
  expect(mean).toBe(3);
  expect(low).toBeCloseTo(1.037, 3);
  expect(high).toBeCloseTo(4.963, 3);
});

it('is the value itself of one, and refuses none', () => {
  expect(intervalOf([0.25])).toEqual({ mean: 0.25, low: 0.25, high: 0.25 });
  expect(() => intervalOf([])).toThrow('no values');
});

it('lies around its mean, in whatever order the seeds come, and moves with its values', () => {
  const values = fc.array(fc.integer({ min: -1_000, max: 1_000 }), { minLength: 2, maxLength: 15 });
  fc.assert(
    fc.property(values, fc.integer({ min: -50, max: 50 }), (list, by) => {
      const own = intervalOf(list);
      expect(own.low).toBeLessThanOrEqual(own.mean);
      expect(own.high).toBeGreaterThanOrEqual(own.mean);
      expect(intervalOf([...list].reverse()).low).toBeCloseTo(own.low, 6);
      expect(intervalOf(list.map((value) => value + by)).high).toBeCloseTo(own.high + by, 6);
    }),
  );
});
