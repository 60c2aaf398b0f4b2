/**
 * What an action says, without how it is written; its SHA-256 is what outcomes and blocks are kept by. Two texts that
 * are equal after this are one action:
 *
 * | Written | Normalized |
 * |---|---|
 * | `Cut the Tuesday lunch shift by 10%.` | `cut the tuesday lunch shift by 10 %` |
 * | `please  cut the Tuesday-lunch shift by 10 %!` | `cut the tuesday lunch shift by 10 %` |
 * | `The weekly count: do it daily` | `weekly count do it daily` |
 * | `Raise prices $1,200` | `raise prices $ 1200` |
 *
 * Numbers, percent and currency signs stay: 10 % is another action than 20 %, and than 10. So do words and their
 * order; what is put in other words is another action. Idempotent; never empty for a text that is not blank.
 */
export function normalizedAction(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase().normalize('NFKC');
  const words = plain
    .replace(APOSTROPHES, '')
    .replace(GROUPING, '')
    .replace(/−/g, '-')
    .replace(OWN_WORD, ' $1 ')
    .replace(REST, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return withoutOpening(words) || words || plain.replace(/\s+/g, ' ').trim();
}

const APOSTROPHES = /['’ʼ]/g;
/** The comma in 1,200. */
const GROUPING = /(?<=\d),(?=\d{3}(?!\d))/g;
/** Signs that change what is meant. */
const OWN_WORD = /([%‰°\p{Sc}+<>=≤≥±])/gu;
/** All but letters, digits and those signs; a decimal point and a minus before a number stay. */
const REST = /(?!(?<=\d)[.,]\d)(?!(?<![\p{L}\p{M}\p{N}])-\d)[^\p{L}\p{M}\p{N}%‰°\p{Sc}+<>=≤≥±]/gu;

const OPENING = new Set(['please', 'kindly', 'the', 'a', 'an']);

function withoutOpening(words: string): string {
  const list = words.split(' ');
  const first = list.findIndex((word) => !OPENING.has(word));
  return first < 0 ? '' : list.slice(first).join(' ');
}
