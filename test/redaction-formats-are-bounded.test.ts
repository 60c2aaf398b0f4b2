import fc from 'fast-check';
import { PROVIDER_TOKENS } from '../src/redaction/provider-tokens';
import { redactText } from '../src/redaction/scanner';
import { unboundedParts } from './support/pattern-bounds';
import { redactionPatterns } from './support/redaction-patterns';
import { mixed, optionsOf } from './support/secret-strings';

const options = optionsOf();
const patterns = redactionPatterns();

test('every pattern of the zone is bounded, whichever file or table it stands in', () => {
  const faults = patterns.flatMap(({ file, source, flags }) =>
    unboundedParts(source, flags).map((fault) => `${file}: ${fault}`),
  );
  expect(faults).toEqual([]);
});

test('and none is left out: tables, literals and what is put together', () => {
  const sources = new Set(patterns.map(({ source }) => source));
  for (const { body } of PROVIDER_TOKENS) expect(sources).toContain(new RegExp(body).source);
  const files = new Set(patterns.map(({ file }) => file));
  for (const file of [
    'phones.ts',
    'placed-secrets.ts',
    'national-ids.ts',
    'tokens.ts',
    'fold.ts',
  ]) {
    expect(files).toContain(file);
  }
  expect(patterns.length).toBeGreaterThan(600);
});

const UNBOUNDED: [string, string][] = [
  ['a star that something follows', 'key: [a-z]*;'],
  ['a plus that something follows', 'x+y'],
  ['an open count that something follows', '[0-9]{4,}-'],
  ['a star before an end that may be missing', '\\s*$'],
  ['a star in a group that something follows', '(?:a|b*)c'],
  ['a star in a loop', '(?:ab*){1,4}'],
  ['a star in what is looked ahead for', 'a(?=.*b)c'],
  ['a star before what is looked ahead for', 'a[a-z]*(?!b)'],
  ['a bound that is none', '[a-z]{0,100000}x'],
  ['a loop of a loop', '(?:a{1,9}){1,9}'],
  ['a loop of what may be empty', '(?:[a-z]{0,8}[ ]{0,2}){1,64}'],
  ['a loop of two that are alike', '(?:a|[a-c]){2,20}a(?:ab|a|b){1,20}'],
  ['a loop whose separator may be missing', '(?:\\w{1,9}-?){1,9}'],
  ['two in a row that share characters', '[a-z0-9]{0,512}[a-f]{0,512}x'],
  ['two in a row with something optional between', '\\d{1,300}-?\\d{1,300}x'],
];

test.each(UNBOUNDED)('the checker refuses %s', (_, source) => {
  expect(unboundedParts(source)).not.toEqual([]);
});

const BOUNDED: [string, string][] = [
  ['a star at the end', '[A-Z]{2}[a-z]*'],
  ['a star in the last branch', 'a|b[0-9]*'],
  ['a loop with a separator', '(?:\\w{1,9}-){1,9}'],
  ['a loop of one length', '(?:[ab]|[bc]){2,20}x'],
  ['a count of a few', '(?:[1-9]?\\d\\.){3}x'],
  ['signs that are none in a class', '[*+{,}]{1,4}\\*\\+x'],
];

test.each(BOUNDED)('and takes %s', (_, source) => {
  expect(unboundedParts(source)).toEqual([]);
});

const bodies = new Map<string, string | undefined>();

/** One string of a row's own alphabet and length; lookaheads are left to the pattern itself. */
function sample(source: string): string | undefined {
  if (!bodies.has(source)) bodies.set(source, newSample(source));
  return bodies.get(source);
}

function newSample(source: string): string | undefined {
  const plain = new RegExp(`^${source.replace(/\(\?<?[=!](?:[^()[\]]|\[[^\]]*\])*\)/g, '')}$`);
  const whole = new RegExp(`^${source.replace(/^\(\?<!.*?\)/, '')}$`);
  const fits = (body: string) =>
    whole.test(body) &&
    new Set(body).size >= Math.min(12, body.length / 2) &&
    /[0-9]/.test(body) &&
    body.trim() === body;
  // Most samples fit; a few formats ask for a digit or a length that chance brings late.
  for (const numRuns of [10, 100, 300]) {
    const found = fc.sample(fc.stringMatching(plain), { numRuns, seed: 11 }).find(fits);
    if (found !== undefined) return found;
  }
  return undefined;
}

const formats = PROVIDER_TOKENS.flatMap((row) => row.prefixes.map((prefix) => ({ prefix, row })));

test.each(formats)('$row.provider: `$prefix…` is caught', ({ prefix, row }) => {
  const body = sample(row.body) ?? '';
  expect(new Set(body).size).toBeGreaterThanOrEqual(4);
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
