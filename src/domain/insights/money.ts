import type { MetricSnapshot, MoneyBasis } from '../../contracts/insight';
import { amountAt, finite, type Rates } from './money-amount';
import { NUMBER, RATE_AFTER, RATE_BEFORE, RATE_LATER } from './money-patterns';
import { A_MONTH, type Period, periodOf } from './money-words';

export type Money = Pick<MoneyBasis, 'quote' | 'amount' | 'currency' | 'per'>;

/** Longer texts are read so far. */
const MOST_TEXT = 20_000;
const MOST_AMOUNTS = 200;
/** More than there are; cents are still told apart below it. */
const MOST_DOLLARS = 1e13;
/** How far from an amount the time that it is of may stand. */
const NEAR = 120;

/**
 * The amounts of money that a text names, in its order. An amount is a number beside a currency's sign, code or name;
 * its sign does not matter (a loss of 500 is as much as a gain). Of a range it is the upper end. `per` is set where a
 * time stands beside it (`$500/week`, `$500 of waste per week`, `a weekly loss of $500`). `quote` is the amount as it is
 * written, and no other word. Three capital letters are a currency where `rates` knows them.
 */
export function moneyIn(text: string, rates: Rates): Money[] {
  const read = text.slice(0, MOST_TEXT);
  const found: Money[] = [];
  let from = 0;
  for (const number of read.matchAll(NUMBER)) {
    if (number.index < from) continue;
    const amount = amountAt(read, number, rates);
    if (amount === null) continue;
    from = amount.end;
    const { quote, currency } = amount;
    found.push({ quote, amount: amount.amount, currency, per: periodAround(read, amount) });
    if (found.length === MOST_AMOUNTS) break;
  }
  return found;
}

/** What a metric says in money: its unit is a currency, of a time or not (`USD`, `EUR/week`); null for another unit. */
export function moneyOfMetric(
  { value, unit }: Pick<MetricSnapshot, 'value' | 'unit'>,
  rates: Rates,
): Money | null {
  if (unit === null || unit.length > 40 || !Number.isFinite(value)) return null;
  const text = `1 ${unit.trim()}`;
  const [number] = text.matchAll(NUMBER);
  const one = number === undefined || number.index !== 0 ? null : amountAt(text, number, rates);
  if (one === null) return null;
  const rest = text.slice(one.end);
  const rate = RATE_AFTER.exec(rest);
  if (rest !== (rate?.[0] ?? '')) return null;
  const amount = finite(Math.abs(value) * one.amount);
  const per = rate === null ? null : periodNamed(rate);
  return { quote: `${value} ${unit.trim()}`, amount, currency: one.currency, per };
}

/** In US dollars, of a month where it is a rate, and at most `MOST_DOLLARS`; null where the currency has no rate. */
export function dollarsOf(money: Omit<Money, 'quote'>, rates: Rates): number | null {
  const rate = money.currency === 'USD' ? 1 : ownRate(money.currency, rates);
  if (!(rate > 0) || !Number.isFinite(rate) || !Number.isFinite(money.amount)) return null;
  const dollars = money.amount * rate * (money.per === null ? 1 : A_MONTH[money.per]);
  return Math.round(Math.min(dollars, MOST_DOLLARS) * 100) / 100;
}

function ownRate(currency: string, rates: Rates): number {
  return Object.hasOwn(rates, currency) ? (rates[currency] ?? 0) : 0;
}

function periodAround(text: string, { start, end }: { start: number; end: number }): Period | null {
  const behind = text.slice(end, end + NEAR);
  const rate =
    RATE_AFTER.exec(behind) ??
    RATE_LATER.exec(behind) ??
    RATE_BEFORE.exec(text.slice(Math.max(0, start - NEAR), start));
  return rate === null ? null : periodNamed(rate);
}

function periodNamed({ groups }: RegExpExecArray): Period | null {
  if (groups?.annum !== undefined) return 'year';
  return periodOf(groups?.slash ?? groups?.word ?? groups?.adverb ?? '');
}
