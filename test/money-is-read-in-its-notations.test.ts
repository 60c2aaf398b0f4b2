import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { dollarsOf, moneyIn, moneyOfMetric } from '../src/domain/insights/money';
import { DEFAULT_POLICY } from '../src/domain/policy';

const { rates } = DEFAULT_POLICY.insights;

function read(text: string): string[] {
  return moneyIn(text, rates).map(
    ({ amount, currency, per }) => `${amount} ${currency}${per === null ? '' : ` / ${per}`}`,
  );
}

test.each([
  ['$1,200.50', '1200.5 USD'],
  ['$ 1,200', '1200 USD'],
  ['US$ 3 million', '3000000 USD'],
  ['US$1.2bn', '1200000000 USD'],
  ['USD 1,200', '1200 USD'],
  ['USD1200', '1200 USD'],
  ['1.2k USD', '1200 USD'],
  ['1.2 k USD', '1200 USD'],
  ['500 usd', '500 USD'],
  ['500 dollars', '500 USD'],
  ['5 Million Dollars', '5000000 USD'],
  ['$5k', '5000 USD'],
  ['$5K', '5000 USD'],
  ['$2m', '2000000 USD'],
  ['$2 mil', '2000000 USD'],
  ['$1.234 million', '1234000 USD'],
  ['$.75', '0.75 USD'],
  ['$0.125', '0.125 USD'],
  ['-$500', '500 USD'],
  ['$-500', '500 USD'],
  ['−500 €', '500 EUR'],
  ['($1,200)', '1200 USD'],
  ['a loss of $500.', '500 USD'],
  ['$500, and more', '500 USD'],
  ['$500 CAD', '500 CAD'],
  ['CAD $500', '500 CAD'],
  ['C$500', '500 CAD'],
  ['A$ 500', '500 AUD'],
  ['NZ$500', '500 NZD'],
  ['HK$1,000', '1000 HKD'],
  ['€1.200,50', '1200.5 EUR'],
  ['€1,200.50', '1200.5 EUR'],
  ['€1.200', '1200 EUR'],
  ['1.200 €', '1200 EUR'],
  ['1 200 €', '1200 EUR'],
  ['1\u202f200,50\u00a0€', '1200.5 EUR'],
  ['1,5 Mio. €', '1500000 EUR'],
  ['12 Mrd. EUR', '12000000000 EUR'],
  ['3 Tsd. Euro', '3000 EUR'],
  ['5 M€', '5000000 EUR'],
  ['12k€', '12000 EUR'],
  ['EUR 1 200', '1200 EUR'],
  ['$12 000', '12000 USD'],
  ['US$ 12 000', '12000 USD'],
  ['£1 200', '1200 GBP'],
  ['$1 000 000', '1000000 USD'],
  ['$12 000.50', '12000.5 USD'],
  ['$5 000–7 000', '7000 USD'],
  ['5 000–7 000 €', '7000 EUR'],
  ['$2 M', '2000000 USD'],
  ['$1.5 m', '1500000 USD'],
  ['£3 bn', '3000000000 GBP'],
  ['$2 B a year', '2000000000 USD / year'],
  ['2 m USD', '2000000 USD'],
  ['$9999999999999999', '10000000000000000 USD'],
  ['$9,999,999,999,999,999,999', '10000000000000000000 USD'],
  ['99 euros', '99 EUR'],
  ['£900', '900 GBP'],
  ['£30k p.a.', '30000 GBP / year'],
  ['900 pounds sterling', '900 GBP'],
  ['¥10,000', '10000 JPY'],
  ['￥10,000', '10000 JPY'],
  ['10000 yen', '10000 JPY'],
  ['CN¥ 800', '800 CNY'],
  ['¥800 CNY', '800 CNY'],
  ['R$ 500', '500 BRL'],
  ['R$ 2 mil', '2000 BRL'],
  ["CHF 1'200", '1200 CHF'],
  ["CHF 1'200.50", '1200.5 CHF'],
  ['CHF 1’200’000', '1200000 CHF'],
  ['Rs. 2 lakh', '200000 INR'],
  ['Rs 2,00,000', '200000 INR'],
  ['₹5 crore', '50000000 INR'],
  ['₹5cr', '50000000 INR'],
  ['2 lakh rupees', '200000 INR'],
  ['₩5,000,000', '5000000 KRW'],
  ['500 zł', '500 PLN'],
  ['1 200 Kč', '1200 CZK'],
  ['500 TRY', '500 TRY'],
  ['500 SEK', '500 SEK'],
  ['$5–7k', '7000 USD'],
  ['$5-7k', '7000 USD'],
  ['$500–$700', '700 USD'],
  ['5–7k €', '7000 EUR'],
  ['$500-2 weeks late', '500 USD'],
  ['$500/week', '500 USD / week'],
  ['$500 / wk', '500 USD / week'],
  ['$500 a week', '500 USD / week'],
  ['$500 per week', '500 USD / week'],
  ['$500 every week', '500 USD / week'],
  ['$500 weekly', '500 USD / week'],
  ['$1.2k per month', '1200 USD / month'],
  ['500 EUR/mo', '500 EUR / month'],
  ['$40 an hour', '40 USD / hour'],
  ['$300 each day', '300 USD / day'],
  ['$9k per quarter', '9000 USD / quarter'],
  ['$120,000 a year', '120000 USD / year'],
  ['$120,000 annually', '120000 USD / year'],
  ['$500 of food waste per week', '500 USD / week'],
  ['a weekly loss of about $500', '500 USD / week'],
  ['Monthly overtime cost: $3k', '3000 USD / month'],
  ['$500 per cover', '500 USD'],
  ['between $5k and £7k', '5000 USD|7000 GBP'],
  ['In 2025 500 € were lost', '500 EUR'],
  ['two $20 and one $50', '20 USD|50 USD'],
])('%s', (text, expected) => {
  expect(read(text).join('|')).toBe(expected);
  expect(read(`Labor ran over: ${text}`).join('|')).toBe(expected);
});

