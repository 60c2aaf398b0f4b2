import fc from 'fast-check';
import { ByteSearch } from '../src/store/byte-search';
import { piecesOf } from '../src/store/erasure-terms';
import { TermSearch } from '../src/store/term-search';
import { PLANTED_WORDS, writtenForms } from './support/encodings';

/** Half a surrogate pair: no character. */
const LONE_HALF = /\p{Cs}/u;

/** Letters of many scripts, and what is more than one unit of UTF-16. */
const word = fc
  .string({ minLength: 3, maxLength: 30, unit: 'grapheme' })
  .filter(
    (text) => !LONE_HALF.test(text) && Buffer.byteLength(text) >= 6 && /\p{L}|\p{So}/u.test(text),
  )
  // Case folds to other letters in some scripts (ß, İ): a word is found as it was written.
  .filter((text) => text.normalize('NFC') === text);

const around = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes));

test('each planted word is found in each form, and its forms differ', () => {
  for (const text of PLANTED_WORDS) {
    const forms = writtenForms(text);
    expect(new Set(forms.map(({ bytes }) => bytes.toString('latin1'))).size).toBeGreaterThan(5);
    const search = new ByteSearch(['something else entirely', text]);
    const missed = forms.filter(
      ({ bytes }) =>
        !search.hits(Buffer.concat([Buffer.from('…'), bytes])).some(({ term }) => term === 1),
    );
    expect(missed.map(({ name }) => `${name} of ${text}`)).toEqual([]);
  }
});

test('any word is found in any form, whatever stands around it, among many others', () => {
  fc.assert(
    fc.property(
      word,
      fc.array(fc.string({ minLength: 8, maxLength: 20 }), { maxLength: 20 }),
      around,
      around,
      fc.nat(),
      (text, others, before, after, which) => {
        const forms = writtenForms(text);
        const { bytes } = forms[which % forms.length] as (typeof forms)[number];
        const hits = new ByteSearch([...others, text]).hits(Buffer.concat([before, bytes, after]));
        return hits.some(({ term }) => term === others.length);
      },
    ),
    { numRuns: 300 },
  );
});

test('what is not there is not found', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 6 }), fc.string(), (text, hay) => {
      fc.pre(Buffer.byteLength(text) >= 4 && !hay.toLowerCase().includes(text.toLowerCase()));
      const plain = Buffer.from(hay, 'latin1')
        .toString('latin1')
        .replace(/[^a-z ]/g, '');
      fc.pre(!plain.includes(text));
      return !new ByteSearch([text])
        .hits(Buffer.from(plain))
        .some(({ length, at }) => plain.slice(at, at + length).length < 4);
    }),
  );
});

test('an id is found as a whole one only, and a text wherever it stands', () => {
  const search = new TermSearch({ ids: ['client-7', 'Müller'], texts: ['was seen at the pier'] });
  const found = (text: string) => [...search.inText(text)].map((term) => search.termOf(term));
  expect(found('{"subject": "client-7"}')).toEqual(['client-7']);
  expect(found('client-77, my-client-7, client-7-b, xclient-7, Müllerin')).toEqual([]);
  expect(found('(client-7), MÜLLER.')).toEqual(['client-7', 'Müller']);
  expect(found('It was seen at the piers.')).toEqual(['was seen at the pier']);
});

test('of a text a few pieces are kept that hardly anybody else says', () => {
  expect(piecesOf('service_call')).toEqual([]);
  expect(piecesOf('2026-03-01T09:00:00.000Z')).toEqual([]);
  expect(piecesOf('short words')).toEqual([]);
  expect(piecesOf('田中さくら')).toEqual(['田中さくら']);
  const long =
    'The quokka was too heavy for the crane, so the harbour master called his sister and waited for high water.';
  const pieces = piecesOf(long);
  expect(pieces).toHaveLength(3);
  for (const piece of pieces) {
    expect(long).toContain(piece);
    expect(piece.length).toBeGreaterThan(15);
  }
  fc.assert(
    fc.property(fc.string({ maxLength: 400, unit: 'grapheme' }), (text) => {
      const plain = text.normalize('NFC').replace(/\s+/gu, ' ').trim();
      return piecesOf(text).every((piece) => plain.includes(piece) && !LONE_HALF.test(piece));
    }),
  );
});
