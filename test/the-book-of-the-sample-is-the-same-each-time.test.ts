import { bookOf, closeOf, lastClose, metricsOf } from '../src/cli/sample/insights/numbers';
import { DEEDS } from '../src/cli/sample/insights/story';

test('the book is the same each time, ends with a Monday, and chance alone changes nothing', () => {
  const book = bookOf(DEEDS);
  expect(bookOf(DEEDS)).toEqual(book);
  const end = lastClose(new Date('2026-03-05T17:00:00Z'));
  expect(end.toISOString()).toBe('2026-03-02T00:00:00.000Z');
  expect(lastClose(end)).toEqual(end);
  expect(closeOf(1, end)).toBe('2025-12-08T00:00:00.000Z');
  expect(metricsOf(book, end)).toHaveLength(234);
  for (const kept of Object.values(bookOf([])).flatMap((one) => Object.values(one))) {
    for (const [at, value] of kept.entries()) {
      for (const later of kept.slice(at)) expect(Math.abs(later / value - 1)).toBeLessThan(0.05);
    }
  }
});