test.each([
  '2026-03-01',
  '01.03.2026',
  '3/4/2026',
  'at 12:30',
  'on March 3, 2026',
  '+1 555 010 0100',
  '(555) 010-0100',
  '+49 30 901820',
  'order #12345',
  'order 2026-500',
  'INV-2026-0815',
  'CAD-2291',
  'PO-USD500',
  'ticket EUR-1234',
  '12 %',
  '12% of sales',
  '$12 %',
  '$1_000',
  '$1e9',
  '$1E+9',
  '$500x2',
  'labor at 34.5 percent',
  'v1.2.3',
  'version 1.200',
  '192.168.10.1',
  '1200 covers',
  '1,200 covers',
  '500 pounds of flour',
  '6 ft of counter',
  '500 Ft',
  'TRY 3 times',
  'ALL 20 tables',
  '40 the most',
  'USD/EUR at 1.08',
  'a million-dollar question',
  'US 101',
  'table 12',
  'CHF 1.2.3',
  '$name and $HOME',
  '5 k run',
  '€',
  '$',
  '',
])('no money: %s', (text) => {
  expect(read(text)).toEqual([]);
});

test('the quote is the amount and no other word', () => {
  const text = 'Losing $1,200 of waste per week at Harbor, €3 Mio. overall; $500-2 weeks.';
  expect(moneyIn(text, rates).map(({ quote }) => quote)).toEqual(['$1,200', '€3 Mio.', '$500']);
});

test('a metric is money where its unit is a currency, of a time or not', () => {
  const of = (value: number, unit: string | null) => {
    const money = moneyOfMetric({ value, unit }, rates);
    return money && { ...money, dollars: dollarsOf(money, rates) };
  };
  expect(of(-1200, 'USD')).toEqual({
    quote: '-1200 USD',
    amount: 1200,
    currency: 'USD',
    per: null,
    dollars: 1200,
  });
  expect(of(100, 'EUR/week')).toMatchObject({ amount: 100, per: 'week', dollars: 451.9 });
  expect(of(3, 'k USD')).toMatchObject({ amount: 3000, currency: 'USD' });
  expect(of(3, '$')).toMatchObject({ amount: 3, currency: 'USD' });
  expect(of(7, 'dollars per month')).toMatchObject({ amount: 7, per: 'month', dollars: 7 });
  for (const unit of [null, '', '%', 'covers', 'USD per cover', 'minutes', 'x USD', 'pounds']) {
    expect(of(3, unit)).toBeNull();
  }
  expect(of(1e308, 'EUR/week')).toMatchObject({ amount: 1e308, dollars: 1e13 });
  expect(of(-1e308, 'k USD')).toMatchObject({ amount: Number.MAX_VALUE, dollars: 1e13 });
  expect(of(Number.NaN, 'USD')).toBeNull();
  expect(of(Number.POSITIVE_INFINITY, 'USD')).toBeNull();
});

