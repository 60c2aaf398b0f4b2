import fc from 'fast-check';
import { type Entity, entitiesAsked, entitiesOf, MOST_ENTITIES } from '../src/domain/entities';
import { entityName, LONGEST_NAME } from '../src/domain/entity-name';

const named = (summary: string) => entitiesOf({ summary }).map((entity) => entity.name);

describe('what a text names', () => {
  it.each<[string, string[]]>([
    ['Zorvan: I met Quillon at the lake.', ['zorvan', 'quillon']],
    ['Booked JFK to SFO, reservation 4NQLHD.', ['jfk', 'sfo', '4nqlhd']],
    ['Edited numpy_handler.py and posted to #general.', ['numpy_handler.py', '#general']],
    ['The order #1234567 and the bill 9988776 were paid.', ['#1234567', '9988776']],
    ['She read “The Long Way” twice.', ['the long way']],
    ['It was sent to the Bank of Frolland.', ['bank of frolland']],
    ["Quillon's boat sank.", ['quillon']],
    ['A letter from Dr. Brandelhof came.', ['brandelhof']],
    ['Yesterday we saw Quillon. Quillon was well.', ['quillon']],
    ['The iPhone of GitHub fame', ['iphone', 'github']],
    ['вчера приехал Квиллон в Зорград', ['квиллон', 'зорград']],
    ['昨日「青い海」を見た', ['青い海']],
  ])('%s', (text, names) => {
    expect(named(text)).toEqual(expect.arrayContaining(names));
  });

  it.each([
    'Yesterday was fine. Maybe it rains on Monday, in May or in June.',
    'I think I’m late; I’ve read it. It’s done, and they haven’t come.',
    'Boats sank. Nobody knew why.',
    'It began at 5pm on 2023-05-07 and took 10kg of 3rd class flour, e.g. wheat and/or rye.',
    'Note: nothing to do. Error: none.',
    'DO NOT SEND ANY MONEY TO THE HARBOUR TODAY PLEASE',
    '昨日は雨だった',
    '',
  ])('nothing: %s', (text) => {
    expect(named(text)).toEqual([]);
  });

  it('knows a person by what people do', () => {
    const kinds = (text: string) =>
      Object.fromEntries(entitiesOf({ summary: text }).map(({ name, kind }) => [name, kind]));
    expect(kinds('Zorvan: we met')).toEqual({ zorvan: 'person' });
    expect(kinds('then Quillon said no')).toEqual({ quillon: 'person' });
    expect(kinds('with Mr. Brandelhof in Frolland')).toEqual({
      brandelhof: 'person',
      frolland: 'thing',
    });
  });

  it('puts labels first, keywords last, and each name once', () => {
    const card = {
      summary: 'Refund of order 4NQLHD for Quillon went through Payline.',
      hints: {
        service: 'Payline',
        operation: 'refund_order',
        keywords: ['refund', '4nqlhd', 'late'],
      },
      subject: 'Quillon',
      agent: 'cashier-1',
      team: 'billing',
      topic: 'refunds',
      key: null,
    };
    expect(entitiesOf(card)).toEqual([
      { kind: 'service', name: 'payline' },
      { kind: 'operation', name: 'refund_order' },
      { kind: 'subject', name: 'quillon' },
      { kind: 'agent', name: 'cashier-1' },
      { kind: 'thing', name: 'refunds' },
      { kind: 'agent', name: 'billing' },
      { kind: 'thing', name: '4nqlhd' },
      { kind: 'keyword', name: 'refund' },
      { kind: 'keyword', name: 'late' },
    ]);
  });
});

describe('what a query names', () => {
  it.each<[string, string]>([
    ['What did Quillon research?', 'quillon'],
    ['what does quillon research?', 'quillon'],
    ['Quillon’s boat', 'quillon'],
    ['Quillon went where?', 'quillon'],
    ['who booked 4nqlhd', '4nqlhd'],
    ['book_reservation for two', 'book_reservation'],
    ['Где живёт Квиллон?', 'квиллон'],
  ])('%s: %s', (query, name) => {
    expect(entitiesAsked(query).map((entity) => entity.name)).toContain(name);
  });

  it('meets the card by the name', () => {
    const card = named('Zorvan: then Brandelhof took the Fro-42 to Frolland, see notes.md');
    for (const name of ['zorvan', 'brandelhof', 'fro-42', 'frolland', 'notes.md']) {
      expect(card).toContain(name);
      expect(entitiesAsked(`what about ${name}?`).map((entity) => entity.name)).toContain(name);
    }
  });
});

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc
    .array(
      fc.constantFrom(
        ...'Anna Zorg of the I\'m “ ” " : . JFK x_y a.py #ops @me 12345 4NQ İstanbul ΟΔΟΣ ﬁn Ǆ é É 東京 タワー Квиллон — ’s - / ß'.split(
          ' ',
        ),
        '\n',
      ),
      { maxLength: 40 },
    )
    .map((words) => words.join(' ')),
);
const label = fc.option(anyText, { nil: null });

function expectBounded(entities: readonly Entity[]): void {
  expect(entities.length).toBeLessThanOrEqual(MOST_ENTITIES);
  const names = entities.map((entity) => entity.name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) {
    expect(name.length).toBeGreaterThan(1);
    expect(name.length).toBeLessThanOrEqual(LONGEST_NAME);
    expect(entityName(name)).toBe(name);
    expect(name).not.toMatch(/\p{Surrogate}/u);
  }
}

describe('whatever the text', () => {
  it('a name is the same after a second pass, and however it is composed', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const name = entityName(text);
        expect(entityName(name)).toBe(name);
        expect(name.length).toBeLessThanOrEqual(LONGEST_NAME);
        if (text.length < LONGEST_NAME / 4) expect(entityName(text.normalize('NFD'))).toBe(name);
      }),
      { numRuns: 3_000 },
    );
  });

  it('entities of a card are bounded, normal, distinct and the same each time', () => {
    const card = fc.record({
      summary: anyText,
      subject: label,
      agent: label,
      key: label,
      topic: label,
      team: label,
      hints: fc.record({
        service: label,
        operation: label,
        keywords: fc.array(anyText, { maxLength: 15 }),
      }),
    });
    fc.assert(
      fc.property(card, (one) => {
        const entities = entitiesOf(one);
        expectBounded(entities);
        expect(entitiesOf(one)).toEqual(entities);
      }),
      { numRuns: 1_000 },
    );
  });

  it('entities of a query are too', () => {
    fc.assert(
      fc.property(anyText, (query) => {
        expectBounded(entitiesAsked(query));
        expect(entitiesAsked(query)).toEqual(entitiesAsked(query));
      }),
      { numRuns: 1_000 },
    );
  });

  // A pattern that backtracks would not come back within the limit of a test.
  it.each([
    'A',
    'Aa ',
    'Aa of ',
    "A'",
    'a.',
    'A: ',
    '"',
    '“a',
    '「',
    '#',
    'Aa-',
    "s's",
    'ア',
    '\n',
  ])('100 KB of %j are read', (piece) => {
    const text = piece.repeat(Math.ceil(100_000 / piece.length));
    expectBounded(entitiesOf({ summary: text, subject: text, hints: { keywords: [text] } }));
    expectBounded(entitiesAsked(text));
  });
});
