import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { ANCHORED_TOKENS, PROVIDER_TOKENS } from '../src/redaction/provider-tokens';
import { redactText } from '../src/redaction/scanner';
import { mixed, optionsOf } from './support/secret-strings';

const options = optionsOf();

/** The text of a pattern without its character classes and escapes, where a `*` is no quantifier. */
const skeleton = (source: string) =>
  source.replace(/\\./g, '_').replace(/\[(?:[^\]\\]|\\.)*\]/g, 'C');

const bounds = (source: string) =>
  [...skeleton(source).matchAll(/\{(\d+)(?:(,)(\d*))?\}/g)].map((match) =>
    match[2] === undefined
      ? Number(match[1])
      : match[3] === ''
        ? Number.POSITIVE_INFINITY
        : Number(match[3]),
  );

const rows = [
  ...PROVIDER_TOKENS.map((row) => ({ provider: row.provider, source: row.body })),
  ...ANCHORED_TOKENS.map((row) => ({ provider: row.provider, source: row.right })),
];

test.each(rows)('$provider: every quantifier is bounded', ({ source }) => {
  expect(skeleton(source)).not.toMatch(/[*+]/);
  for (const bound of bounds(source)) expect(bound).toBeLessThanOrEqual(512);
  expect(() => new RegExp(source, 'y')).not.toThrow();
});

test('and so it is in every pattern of the zone that may meet a long text', () => {
  let patterns = 0;
  const folder = join(__dirname, '../src/redaction');
  for (const file of readdirSync(folder)) {
    const code = readFileSync(join(folder, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/ .*/g, '');
    for (const [, source = ''] of code.matchAll(
      /(?:=|\(|\bof|\?|:)\s+\/((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/[a-z]*[gy][a-z]*[;,)]/g,
    )) {
      patterns += 1;
      const inner = skeleton(source);
      // An open end is linear where nothing follows it.
      expect([file, source, inner.replace(/[*+]$/, '')]).toEqual([
        file,
        source,
        expect.not.stringMatching(/[^\\][*+]|,\}/),
      ]);
    }
  }
  expect(patterns).toBeGreaterThan(40);
});

const bodies = new Map<string, string | undefined>();

/** One string of a row's own alphabet and length; lookaheads are left to the pattern itself. */
function sample(source: string): string | undefined {
  if (!bodies.has(source)) bodies.set(source, newSample(source));
  return bodies.get(source);
}

function newSample(source: string): string | undefined {
  const plain = new RegExp(`^${source.replace(/\(\?[=!](?:[^()[\]]|\[[^\]]*\])*\)/g, '')}$`);
  const whole = new RegExp(`^${source}$`);
  return fc
    .sample(fc.stringMatching(plain), { numRuns: 100, seed: 11 })
    .find(
      (body) =>
        whole.test(body) &&
        new Set(body).size >= Math.min(12, body.length / 2) &&
        /[0-9]/.test(body),
    );
}

const formats = PROVIDER_TOKENS.flatMap((row) => row.prefixes.map((prefix) => ({ prefix, row })));

test.each(formats)('$row.provider: `$prefix…` is caught', ({ prefix, row }) => {
  const body = sample(row.body);
  expect(body).toBeDefined();
  const { value, counts } = redactText(`it was ${prefix}${body} then`, options);
  expect(value).not.toContain(body);
  expect(Object.keys(counts).length).toBeGreaterThan(0);
});

const ANCHORED = [
  ['Azure AD client secret', `a1${mixed(1)}8Q~${mixed(34)}`],
  ['Discord bot', `MTk4NjIyNDgzNDcx${mixed(8)}.Cl2FMQ.${mixed(27)}`],
  ['Facebook app', `1308742762612587|${mixed(27)}`],
  ['Mailchimp', `${mixed(32, 'hex')}-us12`],
  ['MaxMind', `w5fruZ_${mixed(29)}_mmk`],
  ['Telegram bot', `110201543:AAH${mixed(32)}`],
  ['Terraform', `${mixed(14)}.atlasv1.${mixed(64)}`],
] as const;

test.each(ANCHORED)('%s is caught', (_, secret) => {
  expect(redactText(`it was ${secret} then`, options).value).toBe('it was [REDACTED_TOKEN] then');
});

test('a repeated character after a prefix is a sample, not a token', () => {
  const text = ['gh', `p_${'x'.repeat(36)}`].join('');
  expect(redactText(text, options).value).toBe(text);
});