test('an amount that is a rate counts as of a month, and a currency by the policy', () => {
  const dollars = (text: string, table = rates) =>
    moneyIn(text, table).map((money) => dollarsOf(money, table));
  expect(dollars('$365 a day')).toEqual([11102.08]);
  expect(dollars('$84/week')).toEqual([365]);
  expect(dollars('$12,000 a year')).toEqual([1000]);
  expect(dollars('$300 per quarter')).toEqual([100]);
  expect(dollars('€100')).toEqual([104]);
  expect(dollars('€100', { EUR: 2 })).toEqual([200]);
  expect(dollars('UAH 100')).toEqual([]);
  expect(dollars('UAH 100', { UAH: 0.024 })).toEqual([2.4]);
  expect(dollars('£100', { EUR: 2 })).toEqual([null]);
  expect(dollars('$100', { USD: 7 })).toEqual([100]);
  expect(dollarsOf({ amount: 1, currency: 'constructor', per: null }, rates)).toBeNull();
});

test('whatever is written, amounts are finite numbers of 0 or more that stand in the text', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '$',
      '€',
      'USD',
      'k',
      'million',
      ' ',
      ',',
      '.',
      '-',
      '–',
      '/week',
      ' per ',
      '1',
      '000',
      '%',
      '¥',
    ),
    fc.string({ maxLength: 6, unit: 'grapheme' }),
    fc.nat().map(String),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('');
      for (const { amount, quote } of moneyIn(text, rates)) {
        expect(Number.isFinite(amount) && amount >= 0).toBe(true);
        expect(text).toContain(quote);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('an amount that this house writes is read as what was written', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1_000_000_000 }),
      fc.constantFrom('en-US', 'de-DE', 'fr-FR', 'de-CH', 'en-IN'),
      fc.constantFrom('USD', 'EUR', 'GBP', 'CHF', 'INR'),
      fc.constantFrom('symbol', 'code'),
      (cents, locale, currency, currencyDisplay) => {
        const text = new Intl.NumberFormat(locale, {
          style: 'currency',
          currency,
          currencyDisplay: currencyDisplay as 'symbol' | 'code',
        }).format(cents / 100);
        expect(read(text)).toEqual([`${cents / 100} ${currency}`]);
      },
    ),
    { numRuns: 500 },
  );
});

test('text made to be slow is read in steps that grow with its length alone', () => {
  const hard = [
    '1',
    '1,',
    '100,',
    '100 ',
    '1,00',
    '$1-',
    '1 000 ',
    '$1 a ',
    '1.000',
    "1'000'",
    '$',
    'k',
    ' per',
    '1–2',
  ];
  for (const piece of hard) {
    const text = piece.repeat(20_000);
    expect(moneyIn(text, rates).length).toBeLessThanOrEqual(200);
    expect(moneyIn(`$5${text}`, rates).length).toBeLessThanOrEqual(200);
  }
});

test('the table of the documentation says what is read, and what is not', () => {
  const doc = readFileSync(join(__dirname, '..', 'docs', 'insights.md'), 'utf8');
  const [, table = ''] = doc.split('| Read | Not read |');
  const rows = (table.split('\n\n')[0] ?? '').split('\n').slice(2);
  const quoted = (column: number) =>
    rows.flatMap((row) =>
      [...(row.split('|')[column] ?? '').matchAll(/`([^`]+)`/g)].map(([, one = '']) => one),
    );
  expect(quoted(1).length).toBeGreaterThan(20);
  for (const text of quoted(1)) expect([text, read(text).length]).toEqual([text, 1]);
  expect(quoted(2).length).toBeGreaterThan(2);
  for (const text of quoted(2)) expect([text, read(text)]).toEqual([text, []]);
});
