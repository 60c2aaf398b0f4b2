import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { redactJson } from '../src/redaction/json';
import { findSpans, redactText } from '../src/redaction/scanner';
import { describeWithData } from './support/data';
import { optionsOf } from './support/secret-strings';

interface Line {
  text: string;
  spans: { start: number; end: number; type: string }[];
  label: 'positive' | 'negative';
  tier: string;
}

const options = optionsOf();
const LEAST_RECALL = 0.97;

/** Names, streets and licence plates are no promise of the scanner. */
const KINDS: [string, RegExp][] = [
  ['secrets of every rule', /^SECRET\//],
  ['cards', /^PII\/CREDIT_CARD$/],
  ['IBANs', /^PII\/IBAN/],
  ['e-mails', /^PII\/EMAIL/],
  ['addresses', /^PII\/IP_ADDRESS$/],
  ['social security numbers', /^PII\/US_SSN$/],
  ['telephones', /^PII\/PHONE_NUMBER$/],
  ['telephones without a country', /^PII\/TR_PHONE_NUMBER$/],
];

const linesOf = (folder: string) =>
  readFileSync(join(folder, 'secrets-dev.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

describeWithData('the labelled lines', (folder) => {
  let lines: Line[] = [];
  beforeAll(() => {
    lines = linesOf(folder);
  });

  test.each(KINDS)('recall of %s', (_, kind) => {
    const types = new Map<string, { all: number; caught: number }>();
    for (const line of lines.filter(({ tier }) => tier !== 'pii_free')) {
      const found = findSpans(line.text, options);
      const units = [0];
      for (const char of line.text) units.push((units.at(-1) ?? 0) + char.length);
      for (const span of line.spans.filter(({ type }) => kind.test(type))) {
        const [start = 0, end = 0] = [units[span.start], units[span.end]];
        const counted = types.get(span.type) ?? { all: 0, caught: 0 };
        counted.all += 1;
        if (found.some((hit) => hit.start < end && hit.end > start)) counted.caught += 1;
        types.set(span.type, counted);
      }
    }
    expect(types.size).toBeGreaterThan(0);
    const missed = [...types].filter(([, { all, caught }]) => caught / all < LEAST_RECALL);
    expect(missed).toEqual([]);
  });

  test('every look-alike is kept, and so is plain text', () => {
    const kept = lines.filter(
      ({ tier, label }) => label === 'negative' && /^(?:lookalike|plain_text)$/.test(tier),
    );
    expect(kept.length).toBeGreaterThan(200);
    expect(kept.filter(({ text }) => findSpans(text, options).length > 0)).toEqual([]);
    for (const { text } of kept) expect(redactText(text, options).value).toBe(text);
  });

  test('a redacted line is not redacted again, as a text or as a member', () => {
    for (const { text } of lines) {
      const once = redactText(text, options).value;
      expect(redactText(once, options)).toEqual({ value: once, counts: {} });
      const member = redactJson({ text }, options).value;
      expect(redactJson(member, options)).toEqual({ value: member, counts: {} });
    }
  });
});
