import fc from 'fast-check';
import {
  bm25,
  bm25Term,
  cardIndexText,
  inverseDocumentFrequency,
  lexicalTerms,
  termCount,
} from '../src/domain/terms';

const terms = (text: string) => [...lexicalTerms(text).keys()];

describe('terms of cards and queries', () => {
  it.each([
    ['book_reservation', ['book_reservation', 'book', 'reserv']],
    ['SI5UKW', ['si5ukw']],
    ['numpy_handler.py', ['numpy_handler.py', 'numpi', 'handl', 'py']],
    ['E999', ['e999']],
    ['getUserDetails', ['getuserdetail', 'get', 'user', 'detail']],
    ['flight-booking', ['flight-booking', 'flight', 'book']],
  ])('keeps the identifier %s whole and in parts', (text, expected) => {
    expect(terms(text)).toEqual(expected);
  });

  it.each([
    ['booked', 'booking'],
    ['reservations', 'reservation'],
    ['cancelled', 'cancellation'],
    ['retries', 'retry'],
    ['addresses', 'address'],
  ])('takes %s and %s for one term', (a, b) => {
    expect(terms(a)).toEqual(terms(b));
  });

  it('drops stop words, and keeps what says that something is not there', () => {
    expect(terms('what is the channel that was not found')).toEqual(['channel', 'not', 'found']);
  });

  it('finds words where none are spaced apart', () => {
    expect(terms('東京のホテル')).toEqual(expect.arrayContaining(['東京', 'ホテル']));
  });

  it('reads compatibility forms and letter case as one', () => {
    expect(terms('ﬁle ＳＩ５ＵＫＷ')).toEqual(terms('FILE si5ukw'));
  });

  it('counts every occurrence, and gives the same terms each time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const once = lexicalTerms(text);
        expect([...lexicalTerms(text)]).toEqual([...once]);
        expect([...once.values()].every((count) => count >= 1)).toBe(true);
        expect(termCount(lexicalTerms(`${text}\n${text}`))).toBe(2 * termCount(once));
      }),
    );
  });

  it('indexes who and what beside the summary, and never metadata', () => {
    const text = cardIndexText({
      summary: 'It worked.',
      agent: 'agent-a',
      team: 'travel',
      subject: 'client-7',
      key: 'home_airport',
      topic: null,
      hints: { service: 'slack', operation: 'get_channels', keywords: ['JFK'] },
    });
    expect(text).toBe('agent-a travel slack get_channels client-7 home_airport JFK: It worked.');
    expect(cardIndexText({ summary: 'It worked.' })).toBe('It worked.');
  });
});

describe('BM25', () => {
  const corpus = { documents: 100, averageLength: 12, documentFrequency: () => 4 };

  it('is the sum that a hand calculation gives', () => {
    // idf = ln(1 + 96.5/4.5); tf 1 in a document of average length: tf part 2.2 / 2.2 = 1.
    const document = new Map([...'abcdefghijkl'].map((letter) => [letter, 1]));
    const score = bm25(
      new Map([
        ['a', 1],
        ['z', 1],
      ]),
      document,
      corpus,
    );
    expect(score).toBeCloseTo(Math.log(1 + 96.5 / 4.5), 10);
  });

  it('rises with the frequency of a term, falls with the length, and is never negative', () => {
    const count = fc.integer({ min: 0, max: 1000 });
    fc.assert(
      fc.property(
        count,
        count,
        count,
        fc.integer({ min: 0, max: 500 }),
        (tf, held, length, average) => {
          const idf = inverseDocumentFrequency(1000, held);
          const score = bm25Term(tf, idf, length, average);
          expect(score).toBeGreaterThanOrEqual(0);
          expect(bm25Term(tf + 1, idf, length, average)).toBeGreaterThan(score);
          expect(bm25Term(tf, idf, length + 1, average)).toBeLessThanOrEqual(score);
        },
      ),
    );
  });

  it('prefers the rarer term, even when a term is in every document', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), fc.nat(), fc.nat(), (documents, a, b) => {
        const [rare, common] = [a % (documents + 1), b % (documents + 1)].sort((x, y) => x - y);
        const idf = inverseDocumentFrequency(documents, common ?? 0);
        expect(idf).toBeGreaterThan(0);
        expect(inverseDocumentFrequency(documents, rare ?? 0)).toBeGreaterThanOrEqual(idf);
      }),
    );
  });
});
