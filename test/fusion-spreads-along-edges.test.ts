import fc from 'fast-check';
import { EDGE_TYPES } from '../src/contracts/names';
import { personalizedPageRank, type WalkedEdge } from '../src/domain/pagerank';

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const edges: fc.Arbitrary<WalkedEdge[]> = fc.array(
  fc.record({
    from: id,
    to: id,
    type: fc.constantFrom(...EDGE_TYPES),
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  { maxLength: 15 },
);
const anchors = fc
  .uniqueArray(fc.tuple(id, fc.double({ min: 0.01, max: 1, noNaN: true })), {
    selector: ([name]) => name,
    minLength: 1,
    maxLength: 4,
  })
  .map((pairs) => new Map(pairs));

const edge = (from: string, to: string, over: Partial<WalkedEdge> = {}): WalkedEdge => ({
  from,
  to,
  type: 'supports',
  confidence: 0.9,
  ...over,
});

describe('the graph arm', () => {
  it('shares out the whole of one, whatever the graph', () => {
    fc.assert(
      fc.property(anchors, edges, (start, all) => {
        const rank = personalizedPageRank(start, all);
        const sum = [...rank.values()].reduce((total, value) => total + value, 0);
        expect(sum).toBeCloseTo(1, 9);
        expect([...rank.values()].every((value) => value >= 0)).toBe(true);
      }),
    );
  });

  it('depends neither on the order of the edges nor on their direction', () => {
    fc.assert(
      fc.property(anchors, edges, (start, all) => {
        const turned = all.map((one) => ({ ...one, from: one.to, to: one.from })).reverse();
        const turnedStart = new Map([...start].reverse());
        expect([...personalizedPageRank(turnedStart, turned)]).toEqual([
          ...personalizedPageRank(start, all),
        ]);
      }),
    );
  });

  it('reaches only what is linked, and the nearer the more', () => {
    const chain = [edge('a', 'b'), edge('b', 'c'), edge('e', 'f')];
    const rank = personalizedPageRank(new Map([['a', 1]]), chain);
    expect([...rank.keys()]).toEqual(['a', 'b', 'c']);
    expect(rank.get('b')).toBeGreaterThan(rank.get('c') ?? 1);
    expect(rank.get('a')).toBeGreaterThan(rank.get('b') ?? 1);
  });

  it('follows support further than contradiction', () => {
    const rank = personalizedPageRank(new Map([['a', 1]]), [
      edge('a', 'b'),
      edge('a', 'c', { type: 'conflicts' }),
    ]);
    expect(rank.get('b')).toBeGreaterThan(rank.get('c') ?? 1);
  });

  it('finds nothing without an anchor', () => {
    expect(personalizedPageRank(new Map([['a', 0]]), [edge('a', 'b')]).size).toBe(0);
  });
});
