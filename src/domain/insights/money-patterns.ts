import { numberPattern } from './money-number';
import { PERIOD_WORDS, SCALE_WORDS, SIGNS, SMALL_CODES, WORDS_AFTER } from './money-words';

// What stands around a number. Each quantifier is bounded, and what looks back is tried on a short slice.

/** Alternatives, the longest first. */
function oneOf(words: readonly string[]): string {
  return [...words]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/[.$]/g, '\\$&').replaceAll(' ', SPACE))
    .join('|');
}

const SPACE = '[ \\u00a0\\u202f]';
const ENDS = '(?![\\p{L}\\p{N}_])';
const SIGN = oneOf(Object.keys(SIGNS));
const CODE = `[A-Z]{3}|${oneOf(SMALL_CODES)}`;

/** A number that does not begin within another one. */
const NUMBER_STARTS = "(?<!\\d|\\d[.,'’])";
export const NUMBER = new RegExp(NUMBER_STARTS + numberPattern(), 'gu');
/** The same where it begins. */
export const NUMBER_AT = new RegExp(numberPattern(), 'uy');

/** In front of it: a sign, perhaps with a code before (`CAD $`); or a code, which is no part of an id or a pair. */
export const CURRENCY_BEFORE = new RegExp(
  `(?<![\\p{L}\\p{N}_#@])(?:(?:(?<beside>${CODE})${SPACE}?)?(?<sign>${SIGN})${SPACE}?[-−]?|` +
    `(?<![-/.])(?<code>${CODE})(?:${SPACE}[-−]?)?)$`,
  'u',
);

/** What a number without a currency in front may not follow: a word, a path, an id or a time. */
export const NOT_BEFORE = /[\p{L}\p{N}_#@/\\.,'’]$|[\p{L}\p{N}][-–—]$|\d:$/u;

const SCALED = `${SPACE}?(?<word>${oneOf(SCALE_WORDS)})${ENDS}\\.?|(?<letter>[kmb])${ENDS}|`;

/** What it is scaled by. A single letter stands right behind it, or before a currency. */
export const SCALE = new RegExp(
  `${SCALED}${SPACE}(?:(?<thousand>k)${ENDS}(?!-)|(?<before>[kmb])(?=${SPACE}?(?:${SIGN})|${SPACE}(?:${CODE})${ENDS}))`,
  'iuy',
);
/** The same where a currency stands in front: then a letter after a blank is no unit of something else. */
export const SCALE_OF_MONEY = new RegExp(`${SCALED}${SPACE}(?<before>[kmb])${ENDS}(?!-)`, 'iuy');
/** A number in another notation (\`1_000\`, \`1e9\`), or an id: what was read of it is not its amount. */
export const GOES_ON = /_\d|\p{L}{1,3}[-+]?\d/uy;

/** The upper end of a range is what follows. */
export const DASH = new RegExp(`[-–—](?:${SIGN})?`, 'uy');

/** Behind it. */
export const SIGN_AFTER = new RegExp(`${SPACE}?(?<sign>${SIGN})(?![\\p{L}\\p{N}_]|[.,]\\d)`, 'uy');
export const CODE_AFTER = new RegExp(`${SPACE}?(?<code>${CODE})(?![\\p{L}\\p{N}_]|-\\d)`, 'uy');
export const NAME_AFTER = new RegExp(
  `${SPACE}?(?<name>${oneOf(Object.keys(WORDS_AFTER))})${ENDS}`,
  'iuy',
);
export const PERCENT = new RegExp(`${SPACE}?%`, 'uy');

const ADVERBS = PERIOD_WORDS.filter((word) => word.endsWith('ly'));
const PERIOD = oneOf(PERIOD_WORDS);
const LONG_PERIOD = oneOf(
  PERIOD_WORDS.filter((word) => word === 'day' || (word.length > 3 && !ADVERBS.includes(word))),
);
const ADVERB = oneOf(ADVERBS);
const WORD = "\\s[\\p{L}'’-]{1,24}";

/** The time that an amount is of, right behind it: `/week`, ` per week`, ` a week`, ` weekly`, ` p.a.`. */
export const RATE_AFTER = new RegExp(
  `^(?:\\s?/\\s?(?<slash>${PERIOD})${ENDS}|\\s(?:per|an?|each|every)\\s(?<word>${LONG_PERIOD})${ENDS}|` +
    `\\s(?<adverb>${ADVERB})${ENDS}|\\s(?<annum>p\\.?\\s?a\\.?)${ENDS})`,
  'iu',
);

/** The same after a few words: `$500 of waste per week`. */
export const RATE_LATER = new RegExp(
  `^(?:${WORD}){1,5}?\\s(?:per|each|every)\\s(?<word>${LONG_PERIOD})${ENDS}`,
  'iu',
);

/** And before it: `a weekly loss of about $500`. */
export const RATE_BEFORE = new RegExp(
  `(?<![\\p{L}\\p{N}])(?<adverb>${ADVERB}|annual)(?:${WORD}){1,3}?` +
    '(?:\\s(?:of|at|is|was)|:)\\s(?:(?:about|around|nearly|roughly|over|almost|up to)\\s)?[-−(~≈]{0,2}$',
  'iu',
);
