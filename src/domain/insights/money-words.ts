import type { MoneyBasis } from '../../contracts/insight';

export type Period = NonNullable<MoneyBasis['per']>;

/**
 * Signs that stand for one currency, by ISO 4217. A bare `$` is US dollars and a bare `¥` yen, unless a code stands
 * beside it. `kr`, `pesos`, `pounds` and `Ft` are left out: they are several currencies, a weight or a length.
 */
export const SIGNS: Readonly<Record<string, string>> = {
  US$: 'USD',
  $US: 'USD',
  $CA: 'CAD',
  $AU: 'AUD',
  '£GB': 'GBP',
  CA$: 'CAD',
  C$: 'CAD',
  AU$: 'AUD',
  A$: 'AUD',
  NZ$: 'NZD',
  HK$: 'HKD',
  S$: 'SGD',
  MX$: 'MXN',
  R$: 'BRL',
  'CN¥': 'CNY',
  'JP¥': 'JPY',
  'Rs.': 'INR',
  Rs: 'INR',
  $: 'USD',
  '＄': 'USD',
  '€': 'EUR',
  '£': 'GBP',
  '￡': 'GBP',
  '¥': 'JPY',
  '￥': 'JPY',
  '₹': 'INR',
  '₩': 'KRW',
  '₺': 'TRY',
  '₱': 'PHP',
  '฿': 'THB',
  '₪': 'ILS',
  zł: 'PLN',
  Kč: 'CZK',
};

/** Words after a number, in lower case. */
export const WORDS_AFTER: Readonly<Record<string, string>> = {
  dollar: 'USD',
  dollars: 'USD',
  'us dollars': 'USD',
  'canadian dollars': 'CAD',
  'australian dollars': 'AUD',
  bucks: 'USD',
  euro: 'EUR',
  euros: 'EUR',
  'pounds sterling': 'GBP',
  'british pounds': 'GBP',
  quid: 'GBP',
  yen: 'JPY',
  yuan: 'CNY',
  rupee: 'INR',
  rupees: 'INR',
  reais: 'BRL',
  'mexican pesos': 'MXN',
  francs: 'CHF',
  'swiss francs': 'CHF',
  zloty: 'PLN',
  baht: 'THB',
};

/** Codes that are written in small letters too without being a word. */
export const SMALL_CODES: readonly string[] = ['usd', 'eur', 'gbp', 'chf', 'jpy', 'inr', 'aud'];

/** Codes that, in capitals before a number, are as likely a word: `TRY 3 times`. */
export const WORD_CODES: readonly string[] = ['ALL', 'CUP', 'GEL', 'MOP', 'PEN', 'TOP', 'TRY'];

const SCALES: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  tsd: 1e3,
  lakh: 1e5,
  lakhs: 1e5,
  lac: 1e5,
  lacs: 1e5,
  m: 1e6,
  mm: 1e6,
  mn: 1e6,
  mln: 1e6,
  mio: 1e6,
  million: 1e6,
  millions: 1e6,
  cr: 1e7,
  crore: 1e7,
  crores: 1e7,
  b: 1e9,
  bn: 1e9,
  mrd: 1e9,
  mld: 1e9,
  billion: 1e9,
  billions: 1e9,
  tn: 1e12,
  trillion: 1e12,
};

export const SCALE_WORDS: readonly string[] = [...Object.keys(SCALES), 'mil'].filter(
  (word) => word.length > 1,
);

/** Where `mil` is short for a million; elsewhere it is a thousand (`R$ 2 mil`). */
const MIL_IS_MILLION = ['USD', 'GBP', 'CAD', 'AUD', 'NZD', 'SGD'];

/** What a word behind a number multiplies it by; 1 for none. */
export function scaleOf(word: string, currency: string): number {
  const name = word.toLowerCase();
  if (name === 'mil') return MIL_IS_MILLION.includes(currency) ? 1e6 : 1e3;
  return Object.hasOwn(SCALES, name) ? (SCALES[name] ?? 1) : 1;
}

const PERIODS: Readonly<Record<string, Period>> = {
  h: 'hour',
  hr: 'hour',
  hour: 'hour',
  d: 'day',
  day: 'day',
  night: 'day',
  w: 'week',
  wk: 'week',
  week: 'week',
  mo: 'month',
  mth: 'month',
  month: 'month',
  q: 'quarter',
  qtr: 'quarter',
  quarter: 'quarter',
  y: 'year',
  yr: 'year',
  year: 'year',
  annum: 'year',
  hourly: 'hour',
  daily: 'day',
  weekly: 'week',
  monthly: 'month',
  quarterly: 'quarter',
  yearly: 'year',
  annually: 'year',
  annual: 'year',
};

export const PERIOD_WORDS: readonly string[] = Object.keys(PERIODS);

export function periodOf(word: string): Period | null {
  return PERIODS[word.toLowerCase()] ?? null;
}

/** How many of them a month has: 365 / 12 days of 24 hours. */
export const A_MONTH: Readonly<Record<Period, number>> = {
  hour: 730,
  day: 365 / 12,
  week: 365 / 84,
  month: 1,
  quarter: 1 / 3,
  year: 1 / 12,
};
