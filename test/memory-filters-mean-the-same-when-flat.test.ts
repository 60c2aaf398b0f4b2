import fc from 'fast-check';
import { groupsOf, type Literal, type MemoryFilter } from '../src/domain/memory-filter';

/** A test by its name alone: which of them hold is up to the memory. */
const leaf = fc
  .constantFrom('p', 'q', 'r', 's')
  .map((entry): MemoryFilter => ({ operand: { entry }, op: 'known' }));

const { filter } = fc.letrec<{ filter: MemoryFilter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    leaf,
    fc.record({ all: fc.array(tie('filter'), { maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('filter'), { maxLength: 3 }) }),
    fc.record({ not: tie('filter') }),
  ),
}));

function holds(given: MemoryFilter, true_: ReadonlySet<string>): boolean {
  if ('all' in given) return given.all.every((one) => holds(one, true_));
  if ('any' in given) return given.any.some((one) => holds(one, true_));
  if ('not' in given) return !holds(given.not, true_);
  return 'operand' in given && 'entry' in given.operand && true_.has(given.operand.entry);
}

const holdsFlat = (groups: readonly Literal[][], true_: ReadonlySet<string>): boolean =>
  groups.some((group) => group.every(({ not, ...test }) => holds(test, true_) !== not));

it('a filter and its groups keep the same memories', () => {
  const truths = fc.subarray(['p', 'q', 'r', 's']).map((names) => new Set(names));
  fc.assert(
    fc.property(filter, truths, (given, true_) => {
      const groups = groupsOf(given);
      fc.pre(groups !== null);
      expect(holdsFlat(groups, true_)).toBe(holds(given, true_));
    }),
    { numRuns: 1_000 },
  );
});

it('more than a hundred groups are too many', () => {
  const any = (count: number): MemoryFilter => ({
    any: Array.from({ length: count }, () => ({ operand: { field: 'run_id' }, op: 'known' })),
  });
  expect(groupsOf(any(100))).toHaveLength(100);
  expect(groupsOf(any(101))).toBeNull();
  expect(groupsOf({ all: [any(10), any(10)] })).toHaveLength(100);
  expect(groupsOf({ all: [any(10), any(11)] })).toBeNull();
});
