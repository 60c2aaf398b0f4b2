/** Cards, IBANs and social security numbers: digits whose own check decides. */
import type * as Ibantools from 'ibantools' with { 'resolution-mode': 'import' };
import isCreditCard from 'validator/lib/isCreditCard';
import isLuhnNumber from 'validator/lib/isLuhnNumber';
import type { Scan } from './span';

// Its types describe only its ES module, its CommonJS build is what runs here.
const { countrySpecs, isValidIBAN } = require('ibantools') as typeof Ibantools;

const DIGIT_RUN = /(?<![\p{L}\p{N}_.])(?<![0-9][-,])\d(?:[ -]?\d){11,22}(?![\p{L}\p{N}_]|[.,]\d)/gu;
const CARD_WORDS =
  /(?:\bcards?\b|credit|debit|\bcc\b|\bpan\b|visa|master ?card|amex|american express|diners|discover|maestro|kart[eai]?\b|tarjeta|carte|kreditkarte|cart[aã]o)[^\n]{0,60}$/i;
const CONTEXT = 80;

/** How issuers group digits; other groupings are lists of numbers. */
const CARD_GROUPS =
  /^(?:\d{12,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{1,4}(?:\1\d{1,3})?|\d{4}([ -])\d{6}\2\d{4,5})$/;

function before(text: string, at: number): string {
  return text.slice(Math.max(0, at - CONTEXT), at);
}

/** Diners cards have 14 to 19 digits, which the library knows at 14 only. */
function isDiners(digits: string): boolean {
  return digits.length >= 14 && /^(?:30[0-5]|3095|3[689])/.test(digits) && isLuhnNumber(digits);
}

/** Beginnings of issuers whose cards have 12 or 13 digits. */
const SHORT_MAESTRO = /^(?:50(?:18|20|38)|5893|6304|67(?:59|6[1-3]))\d{8,9}$/;

function isCard(scan: Scan, digits: string, at: number): boolean {
  if (/^(\d)\1{1,22}$/.test(digits) || digits.length > 19) return false;
  if (
    digits.length >= 14
      ? isCreditCard(digits) || isDiners(digits)
      : /^4/.test(digits) && isCreditCard(digits)
  ) {
    return true;
  }
  // Maestro, Dankort and other debit cards fill the rest of 5 and 6 at 16 digits; Mir has 2200 to 2204.
  if (/^(?:[56]\d|220[0-4])\d{12,14}$/.test(digits) && digits.length === 16) {
    if (isLuhnNumber(digits)) return true;
  }
  if (SHORT_MAESTRO.test(digits) && isLuhnNumber(digits)) return true;
  // Other Maestro, RuPay and store cards share ranges with everything else: a word has to say so.
  return isLuhnNumber(digits) && CARD_WORDS.test(before(scan.text, at));
}

export function detectCards(scan: Scan): void {
  for (const match of scan.text.matchAll(DIGIT_RUN)) {
    const whole = match[0];
    const start = match.index;
    if (CARD_GROUPS.test(whole) && isCard(scan, whole.replace(/[ -]/g, ''), start)) {
      scan.spans.push({ start, end: start + whole.length, type: 'card' });
      continue;
    }
    // `4111 1111 1111 1111 12 26`: the card is the first four groups of a longer run.
    const head = /^(?:(?:\d{4}[ -]){3}\d{4}|\d{4}[ -]\d{6}[ -]\d{5}|\d{13,19})(?=[ -])/.exec(
      whole,
    )?.[0];
    if (head !== undefined && isCard(scan, head.replace(/[ -]/g, ''), start)) {
      scan.spans.push({ start, end: start + head.length, type: 'card' });
    }
  }
}

const IBAN_START = /(?<![\p{L}\p{N}])[A-Za-z]{2}\d{2}(?=[ -]?[A-Za-z0-9]{3})/gu;
const IBAN_WORD = /\biban\b[^\n]{0,40}$/i;

/** The characters of the candidate and where each stands, cut to 34: no IBAN is longer. */
function ibanRun(text: string, at: number): { chars: string; ends: number[] } {
  let chars = '';
  const ends: number[] = [];
  for (let index = at; index < text.length && chars.length < 34; index += 1) {
    const char = text[index] ?? '';
    if (/[A-Za-z0-9]/.test(char)) {
      chars += char;
      ends.push(index + 1);
    } else if (!/[ \-\u00a0.]/.test(char) || !/[A-Za-z0-9]/.test(text[index + 1] ?? '')) {
      break;
    }
  }
  return { chars: chars.toUpperCase(), ends };
}

function hasIbanCheck(iban: string): boolean {
  let rest = 0;
  for (const char of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(char, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

const SAID =
  /[A-Z]{2}\d{2}(?:[A-Z0-9]{11,30}|(?:[ -][A-Z0-9]{4}){2,7}(?:[ -][A-Z0-9]{1,3})?)(?![A-Za-z0-9])/iy;

/** Characters of what was called an IBAN though no country has it: in one piece or in fours. */
function saidLength(text: string, at: number): number {
  SAID.lastIndex = at;
  return SAID.exec(text)?.[0].replace(/[ -]/g, '').length ?? 0;
}

export function detectIbans(scan: Scan): void {
  const { text } = scan;
  IBAN_START.lastIndex = 0;
  for (let hit = IBAN_START.exec(text); hit !== null; hit = IBAN_START.exec(text)) {
    const start = hit.index;
    const length = countrySpecs[hit[0].slice(0, 2).toUpperCase()]?.chars;
    const { chars, ends } = ibanRun(text, start);
    const named = IBAN_WORD.test(before(text, start));
    const taken = length ?? (named ? saidLength(text, start) : 0);
    const end = ends[taken - 1];
    if (end === undefined || taken < 15) continue;
    const iban = chars.slice(0, taken);
    // Cut to the country's length, the number must end there: `DE89…00X` is something else.
    const ragged = /[A-Za-z0-9]/.test(text[end] ?? '');
    const valid = !ragged && (isValidIBAN(iban) || hasIbanCheck(iban));
    const said = named && /^[A-Z]{2}\d{2}[A-Z0-9]{0,30}\d{6}/.test(iban);
    if (!valid && !said) continue;
    scan.spans.push({ start, end, type: 'iban' });
    IBAN_START.lastIndex = end;
  }
}

/** The number of an account that a word calls a bank's, or one that is paid into. */
const ACCOUNT =
  /\b(?:bank (?:account|acct)|(?:account|acct) ?(?:number|num\b|no\b|nr\b|#)|(?:checking|savings?|giro) (?:account|acct)|konto(?:nummer|nr)?\b|sort code|routing (?:number|no\b))[^\d]{0,24}(?<![A-Za-z0-9.])(\d(?:[ -]?\d){5,19})(?![A-Za-z0-9_]|[-.]\d)/gi;

/** Account numbers have no check of their own, so the word decides; they count as `iban`. */
export function detectBankAccounts(scan: Scan): void {
  for (const match of scan.text.matchAll(ACCOUNT)) {
    const number = match[1] ?? '';
    const end = match.index + match[0].length;
    scan.spans.push({ start: end - number.length, end, type: 'iban' });
  }
}

const SSN = /(?<![\p{L}\p{N}_.-])(\d{3})([- .]?)(\d{2})([- .]?)(\d{4})(?![\p{L}\p{N}_]|[-.]\d)/gu;
const SSN_WORDS =
  /(?:\bssns?\b|social[ -]?security|\bsoc sec\b|\bss ?#|\bssn|taxpayer|\bitin\b|tax ?id)[^\n]{0,50}$/i;

/** Areas 000 and 666 were never issued; 9xx are taxpayer numbers, with their own middle groups. */
function isIssued(area: string, group: string, serial: string): boolean {
  if (area === '000' || area === '666' || group === '00' || serial === '0000') return false;
  return area < '900' || /^(?:5\d|6[0-5]|7\d|8[0-8]|9[0-24-9])$/.test(group);
}

export function detectSocialSecurity(scan: Scan): void {
  for (const match of scan.text.matchAll(SSN)) {
    const [whole, area = '', first = '', group = '', second = '', serial = ''] = match;
    const plain = first === '-' && second === '-';
    if (!isIssued(area, group, serial)) continue;
    if (!plain && !SSN_WORDS.test(before(scan.text, match.index))) continue;
    scan.spans.push({ start: match.index, end: match.index + whole.length, type: 'ssn' });
  }
}
