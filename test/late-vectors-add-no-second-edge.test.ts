import fc from 'fast-check';
import { EDGE_TYPES } from '../src/contracts/names';
import { EDGES_PER_TYPE, type LinkType, type PlannedEdge } from '../src/domain/link';
import { type KnownEdge, lateEdges } from '../src/store/filing-late-vectors';

const LINKS = Object.keys(EDGES_PER_TYPE) as LinkType[];
const other = fc.integer({ min: 1, max: 12 }).map((at) => `card_${at}`);

/** Edges between the late card and others, one a pair, as linking plans them. */
const planned = fc
  .uniqueArray(fc.tuple(other, fc.constantFrom(...LINKS), fc.boolean()), { selector: ([id]) => id })
  .map((edges) =>
    edges.map(
      ([id, type, newer]): PlannedEdge => ({
        type,
        from: newer ? 'late' : id,
        to: newer ? id : 'late',
        confidence: 0.7,
        reason: 'alike',
      }),
    ),
  );
const known = fc.array(fc.tuple(other, fc.constantFrom(...EDGE_TYPES), fc.boolean())).map((edges) =>
  edges.map(
    ([id, type, newer]): KnownEdge => ({
      type,
      from_card: newer ? 'late' : id,
      to_card: newer ? id : 'late',
    }),
  ),
);

function far(edge: { from: string; to: string }): string {
  return edge.from === 'late' ? edge.to : edge.from;
}

describe('the edges of a late vector', () => {
  it('are planned ones, none of a pair that has its evidence, and no succession', () => {
    fc.assert(
      fc.property(planned, known, (plan, there) => {
        const linked = new Set(
          there
            .filter(({ type }) => type !== 'derived_from')
            .map(({ from_card, to_card }) => far({ from: from_card, to: to_card })),
        );
        for (const edge of lateEdges('late', plan, there)) {
          expect(plan).toContain(edge);
          expect(edge.type).not.toBe('supersedes');
          expect(linked.has(far(edge))).toBe(false);
        }
      }),
    );
  });

  it('leave a card with no more of a type than filing gives, those of filing counted', () => {
    fc.assert(
      fc.property(planned, known, (plan, there) => {
        const late = lateEdges('late', plan, there);
        for (const type of LINKS) {
          const before = there.filter(
            (edge) => edge.type === type && edge.from_card === 'late',
          ).length;
          const added = late.filter((edge) => edge.type === type && edge.from === 'late').length;
          expect(added).toBeLessThanOrEqual(Math.max(0, EDGES_PER_TYPE[type] - before));
        }
      }),
    );
  });

  it('are all of the plan where filing found none', () => {
    fc.assert(
      fc.property(planned, (plan) => {
        const few = plan.filter(({ type }) => type === 'satisfies' || type === 'conflicts');
        expect(lateEdges('late', few, [])).toEqual(few);
      }),
    );
  });
});
