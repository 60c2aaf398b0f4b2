import fc from 'fast-check';
import { SIGNS, TRUSTS } from '../src/contracts/names';
import { rankAndPack } from '../src/domain/recall-pipeline';
import { type ConflictCard, resolve, verdict } from '../src/domain/resolve';
import { candidate, daysAgo, rankInput } from './support/domain-cards';

const HOUR = 3_600_000;

function facts(id: string, over: Partial<ConflictCard> = {}): ConflictCard {
  return {
    id,
    sign: 'worked',
    status: 'active',
    valid_from: daysAgo(10),
    trust: 'runtime',
    confidence: 0.8,
    ...over,
  };
}

const card = (id: string): fc.Arbitrary<ConflictCard> =>
  fc.record({
    id: fc.constant(id),
    sign: fc.constantFrom(...SIGNS),
    status: fc.constantFrom('active', 'validated', 'pending'),
    // Steps of 40 minutes around the tie of an hour: what makes circles.
    valid_from: fc.integer({ min: 0, max: 6 }).map((step) => daysAgo(step / 36)),
    trust: fc.constantFrom(...TRUSTS),
    confidence: fc.constantFrom(0.6, 0.605, 0.8, 1),
  });

const world = fc.integer({ min: 2, max: 8 }).chain((size) => {
  const ids = Array.from({ length: size }, (_, index) => `card-${index}`);
  const end = fc.constantFrom(...ids);
  return fc.record({
    cards: fc.tuple(...ids.map(card)),
    conflicts: fc.array(fc.record({ from: end, to: end }), { maxLength: 14 }),
    asked: fc.subarray(ids),
  });
});

describe('a conflict', () => {
  it('goes to the newer when it is newer by more than the tie', () => {
    const older = facts('older', { status: 'validated', confidence: 1, trust: 'person' });
    const newer = facts('newer', { sign: 'failed', valid_from: daysAgo(9) });
    expect(verdict(older, newer, HOUR)).toMatchObject({ winner: { id: 'newer' }, open: false });
  });

  it('within the tie goes to a proven success over a failure', () => {
    const failure = facts('failure', { sign: 'failed', confidence: 1 });
    const proven = facts('proven', { status: 'validated', confidence: 0.6 });
    expect(verdict(failure, proven, HOUR)).toMatchObject({ winner: { id: 'proven' }, open: false });
  });

  it('then to the higher stored confidence, beyond a tie of 0.01', () => {
    const sure = facts('sure', { confidence: 0.82 });
    expect(verdict(facts('other'), sure, HOUR)).toMatchObject({
      winner: { id: 'sure' },
      open: false,
    });
    const hardly = facts('hardly', { confidence: 0.81 });
    expect(verdict(facts('other'), hardly, HOUR).open).toBe(true);
  });

  it('else is open, and the more trusted shows', () => {
    const person = facts('person', { trust: 'person' });
    expect(verdict(facts('a'), person, HOUR)).toMatchObject({
      winner: { id: 'person' },
      open: true,
    });
  });

  it('is decided the same whichever end comes first', () => {
    fc.assert(
      fc.property(card('a'), card('b'), (a, b) => {
        expect(verdict(a, b, HOUR)).toEqual(verdict(b, a, HOUR));
      }),
    );
  });
});

