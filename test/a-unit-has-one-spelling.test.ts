import fc from 'fast-check';
import { unitOf } from '../src/domain/insights/unit';

it.each([
  ['usd', 'USD'],
  ['Eur/week', 'EUR/week'],
  ['gbp per month', 'GBP per month'],
  ['percent', '%'],
  ['Pct', '%'],
  [' % ', '%'],
  ['min', 'min'],
  ['guests', 'guests'],
  ['usdt', 'usdt'],
  ['constructor', 'constructor'],
])('%j is %j', (written, unit) => {
  expect(unitOf(written)).toBe(unit);
});

it('is the same written once more, whatever was written', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (written) => {
      expect(unitOf(unitOf(written))).toBe(unitOf(written));
    }),
  );
});
