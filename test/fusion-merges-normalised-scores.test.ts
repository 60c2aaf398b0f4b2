import fc from 'fast-check';
import { type ArmScores, fuse } from '../src/domain/fuse';
import { DEFAULT_POLICY } from '../src/domain/policy';

const { arms } = DEFAULT_POLICY.recall.weights;

function scores(id: string, over: Partial<ArmScores> = {}): ArmScores {
  return { id, dense: null, lexical: null, graph: null, structured: null, recency: null, ...over };
}

const rows = fc
  .uniqueArray(fc.integer({ min: 0, max: 99 }), { minLength: 1, maxLength: 20 })
  .chain((ids) =>
    fc.tuple(
      ...ids.map((id) =>
        fc
          .record({
            dense: fc.option(fc.double({ min: -1, max: 1, noNaN: true })),
            lexical: fc.option(fc.double({ min: 0, max: 40, noNaN: true })),
            structured: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
          })
          .map((over) => scores(`card-${id}`, over)),
      ),
    ),
  );

describe('fusion of the arms', () => {
  it('keeps relevance within (0, 1], the best at 1, in a fixed order', () => {
    fc.assert(
      fc.property(rows, (candidates) => {
        const fused = fuse(candidates, arms);
        expect(fused).toHaveLength(candidates.length);
        expect(fused[0]?.relevance).toBe(1);
        for (const { relevance } of fused) {
          expect(relevance).toBeGreaterThan(0);
          expect(relevance).toBeLessThanOrEqual(1);
        }
        expect(fuse([...candidates].reverse(), arms)).toEqual(fused);
      }),
    );
  });

  it('orders by the only arm there is', () => {
    const distinct = fc.uniqueArray(fc.integer({ min: 1, max: 400 }), {
      minLength: 2,
      maxLength: 9,
    });
    fc.assert(
      fc.property(distinct, fc.constantFrom('dense', 'lexical', 'structured'), (values, arm) => {
        const candidates = values.map((value) => scores(`card-${value}`, { [arm]: value / 400 }));
        const expected = [...values].sort((a, b) => b - a).map((value) => `card-${value}`);
        expect(fuse(candidates, arms).map((one) => one.id)).toEqual(expected);
      }),
    );
  });

  it('puts a card that leads in every arm first', () => {
    fc.assert(
      fc.property(rows, (candidates) => {
        const leader = scores('leader', { dense: 1.1, lexical: 41, structured: 1.1 });
        expect(fuse([...candidates, leader], arms)[0]?.id).toBe('leader');
      }),
    );
  });

  it('weighs the dense arm over the lexical one, as was measured', () => {
    const fused = fuse(
      [scores('dense', { dense: 0.8, lexical: 0 }), scores('lexical', { dense: 0.2, lexical: 12 })],
      arms,
    );
    expect(fused[0]?.id).toBe('dense');
  });

  it('counts a card that the lexical arm did not find as without a match', () => {
    const fused = fuse(
      [scores('a', { lexical: 9 }), scores('b', { lexical: 0 }), scores('c')],
      arms,
    );
    expect(fused.map((one) => one.id)).toEqual(['a', 'b', 'c']);
    expect(fused[1]?.relevance).toBe(fused[2]?.relevance);
  });

  it('does not blow up a hair’s difference between two cards', () => {
    const fused = fuse([scores('a', { dense: 0.62 }), scores('b', { dense: 0.61 })], arms);
    expect(fused[1]?.relevance).toBeGreaterThan(0.8);
  });

  it('breaks ties by id, and takes nothing found for equal', () => {
    expect(fuse([scores('b'), scores('a')], arms).map((one) => one.id)).toEqual(['a', 'b']);
    expect(fuse([], arms)).toEqual([]);
  });
});
