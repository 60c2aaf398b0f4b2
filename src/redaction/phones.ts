import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { Scan } from './span';

/**
 * Numbers with a country code are the library's to judge. A national number has no country to be
 * judged by, so it needs the shape of one, or a word for telephone before it.
 */
const INTERNATIONAL =
  /(?<![\p{L}\p{N}_+])(?<!\d[ .:-])(?:\+|(?:\(?00|011[ -]) ?)\(?\d(?:[ \-./()]{0,3}\d){5,16}(?!(?!x\d)[\p{L}\p{N}_])/gu;
const NATIONAL =
  /(?<![\p{L}\p{N}_.+#$€£-])(?<!\d[/:,])\(?\d(?:[ ()\-./]{0,3}\d){5,14}(?!(?!x\d)[\p{L}\p{N}_]|[-/:]\p{L}|[-/:,.]\d)/gu;
const EXTENSION = /[ ,]{0,2}(?:ext\.?|extension|x|#|durchwahl) ?\d{1,6}\b/iy;

/**
 * Plans whose numbers are written as ten digits without a trunk zero. Both together have about half
 * of all ten-digit numbers; India's alone would have seven in ten, so it needs a word.
 */
const BARE_COUNTRIES: readonly CountryCode[] = ['US', 'TR'];
/** An epoch in seconds begins with 1, as no area of those plans does. */
const BARE = /^[2-9]\d{9}$/;

/** Countries whose numbering plans cover most national forms that begin with a zero. */
const ZERO_COUNTRIES: readonly CountryCode[] = [
  'TR',
  'GB',
  'FR',
  'IN',
  'AU',
  'JP',
  'KR',
  'ZA',
  'IT',
  'NL',
  'DE',
];

const PHONE_WORDS = new RegExp(
  `(?:${[
    'phone|\\btele?f?\\b|telefon|tel[eé]fono|t[eé]l[eé]phone|handy|mobil|\\bcell|\\bcep\\b|\\bgsm\\b',
    '\\bfax|whats ?app|signal|viber|\\bsms\\b|hotline|\\blandline|\\bph[.:# ]|answering',
    '\\b(?:text|call)(?:ed|ing)? (?:me|us|him|her|them|at|on|back|now)|\\bcall\\b|\\bdial|\\bring\\b',
    '\\breach(?:ed|able)?(?: (?:me|us|him|her|them|you))?(?: (?:at|on|by|via|under))\\b',
    'contact (?:me|us|him|her|them|at|on|no|number)|\\bcontacts?[\\W_]{0,4}$|\\bemergency contact',
    '\\b(?:my|his|her|our|their) (?:\\p{L}{2,12} ){0,2}(?:number\\b|registered\\b)',
    '\\b(?:new|old|best|home|work|office|direct|contact|callback|alternate|emergency) (?:number|no|line)\\b',
    '\\bdesk[\\W_]{0,4}$|numara|n[uú]mero|rufnummer|電話|电话|手机|携帯|전화|हाथ|номер|тел',
  ].join('|')})[^\\d]{0,40}$`,
  'iu',
);
/** What else a number may be; it stands between the word for telephone and the number. */
const OTHER_WORDS =
  /order|\bids?\b|_id|invoice|ticket|reservation|booking|flight|amount|balance|\bref|case|card|iban|[$€£#@]|version|sku|\bzip|postal|size|count|total|code|price|\bkey|call_|confirm|track|member|loyalty|flyer|passport|licen|policy|serial|social|record|locator|employee|student|customer (?:no|num)|model|\bpart\b|bank|konto|routing|\bitem|product/i;
/** The same right before a number that has nothing but its digits to show. */
const NAMED_OTHERWISE =
  /(?:account|acct|konto|bank|iban|order|invoice|ticket|tracking|serial|reservation|booking|passport|licen[cs]e|polic[yi]|member|customer|employee|student|product|item|sku|routing|\bids?|_ids?|\bref\w{0,8})\b[^\d]{0,24}$/i;

const DATE =
  /(?:19|20)\d\d[-./ ](?:0?[1-9]|1[0-2])[-./ ]\d{1,2}|\d{1,2}[-./ ]\d{1,2}[-./ ](?:19|20)\d\d|^(?:19|20)\d{6}(?:[ -]\d{4,6})?$/;

const NANP = /^(?:1[ .-]?)?(?:\([2-9]\d{2}\)[ .-]{0,3}|[2-9]\d{2}[.-])\d{3}[ .-]\d{4}$/;
const NANP_SPACED = /^(?:1 )?[2-9]\d{2} [2-9]\d{2}[ -]\d{4}$/;
/** Any area with the `1` of its plan or an extension, which nothing else has. */
const NANP_MARKED =
  /^(?:(?:00)?1([.-])\d{3}\1\d{3}\1\d{4}(?=$|\D)|\d{3}[.-]\d{3}[.-]\d{4}(?= ?x\d))/;
const THREE_THREE_FOUR = /^[01]\d{2}-\d{3}-\d{4}$/;
const PARENTHESES = /^\(\d{2,5}\)[ -]{0,2}\d{2,11}(?:[ .-]\d{2,4}){0,3}$/;
const TWO_FOUR_FOUR = /^[1-9]\d (?!(?:19|20)\d\d-(?:19|20)\d\d$)9?\d{4}-\d{4}$/;
const RUSSIAN =
  /^[78] ?(?:\(\d{3}\) ?\d{3}[ -]\d{2}[ -]?\d{2}|\(?\d{3}\)?[ -]\d{3}[ -]\d{2}[ -]\d{2})$/;
const STOCKHOLM = /^0\d{1,3}-\d{2,3} \d{2} \d{2}$/;
const ZERO_GROUPS = /^\(?0\d{0,4}\)?(?:[ .-]\(?\d{2,8}\)?){1,5}$/;
const ZERO_SLASH = /^0\d{2,5}\/ ?\d{5,9}$/;
const ZERO_BARE = /^0[1-9]\d{8,9}$/;
const THREE_THREE_TWO_TWO = /^\d{3}([ .-])\d{3}\1\d{2}\1\d{2}$/;
const QUAD = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|\d{1,2})\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|\d{1,2})$/;

/** Groups of a mistyped account number read like a telephone number; its country letters tell. */
const ACCOUNT_BEFORE = /[A-Z] ?[A-Z]\d{2}(?: [A-Z0-9]{2,4}){0,6} $/;

const digitsOf = (written: string) => written.replace(/\D/g, '');

/** A signed amount has the same look, so that what stands before its point has to be a number that is given out. */
function beforeThePoint(scan: Scan, written: string): { length: number; e164: string } | null {
  const length = written.indexOf('.');
  if (length < 11) return null;
  const e164 = written.slice(0, length);
  if (!scan.budget.spend()) return { length, e164 };
  return parsePhoneNumberFromString(e164)?.isValid() === true ? { length, e164 } : null;
}

/** Possible as `+…`; cut back by a group at a time, since a year or an amount may follow. */
function internationalEnd(scan: Scan, written: string): { length: number; e164: string } | null {
  if (/^\+\d{1,17}\.\d{1,3}$/.test(written)) return beforeThePoint(scan, written);
  const prefixed = /^\(?(?:00|011)/.test(written);
  let candidate = written;
  for (let tries = 0; tries < 4; tries += 1) {
    const plus = `+${digitsOf(prefixed ? candidate.replace(/^\(?(?:00|011)/, '') : candidate)}`;
    if (plus.length < 8) return null;
    if (!scan.budget.spend()) return { length: candidate.length, e164: plus };
    const number = parsePhoneNumberFromString(plus);
    if (number !== undefined && (prefixed ? number.isValid() : number.isPossible())) {
      return { length: candidate.length, e164: number.number };
    }
    const shorter = candidate.replace(/[ \-./()]{1,4}\d{1,17}$/, '');
    if (shorter === candidate) return null;
    candidate = shorter;
  }
  return null;
}

function extensionEnd(text: string, end: number): number {
  EXTENSION.lastIndex = end;
  return EXTENSION.exec(text) === null ? end : EXTENSION.lastIndex;
}

function isValidIn(countries: readonly CountryCode[], scan: Scan, digits: string): boolean {
  for (const country of countries) {
    if (!scan.budget.spend()) return true;
    if (parsePhoneNumberFromString(digits, country)?.isValid() === true) return true;
  }
  return false;
}

/** A text that is nothing but a number is what somebody answers who was asked for one. */
function isAlone(scan: Scan, written: string): boolean {
  return scan.isWhole && BARE.test(written) && scan.text.trim().length === written.length;
}

function isShaped(scan: Scan, at: number, written: string, digits: string): boolean {
  const shown = scan.text.slice(at, at + written.length + 8);
  if (NANP.test(written) || NANP_SPACED.test(written) || NANP_MARKED.test(shown)) return true;
  if (PARENTHESES.test(written)) return digits.length >= 8 && digits.length <= 13;
  if (THREE_THREE_TWO_TWO.test(written) || THREE_THREE_FOUR.test(written)) return true;
  if (TWO_FOUR_FOUR.test(written) || RUSSIAN.test(written) || STOCKHOLM.test(written)) return true;
  if (ZERO_BARE.test(written)) {
    if ('0123456789'.startsWith(written)) return false;
    if (NAMED_OTHERWISE.test(scan.text.slice(Math.max(0, at - CONTEXT), at))) return false;
    return isValidIn(ZERO_COUNTRIES, scan, digits);
  }
  if (isAlone(scan, written)) return isValidIn(BARE_COUNTRIES, scan, digits);
  if (ZERO_SLASH.test(written)) return isValidIn(ZERO_COUNTRIES, scan, digits);
  if (!ZERO_GROUPS.test(written) || /^0\./.test(written) || /^00/.test(digits)) return false;
  // A ZIP code with its four digits has the same shape.
  if (digits.length < 9 || digits.length > 13 || /^\d{5}-\d{4}$/.test(written)) return false;
  return (written.match(/[ .-]/g)?.length ?? 0) >= 2 || isValidIn(ZERO_COUNTRIES, scan, digits);
}

const CONTEXT = 64;
const WORD_BEHIND =
  /^[ ,(]{1,3}(?:(?:is|was|as) )?(?:(?:my|the|his|her|our|their|a) )?(?:(?:new|work|home|best|direct|preferred|contact) ){0,2}(?:phone|mobile|cell\b|tel\b|fax|whats ?app|number to (?:reach|call|text)|way to reach|(?<=(?:my|his|her|our|their) )number\b|(?<=best )number\b)/i;

function isNamed(text: string, at: number, end: number): boolean {
  if (WORD_BEHIND.test(text.slice(end, end + 40))) return true;
  // No digit may stand between the word and the number, which spares most numbers the search.
  let from = at;
  while (from > 0 && at - from < CONTEXT && !/[0-9]/.test(text[from - 1] ?? '')) from -= 1;
  if (at - from < 3) return false;
  const before = text.slice(from, at);
  const match = PHONE_WORDS.exec(before);
  return match !== null && !OTHER_WORDS.test(match[0]);
}

/** One tag for `(415) 555-2671` and `+1 415 555 2671`; other national forms have no country. */
function nationalTag(written: string, digits: string): string {
  const ten = digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits;
  if (ten.length === 10 && (NANP.test(written) || NANP_SPACED.test(written))) return `+1${ten}`;
  return `national:${digits.replace(/^0+/, '')}`;
}

export function detectPhones(scan: Scan): void {
  const { text } = scan;
  const taken: { start: number; end: number }[] = [];
  for (const match of text.matchAll(INTERNATIONAL)) {
    const found = internationalEnd(scan, match[0]);
    if (found === null) continue;
    const end = extensionEnd(text, match.index + found.length);
    taken.push({ start: match.index, end });
    scan.spans.push({ start: match.index, end, type: 'phone', normalised: found.e164 });
  }
  let next = 0;
  for (const match of text.matchAll(NATIONAL)) {
    const start = match.index;
    while ((taken[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    if ((taken[next]?.start ?? Number.POSITIVE_INFINITY) < start + match[0].length) continue;
    const written = match[0];
    const digits = digitsOf(written);
    if (ACCOUNT_BEFORE.test(text.slice(Math.max(0, start - 40), start))) continue;
    if (DATE.test(written) || QUAD.test(written) || /^(\d)\1{1,22}$/.test(digits)) continue;
    if (
      !isShaped(scan, start, written, digits) &&
      !(digits.length >= 6 && isNamed(text, start, start + written.length))
    )
      continue;
    const end = extensionEnd(text, start + written.length);
    scan.spans.push({ start, end, type: 'phone', normalised: nationalTag(written, digits) });
  }
}
