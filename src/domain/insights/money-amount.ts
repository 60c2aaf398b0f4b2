import { readNumber } from './money-number';
import {
  CODE_AFTER,
  CURRENCY_BEFORE,
  DASH,
  GOES_ON,
  NAME_AFTER,
  NOT_BEFORE,
  NUMBER_AT,
  PERCENT,
  SCALE,
  SCALE_OF_MONEY,
  SIGN_AFTER,
} from './money-patterns';
import { SIGNS, scaleOf, WORD_CODES, WORDS_AFTER } from './money-words';

/** Currency by ISO 4217 → US dollars of one. */
export type Rates = Readonly<Record<string, number>>;

/** Where an amount stands in a text, and what it says. */
export interface Amount {
  quote: string;
  amount: number;
  currency: string;
  start: number;
  end: number;
}

interface Scaled {
  text: string;
  scale: string;
  end: number;
}

/** A currency's sign or code is at most so long, with what may stand around it. */
const MOST_BEFORE = 12;

/** The amount of which this is the number; null where no currency is beside it. */
export function amountAt(text: string, number: RegExpExecArray, rates: Rates): Amount | null {
  const before = currencyBefore(
    text.slice(Math.max(0, number.index - MOST_BEFORE), number.index),
    rates,
  );
  const amount =
    before === null ? amountBefore(text, number, rates) : amountBehind(text, number, before, rates);
  const isOther = (pattern: RegExp) =>
    amount !== null && matchAt(pattern, text, amount.end) !== null;
  return isOther(PERCENT) || isOther(GOES_ON) ? null : amount;
}

interface CurrencyBefore {
  currency: string;
  /** As it is written, up to the number. */
  written: string;
}

function currencyBefore(behind: string, rates: Rates): CurrencyBefore | null {
  const match = CURRENCY_BEFORE.exec(behind);
  if (match === null) return null;
  const { beside, sign, code } = match.groups ?? {};
  if (sign !== undefined) {
    const named = beside === undefined ? null : knownCode(beside, rates);
    const written = named === null ? match[0].slice(match[0].indexOf(sign)) : match[0];
    return { currency: named ?? SIGNS[sign] ?? '', written };
  }
  const known = code === undefined || WORD_CODES.includes(code) ? null : knownCode(code, rates);
  return known === null ? null : { currency: known, written: match[0] };
}

/** `$500`, `$12 000`, `EUR 1 200`, `US$ 3 million`, `$2 M`, `$5–7k`, `$500 CAD`. */
function amountBehind(
  text: string,
  number: RegExpExecArray,
  before: CurrencyBefore,
  rates: Rates,
): Amount | null {
  const first = scaled(text, number.index, number[0], SCALE_OF_MONEY);
  const code = matchAt(CODE_AFTER, text, first.end);
  const named = code === null ? null : knownCode(code.groups?.code ?? '', rates);
  const currency = named ?? before.currency;
  const end = named === null || code === null ? first.end : first.end + code[0].length;
  const amount = { ...valued(first, currency), end };
  const upper = named === null ? upperEnd(text, first.end, SCALE_OF_MONEY) : null;
  const most = upper === null ? null : valued(upper, currency);
  const best = most !== null && most.amount >= amount.amount ? most : amount;
  const start = number.index - before.written.length;
  return {
    amount: best.amount,
    currency,
    start,
    end: best.end,
    quote: text.slice(start, best.end),
  };
}

/** `1 200 €`, `1.2k USD`, `5 million dollars`, `5–7k €`. */
function amountBefore(text: string, number: RegExpExecArray, rates: Rates): Amount | null {
  if (NOT_BEFORE.test(text.slice(Math.max(0, number.index - 3), number.index))) return null;
  const first = scaled(text, number.index, number[0], SCALE);
  const upper = upperEnd(text, first.end, SCALE);
  const last = upper ?? first;
  const after = currencyAfter(text, last.end, rates);
  if (after === null) return null;
  const { amount } = valued(last, after.currency);
  // Not a range, then an id or a date.
  if (upper !== null && amount < valued(first, after.currency).amount) return null;
  const quote = text.slice(number.index, after.end);
  return { amount, currency: after.currency, start: number.index, end: after.end, quote };
}

function upperEnd(text: string, at: number, scale: RegExp): Scaled | null {
  const dash = matchAt(DASH, text, at);
  if (dash === null) return null;
  const from = at + dash[0].length;
  const number = matchAt(NUMBER_AT, text, from);
  return number === null ? null : scaled(text, from, number[0], scale);
}

function currencyAfter(
  text: string,
  at: number,
  rates: Rates,
): { currency: string; end: number } | null {
  const name = matchAt(NAME_AFTER, text, at);
  if (name !== null) {
    const word = (name.groups?.name ?? '').toLowerCase().replace(/\s/g, ' ');
    return { currency: WORDS_AFTER[word] ?? '', end: at + name[0].length };
  }
  const sign = matchAt(SIGN_AFTER, text, at);
  if (sign !== null) {
    return { currency: SIGNS[sign.groups?.sign ?? ''] ?? '', end: at + sign[0].length };
  }
  const code = matchAt(CODE_AFTER, text, at);
  const currency = code === null ? null : knownCode(code.groups?.code ?? '', rates);
  return code === null || currency === null ? null : { currency, end: at + code[0].length };
}

function knownCode(written: string, rates: Rates): string | null {
  const code = written.toUpperCase();
  return code === 'USD' || Object.hasOwn(rates, code) ? code : null;
}

function scaled(text: string, at: number, number: string, scales: RegExp): Scaled {
  const end = at + number.length;
  const scale = matchAt(scales, text, end);
  const { word, letter, thousand, before } = scale?.groups ?? {};
  return {
    text: number,
    scale: word ?? letter ?? thousand ?? before ?? '',
    end: end + (scale?.[0].length ?? 0),
  };
}

function valued({ text, scale, end }: Scaled, currency: string): { amount: number; end: number } {
  const factor = scaleOf(scale, currency);
  return { amount: finite(readNumber(text, factor > 1) * factor), end };
}

/** More than a number can hold is the largest one. */
export function finite(amount: number): number {
  return Math.min(amount, Number.MAX_VALUE);
}

/** Of a sticky pattern. */
function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