describe('resolution', () => {
  it('never keeps both ends of a conflict, whatever the chains and circles', () => {
    fc.assert(
      fc.property(world, ({ cards, conflicts, asked }) => {
        const { kept, dropped } = resolve(asked, cards, conflicts, HOUR);
        for (const { from, to } of conflicts) {
          if (from !== to) expect(kept.includes(from) && kept.includes(to)).toBe(false);
        }
        expect([...kept, ...dropped.map((one) => one.id)].sort()).toEqual([...asked].sort());
        for (const { id, winner } of dropped) expect(winner).not.toBe(id);
      }),
      { numRuns: 500 },
    );
  });

  it('does not depend on the order of cards or conflicts', () => {
    fc.assert(
      fc.property(world, ({ cards, conflicts, asked }) => {
        const turned = conflicts.map(({ from, to }) => ({ from: to, to: from })).reverse();
        expect(resolve([...asked].reverse(), [...cards].reverse(), turned, HOUR)).toEqual(
          resolve(asked, cards, conflicts, HOUR),
        );
      }),
    );
  });

  it('leaves somebody standing in every world', () => {
    fc.assert(
      fc.property(world, ({ cards, conflicts }) => {
        const all = cards.map((one) => one.id);
        expect(resolve(all, cards, conflicts, HOUR).kept.length).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps one card of a circle', () => {
    const circle = [
      facts('a', { valid_from: daysAgo(0), sign: 'failed', confidence: 0.6 }),
      facts('b', { valid_from: daysAgo(1 / 36), status: 'validated', confidence: 0.6 }),
      facts('c', { valid_from: daysAgo(2 / 36), sign: 'failed', confidence: 0.9 }),
    ];
    const conflicts = [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'c' },
      { from: 'a', to: 'c' },
    ];
    // b is a proven success against a and c; a is newer than c by more than the tie.
    expect(resolve(['a', 'b', 'c'], circle, conflicts, HOUR).kept).toEqual(['b']);
    const rock = [
      facts('x', { valid_from: daysAgo(0), confidence: 0.6 }),
      facts('y', { valid_from: daysAgo(1 / 36), confidence: 0.8 }),
      facts('z', { valid_from: daysAgo(2 / 36), confidence: 0.9 }),
    ];
    const edges = [
      { from: 'x', to: 'y' },
      { from: 'y', to: 'z' },
      { from: 'z', to: 'x' },
    ];
    // y beats x and z beats y by confidence, x beats z by time.
    expect(resolve(['x', 'y', 'z'], rock, edges, HOUR).kept).toEqual(['z']);
  });

  it('drops a loser whose winner was not retrieved, and not one whose winner is not visible', () => {
    const loser = facts('loser');
    const winner = facts('winner', { valid_from: daysAgo(1) });
    const edge = [{ from: 'winner', to: 'loser' }];
    expect(resolve(['loser'], [loser, winner], edge, HOUR).dropped).toEqual([
      { id: 'loser', reason: 'conflict', winner: 'winner' },
    ]);
    expect(resolve(['loser'], [loser], edge, HOUR).kept).toEqual(['loser']);
  });
});

describe('a recall', () => {
  it('holds one side, names the other, and halves both ends of an open contradiction', () => {
    const first = candidate({ id: 'first', trust: 'person' });
    const second = candidate({ id: 'second', summary: 'Booked JFK to SFO. It worked twice.' });
    const input = rankInput({
      candidates: [first, second],
      edges: [{ type: 'conflicts', from: 'second', to: 'first' }],
      explain: true,
    });
    const answer = rankAndPack(input);
    expect(answer.cards.map((one) => one.id)).toEqual(['first']);
    expect(answer.dropped).toMatchObject([
      { id: 'second', reason: 'open_contradiction', winner: 'first' },
    ]);
    const alone = rankAndPack({ ...input, edges: [] });
    const score = alone.cards.find((one) => one.id === 'first')?.score ?? 0;
    expect(answer.cards[0]?.score).toBeCloseTo(score / 2, 10);
  });

  it('never holds both sides', () => {
    fc.assert(
      fc.property(world, ({ cards, conflicts, asked }) => {
        const all = cards.map((one) => candidate({ ...one, summary: `Booked ${one.id}.` }));
        const answer = rankAndPack(
          rankInput({
            limit: 20,
            candidates: all.filter((one) => asked.includes(one.id)),
            others: cards.filter((one) => !asked.includes(one.id)),
            edges: conflicts.map((edge) => ({ ...edge, type: 'conflicts' as const })),
          }),
        );
        const shown = answer.cards.map((one) => one.id);
        for (const { from, to } of conflicts) {
          if (from !== to) expect(shown.includes(from) && shown.includes(to)).toBe(false);
        }
        for (const { id } of answer.dropped) expect(answer.context).not.toContain(`Booked ${id}.`);
      }),
    );
  });

  it('drops a loser whose winner is visible and was not retrieved', () => {
    const answer = rankAndPack(
      rankInput({
        candidates: [candidate({ id: 'loser', valid_from: daysAgo(5) })],
        others: [facts('winner', { valid_from: daysAgo(1) })],
        edges: [{ type: 'conflicts', from: 'winner', to: 'loser' }],
      }),
    );
    expect(answer).toMatchObject({ cards: [], context: '', tokens: 0 });
    expect(answer.dropped).toEqual([{ id: 'loser', reason: 'conflict', winner: 'winner' }]);
  });
});
