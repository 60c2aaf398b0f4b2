import fc from 'fast-check';
import { fold, foldKey } from '../src/domain/fold';
import { rankAndPack } from '../src/domain/recall-pipeline';
import { candidate, daysAgo, rankInput } from './support/domain-cards';

const SAME: Record<string, readonly string[]> = {
  general: ['general', 'random'],
  random: ['general', 'random'],
  other: ['other'],
};

/** Cards whose vectors point one of three ways, two of them near each other, or that have none. */
const ranked = fc
  .array(
    fc.record({
      fold_key: fc.constantFrom<string>('read', 'book'),
      summary: fc.constantFrom<string>(
        'Read the channel.',
        'Booked JFK to SFO.',
        'Read the channel again.',
      ),
      valid_from: fc.integer({ min: 0, max: 30 }).map(daysAgo),
      way: fc.option(fc.constantFrom('general', 'random', 'other')),
    }),
    { maxLength: 15 },
  )
  .map((cards) => {
    const named = cards.map((card, index) => ({ ...card, id: `card-${index}` }));
    return named.map(({ way, ...card }) => ({
      ...card,
      vector: way === null ? null : { near: new Set(nearOf(way, named)) },
    }));
  });

function nearOf(way: string, cards: readonly { id: string; way: string | null }[]): string[] {
  return cards
    .filter((card) => card.way !== null && SAME[way]?.includes(card.way))
    .map((card) => card.id);
}

describe('folding', () => {
  it('loses no card, counts every one, and keeps the order', () => {
    fc.assert(
      fc.property(ranked, (cards) => {
        const folds = fold(cards);
        const all = folds.flatMap((one) => [one.card, ...one.others].map((card) => card.id));
        expect([...all].sort()).toEqual(cards.map((card) => card.id).sort());
        const places = folds.map((one) => cards.indexOf(one.card));
        expect(places).toEqual([...places].sort((a, b) => a - b));
        for (const { card, others, folded } of folds) {
          expect(folded?.count ?? 1).toBe(others.length + 1);
          for (const other of others) {
            expect(other.fold_key).toBe(card.fold_key);
            expect(cards.indexOf(other)).toBeGreaterThan(cards.indexOf(card));
          }
        }
      }),
    );
  });

  it('has nothing left to fold', () => {
    fc.assert(
      fc.property(ranked, (cards) => {
        const once = fold(cards).map((one) => one.card);
        expect(fold(once).map((one) => one.card)).toEqual(once);
      }),
    );
  });

  it('goes by the vectors where both have one, else by the words', () => {
    const words = { fold_key: 'send', valid_from: daysAgo(1) };
    const one = { ...words, id: 'one', summary: 'Sent 40 to recipient 250.' };
    const other = { ...words, id: 'other', summary: 'Paid recipient 251 their share.' };
    const near = (id: string) => ({ near: new Set([id]) });
    const alike = [
      { ...one, vector: near('other') },
      { ...other, vector: near('one') },
    ];
    const unlike = alike.map((card) => ({ ...card, vector: { near: new Set<string>() } }));
    expect(fold(alike)).toHaveLength(1);
    expect(fold(unlike)).toHaveLength(2);
    expect(fold(alike.map((card) => ({ ...card, vector: null })))).toHaveLength(2);
    const reordered = { ...one, summary: 'To recipient 250 sent 40.', id: 'other' };
    expect(
      fold([
        { ...one, vector: null },
        { ...reordered, vector: near('one') },
      ]),
    ).toHaveLength(1);
  });

  it('does not depend on the order in which the cards come', () => {
    const cards = Array.from({ length: 6 }, (_, index) =>
      candidate({
        id: `card-${index}`,
        summary: `Sent 40 to recipient ${250 + index}.`,
        lexical: 3 + (index % 3),
        // A chain: each is near its neighbours only.
        vector: { near: new Set([`card-${index - 1}`, `card-${index + 1}`]) },
      }),
    );
    const inOrder = rankAndPack(rankInput({ candidates: cards }));
    expect(inOrder.dropped.some((one) => one.reason === 'folded')).toBe(true);
    fc.assert(
      fc.property(fc.shuffledSubarray(cards, { minLength: cards.length }), (candidates) => {
        expect(rankAndPack(rankInput({ candidates }))).toEqual(inOrder);
      }),
      { numRuns: 30 },
    );
  });

  it('does not fold other operations, outcomes or errors, nor facts that differ', () => {
    const base = candidate();
    const key = foldKey(base);
    const hints = base.hints;
    expect(foldKey({ ...base, hints: { ...hints, keywords: ['JFK'] } })).toBe(key);
    expect(foldKey({ ...base, sign: 'failed' })).not.toBe(key);
    expect(foldKey({ ...base, hints: { ...hints, operation: 'cancel' } })).not.toBe(key);
    expect(foldKey({ ...base, hints: { ...hints, error_signature: 'not …' } })).not.toBe(key);
    const fact = { ...base, hints: { ...hints, service: null, operation: null } };
    expect(foldKey({ ...fact, summary: 'The limit is 300.' })).not.toBe(
      foldKey({ ...fact, summary: 'The limit is 400.' }),
    );
  });

  it('shows routine work once, with how often and when last', () => {
    const routine = Array.from({ length: 14 }, (_, index) =>
      candidate({
        id: `card-${index}`,
        summary: 'Read the messages of channel general on slack: 4 messages.',
        valid_from: daysAgo(index + 2),
      }),
    );
    const answer = rankAndPack(rankInput({ candidates: routine }));
    expect(answer.cards).toHaveLength(1);
    expect(answer.cards[0]?.folded).toEqual({ count: 14, last_at: daysAgo(2) });
    expect(answer.context).toContain('seen 14 times, last 2 days ago');
    expect(answer.dropped.every((one) => one.reason === 'folded')).toBe(true);
  });

  it('does not fold a resolved warning into an open one', () => {
    const failed = { kind: 'constraint', sign: 'failed', summary: 'It failed.' } as const;
    const answer = rankAndPack(
      rankInput({
        candidates: [
          candidate({ ...failed, id: 'open', vector: { near: new Set(['resolved']) } }),
          candidate({ ...failed, id: 'resolved', vector: { near: new Set(['open']) } }),
          candidate({ id: 'success', valid_from: daysAgo(0) }),
        ],
        edges: [{ type: 'satisfies', from: 'success', to: 'resolved' }],
      }),
    );
    expect(answer.cards).toHaveLength(3);
    expect(answer.cards.find((one) => one.id === 'resolved')?.resolved_by).toEqual(['success']);
    expect(answer.context).toContain('resolved by a later success, today');
  });

  it('does not call a warning resolved by a success that was taken back', () => {
    const answer = rankAndPack(
      rankInput({
        candidates: [
          candidate({ id: 'warning', kind: 'constraint', sign: 'failed', summary: 'It failed.' }),
          candidate({ id: 'success', status: 'rejected' }),
        ],
        edges: [{ type: 'satisfies', from: 'success', to: 'warning' }],
      }),
    );
    expect(answer.cards[0]).not.toHaveProperty('resolved_by');
    expect(answer.context).not.toContain('resolved');
  });
});
