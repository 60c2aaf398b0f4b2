import fc from 'fast-check';
import { CARD_KINDS, SECTIONS, SIGNS } from '../src/contracts/names';
import { rankAndPack } from '../src/domain/recall-pipeline';
import { bySection, sectionOf } from '../src/domain/sections';
import { candidate, daysAgo, rankInput } from './support/domain-cards';

const cards = fc
  .array(
    fc.record({
      kind: fc.constantFrom(...CARD_KINDS),
      sign: fc.constantFrom(...SIGNS),
      valid_from: fc.integer({ min: 0, max: 9 }).map(daysAgo),
    }),
    { maxLength: 20 },
  )
  .map((all) => all.map((card, index) => ({ ...card, id: `card-${index}` })));

describe('sections', () => {
  it.each([
    ['constraint', 'failed', 'avoid'],
    ['delegation', 'failed', 'avoid'],
    ['delegation', 'neutral', 'who'],
    ['experience', 'worked', 'worked'],
    ['skill_lesson', 'neutral', 'worked'],
    ['competence', 'neutral', 'who'],
    ['convention', 'neutral', 'conventions'],
    ['knowledge', 'neutral', 'known'],
    ['insight', 'neutral', 'lessons'],
  ] as const)('show a %s that %s under %s', (kind, sign, section) => {
    expect(sectionOf({ kind, sign })).toBe(section);
  });

  it('come in one order with every card in one of them, however the cards come', () => {
    fc.assert(
      fc.property(cards, (all) => {
        const sections = bySection(all);
        const names = sections.map((section) => SECTIONS.indexOf(section.name));
        expect(names).toEqual([...names].sort((a, b) => a - b));
        expect(sections.flatMap((section) => section.cards)).toHaveLength(all.length);
        expect(bySection([...all].reverse())).toEqual(sections);
      }),
    );
  });

  it('show at most the three newest lessons, and fill up with other cards', () => {
    const lessons = Array.from({ length: 5 }, (_, index) =>
      candidate({
        id: `lesson-${index}`,
        kind: 'insight',
        sign: 'neutral',
        summary: `Lesson ${index} of flight booking.`,
        valid_from: daysAgo(index),
        hints: { ...candidate().hints, service: null, operation: null },
      }),
    );
    const other = candidate({ id: 'other', lexical: 0.1, dense: 0.15 });
    const answer = rankAndPack(rankInput({ intent: 'look_up', candidates: [...lessons, other] }));
    const shown = answer.cards.map((card) => card.id).sort();
    expect(shown).toEqual(['lesson-0', 'lesson-1', 'lesson-2', 'other']);
    expect(answer.dropped.filter((one) => one.reason === 'older_lesson')).toHaveLength(2);
  });

  it('open with the warning of the same service when an agent is about to act', () => {
    const failed = (id: string, service: string, over: object = {}) =>
      candidate({
        id,
        kind: 'constraint',
        sign: 'failed',
        summary: `Tried ${service}, it failed (${id}).`,
        hints: { ...candidate().hints, service },
        ...over,
      });
    const candidates = [
      failed('elsewhere', 'slack', { valid_from: daysAgo(9) }),
      failed('same', 'flight-booking', { lexical: 2.5 }),
      candidate({ id: 'success', lexical: 6, dense: 0.8 }),
    ];
    const acting = rankAndPack(rankInput({ candidates }));
    expect(acting.cards[0]?.id).toBe('same');
    expect(acting.sections[0]).toMatchObject({ name: 'avoid', cards: ['same', 'elsewhere'] });
    const looking = rankAndPack(rankInput({ candidates, intent: 'look_up' }));
    expect(looking.cards[0]?.id).toBe('success');
    expect(looking.sections[0]).toMatchObject({ name: 'avoid', cards: ['elsewhere', 'same'] });
  });
});
