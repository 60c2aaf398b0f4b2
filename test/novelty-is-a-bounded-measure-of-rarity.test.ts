import fc from 'fast-check';
import { isKnown, novelty } from '../src/domain/learning/novelty';

const word = fc.constantFrom('a.get', 'a.put', 'b.find', 'b.send', 'c.book!validation', 'c.book');
const sequence = fc.array(word, { minLength: 1, maxLength: 8 });
const earlier = fc.array(sequence, { maxLength: 12 });

describe('novelty, by the rarity of a sequence among the earlier ones', () => {
  test('is a number from 1 to 10, whatever was before', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), earlier, (task, before) => {
        const score = novelty(task, before);
        expect(score).toBeGreaterThanOrEqual(1);
        expect(score).toBeLessThanOrEqual(10);
      }),
    );
  });

  test('is 10 where none of its steps was ever seen', () => {
    fc.assert(
      fc.property(sequence, earlier, (task, before) => {
        const others = before.map((one) => one.map((step) => `other.${step}`));
        expect(novelty(task, others)).toBe(10);
      }),
    );
  });

  test('is 1 + 9 / (1 + n) of what was done n times and nothing else', () => {
    fc.assert(
      fc.property(sequence, fc.integer({ min: 0, max: 50 }), (task, times) => {
        const before = Array.from({ length: times }, () => task);
        expect(novelty(task, before)).toBe(Math.round(10 + 90 / (1 + times)) / 10);
      }),
    );
  });

  test('never grows with one more task that was done before', () => {
    fc.assert(
      fc.property(sequence, earlier, sequence, (task, before, one) => {
        expect(novelty(task, [...before, one])).toBeLessThanOrEqual(novelty(task, before));
      }),
    );
  });

  test('is the same in whatever order the earlier ones are read', () => {
    fc.assert(
      fc.property(sequence, earlier, (task, before) => {
        expect(novelty(task, [...before].reverse())).toBe(novelty(task, before));
      }),
    );
  });

  test('tells what is known apart: known is what some earlier tasks have, step for step', () => {
    fc.assert(
      fc.property(sequence, earlier, (task, before) => {
        expect(isKnown(task, [...before, task])).toBe(true);
        expect(isKnown([...task, 'never.seen'], before)).toBe(false);
      }),
    );
  });

  test('of steps in another order than ever is between the two', () => {
    const known = [['a.get', 'b.find', 'b.send']];
    expect(novelty(['a.get', 'b.find', 'b.send'], known)).toBe(5.5);
    expect(novelty(['b.send', 'b.find', 'a.get'], known)).toBe(7.3);
    expect(novelty([], known)).toBe(1);
  });
});
