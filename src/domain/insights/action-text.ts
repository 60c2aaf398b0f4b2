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
 * Numbers stay as they are meant, with percent and currency signs: 10 % is another action than 20 %, and than 10; `.5` is
 * 0.5, `1½` is 1 1/2, and a dash right before a number is its minus, whichever dash was typed. What is on no screen (soft
 * hyphens, joiners, marks of direction) is no part of it. Words and their order stay too; what is put in other words is
 * another action. Idempotent; never empty for a text of which something can be seen.
 */
export function normalizedAction(text: string): string {
  const seen = visibleText(text);
  const apart = seen
    .replace(APOSTROPHES, '')
    .replace(BEHIND_DIGIT, (mark) => (isDigits(mark) ? ` ${mark}` : mark))
    .replace(BEFORE_DIGIT, (mark) => (isDigits(mark) ? `${mark} ` : mark));
  const words = compatible(apart)
    .replace(APOSTROPHES, '')
    .replace(GROUPING, '')
    .replace(DASHES, '-')
    .replace(SIGNED_MONEY, '$1-')
    .replace(LEADING_POINT, '0$1')
    .replace(FRACTION, '/')
    .replace(OWN_WORD, ' $1 ')
    .replace(REST, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return withoutOpening(words) || words || compatible(seen).replace(/\s+/g, ' ').trim();
}

function compatible(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC');
}

/** Without what no screen shows. */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, '');
}

const UNSEEN =
  /[\p{Default_Ignorable_Code_Point}\p{Cf}\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f]/gu;
/** A fraction or a raised digit beside a digit: compatibility makes digits of both, and one number. */
const BEHIND_DIGIT = /(?<=\p{Nd})[\p{No}\p{So}]/gu;
const BEFORE_DIGIT = /[\p{No}\p{So}](?=\p{Nd})/gu;
const APOSTROPHES = /['’ʼ]/g;
/** The comma in 1,200. */
const GROUPING = /(?<=\d),(?=\d{3}(?!\d))/g;
/** What is typed for a minus; which of them are one is said by `REST`. */
const DASHES = /[‐‒–−]/g;
/** -$5 is $-5. */
const SIGNED_MONEY = /(?<![\p{L}\p{M}\p{N}])-(\p{Sc})\s?(?=[.,]?\d)/gu;
const LEADING_POINT = /(?<![\p{L}\p{M}\p{N}.,])([.,])(?=\d)/gu;
const FRACTION = /(?<=\d)\u2044(?=\d)/g;
/** Signs that change what is meant. */
const OWN_WORD = /([%‰°\p{Sc}+<>=≤≥±])/gu;
/** All but letters, digits and those signs; a decimal point, a fraction's bar and a minus before a number stay. */
const REST = /(?!(?<=\d)[.,/]\d)(?!(?<![\p{L}\p{M}\p{N}])-\d)[^\p{L}\p{M}\p{N}%‰°\p{Sc}+<>=≤≥±]/gu;

function isDigits(mark: string): boolean {
  return /\d/.test(mark.normalize('NFKC'));
}

const OPENING = new Set(['please', 'kindly', 'the', 'a', 'an']);

function withoutOpening(words: string): string {
  const list = words.split(' ');
  const first = list.findIndex((word) => !OPENING.has(word));
  return first < 0 ? '' : list.slice(first).join(' ');
}
