import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findSpans } from '../src/redaction/scanner';
import { optionsOf } from './support/secret-strings';

interface Line {
  text: string;
  spans: { start: number; end: number; type: string }[];
  label: 'positive' | 'negative';
  tier: string;
}

const folder = process.env.CAIRN_TEST_DATA;
const file = folder === undefined ? undefined : join(folder, 'secrets-dev.jsonl');
const present = file !== undefined && existsSync(file);
const options = optionsOf();

/** Bare ten-digit numbers are order ids as often as telephones; without a word they are kept. */
const KINDS: [string, RegExp, number][] = [
  ['secrets of every rule', /^SECRET\//, 0.97],
  ['cards', /^PII\/CREDIT_CARD$/, 0.97],
  ['IBANs', /^PII\/IBAN/, 0.97],
  ['e-mails', /^PII\/EMAIL/, 0.97],
  ['addresses', /^PII\/IP_ADDRESS$/, 0.97],
  ['social security numbers', /^PII\/US_SSN$/, 0.97],
  ['telephones', /^PII\/(?:TR_)?PHONE_NUMBER$/, 0.85],
];

function readLines(): Line[] {
  return readFileSync(file ?? '', 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

// Skipped where the real data is not there to be read; the name says so.
const suite = present ? describe : describe.skip;

suite(`the labelled lines${present ? '' : ' (skipped: CAIRN_TEST_DATA is not set)'}`, () => {
  const lines = present ? readLines() : [];

  test.each(KINDS)('recall of %s', (_, kind, least) => {
    let all = 0;
    let caught = 0;
    for (const line of lines.filter(({ tier }) => tier !== 'pii_free')) {
      const found = findSpans(line.text, options);
      const units = [0];
      for (const char of line.text) units.push((units.at(-1) ?? 0) + char.length);
      for (const span of line.spans.filter(({ type }) => kind.test(type))) {
        const [start = 0, end = 0] = [units[span.start], units[span.end]];
        all += 1;
        if (found.some((hit) => hit.start < end && hit.end > start)) caught += 1;
      }
    }
    expect(all).toBeGreaterThan(0);
    expect(caught / all).toBeGreaterThanOrEqual(least);
  });

  test.each(['lookalike', 'plain_text'])('at most one in a hundred lines of %s is hit', (tier) => {
    const texts = lines.filter((line) => line.tier === tier && line.label === 'negative');
    const hit = texts.filter(({ text }) => findSpans(text, options).length > 0);
    expect(texts.length).toBeGreaterThan(0);
    expect(hit.length / texts.length).toBeLessThanOrEqual(0.01);
  });
});
