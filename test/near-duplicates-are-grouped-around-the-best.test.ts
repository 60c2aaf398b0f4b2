import fc from 'fast-check';
import { type AlikePair, type DuplicateCard, duplicateGroups } from '../src/domain/near-duplicates';

const IDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const cards = fc.tuple(
  ...IDS.map((id) =>
    fc.record({
      id: fc.constant(id),
      version: fc.constant(1),
      use_count: fc.nat(3),
      confidence: fc.constantFrom(0.2, 0.5, 0.8),
      valid_from: fc.constantFrom('2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z'),
    }),
  ),
) as fc.Arbitrary<DuplicateCard[]>;
const pairs: fc.Arbitrary<AlikePair[]> = fc.array(
  fc
    .tuple(fc.constantFrom(...IDS), fc.constantFrom(...IDS))
    .filter(([one, other]) => one < other)
    .map(([one, other]) => ({ one, other })),
  { maxLength: 16 },
);

it('each like the one that stays, none in two groups, none better than it, in whatever order', () => {
  fc.assert(
    fc.property(cards, pairs, fc.infiniteStream(fc.nat(100)), (all, alike, dice) => {
      const groups = duplicateGroups(all, alike);
      const isAlike = (a: string, b: string) =>
        alike.some(({ one, other }) => (one === a && other === b) || (one === b && other === a));
      const named = groups.flatMap(({ keep, merge }) => [keep, ...merge].map(({ id }) => id));
      expect(new Set(named).size).toBe(named.length);
      for (const { keep, merge } of groups) {
        for (const card of merge) {
          expect(isAlike(keep.id, card.id)).toBe(true);
          expect(card.use_count).toBeLessThanOrEqual(keep.use_count);
        }
      }
      // Of each pair at least one is in a group: nothing alike is passed over.
      for (const { one, other } of alike) {
        expect(named.includes(one) || named.includes(other)).toBe(true);
      }
      const shuffled = <T>(list: readonly T[]) =>
        list
          .map((item) => [dice.next().value as number, item] as const)
          .sort(([a], [b]) => a - b)
          .map(([, item]) => item);
      expect(duplicateGroups(shuffled(all), shuffled(alike))).toEqual(groups);
    }),
  );
});
