import fc from 'fast-check';
import { actingEntities, namesAsked, withoutNames } from '../src/domain/acting';
import { entityName } from '../src/domain/entity-name';
import { substance } from '../src/domain/substance';
import { periodOfAnchor, timeFit, withTime } from '../src/domain/time-arm';

const DAY = 86_400_000;
const iso = (at: number) => new Date(at).toISOString();

describe('who acts in a card', () => {
  it.each([
    ['its speaker', { summary: 'Oskar: Ines has the key.' }, ['oskar']],
    ['its agent', { summary: 'Asked Ines for the key.', agent: 'Scout-7' }, ['scout-7']],
    ['its subject', { summary: 'Prefers the window seat.', subject: 'guest-12' }, ['guest-12']],
    ['nobody else whom it names', { summary: 'The key is with Ines and Oskar.' }, []],
  ])('is %s', (_who, card, actors) => {
    const acting = actingEntities(card).filter(({ acts }) => acts);
    expect(acting.map(({ name }) => name)).toEqual(actors);
  });
});

describe('a query without its names', () => {
  it.each([
    ['What did Ines paint in May?', ['ines'], 'What did paint in May?'],
    ["What are Ines's plans for the boat?", ['ines'], 'What are plans for the boat?'],
    ['Where did Ana María go sailing?', ['ana maría'], 'Where did go sailing?'],
    ['What did Ines paint?', ['oskar'], null],
    ['Ines', ['ines'], null],
    ['', ['ines'], null],
  ])('%s', (query, names, rest) => {
    expect(withoutNames(query, names)).toBe(rest);
  });

  it('holds only words of the query, and none of the names', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (query) => {
        const names = namesAsked(query);
        const rest = withoutNames(query, names);
        if (rest === null) return;
        const words = new Set(query.split(/\s+/u));
        const gone = new Set(names);
        for (const word of rest.split(' ')) {
          expect(words.has(word)).toBe(true);
          expect(gone.has(entityName(word))).toBe(false);
        }
        expect(withoutNames(rest, names)).toBeNull();
      }),
    );
  });
});

describe('how much a card says', () => {
  it('grows with its words and never below 0', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(5_000), fc.nat(5_000), (summary, one, other) => {
        const [few, many] = one < other ? [one, other] : [other, one];
        expect(substance(summary, few)).toBeGreaterThanOrEqual(0);
        expect(substance(summary, few)).toBeLessThanOrEqual(substance(summary, many));
      }),
    );
  });

  it.each([
    ['Ines: Which harbour?', true],
    ['Ines: Which harbour? And when?', true],
    ['“Which harbour?”', true],
    ['どこですか？', true],
    ['I moored in Kragenes. And you?', false],
    ['The harbour is Kragenes.', false],
    ['', false],
  ])('%s only asks: %s', (summary, asks) => {
    expect(substance(summary, 9)).toBeCloseTo(Math.log(10) * (asks ? 0.5 : 1));
  });
});

describe('the arm of time', () => {
  const from = Date.UTC(2026, 1, 1);
  const until = Date.UTC(2026, 2, 1);
  it('gives 1 within the period, half soon after, else nothing', () => {
    const fitAt = (at: number) => timeFit(iso(at), { from, until });
    expect(fitAt(from)).toBe(1);
    expect(fitAt(until - 1)).toBe(1);
    expect(fitAt(until)).toBe(0.5);
    expect(fitAt(until + (until - from) - 1)).toBe(0.5);
    expect(fitAt(until + (until - from))).toBeNull();
    expect(fitAt(from - 1)).toBeNull();
  });

  it('has no end where the period has none, and two days to tell of a moment', () => {
    expect(timeFit(iso(until + 900 * DAY), { from, until: null })).toBe(1);
    expect(timeFit(iso(0), { from: null, until })).toBe(1);
    expect(timeFit(iso(until + 2 * DAY - 1), { from: until - 1, until })).toBe(0.5);
    expect(timeFit(iso(until + 2 * DAY), { from: until - 1, until })).toBeNull();
  });

  it('goes by the latest card that says all of the anchor', () => {
    const cards = [
      { summary: 'The east dock flooded.', valid_from: iso(from) },
      { summary: 'The east dock flooded again.', valid_from: iso(until) },
      { summary: 'The west dock flooded.', valid_from: iso(until + DAY) },
    ];
    expect(periodOfAnchor('pumps before the east dock flooded', cards)).toEqual({
      from: null,
      until,
    });
    expect(periodOfAnchor('pumps after the east dock flood', cards)).toEqual({
      from: until,
      until: null,
    });
    expect(periodOfAnchor('pumps before the flood of the moon', cards)).toBeNull();
    expect(periodOfAnchor('which pumps', cards)).toBeNull();
  });

  it('changes and hides no candidate', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ summary: fc.string(), valid_from: fc.nat(4e12).map(iso) })),
        fc.string(),
        fc.option(fc.record({ from: fc.option(fc.nat(4e12)), until: fc.option(fc.nat(4e12)) })),
        (cards, query, period) => {
          const timed = withTime(cards, query, period);
          expect(timed.map(({ summary, valid_from }) => ({ summary, valid_from }))).toEqual(cards);
          for (const { time } of timed) expect([undefined, null, 0.5, 1]).toContain(time);
        },
      ),
    );
  });
});
