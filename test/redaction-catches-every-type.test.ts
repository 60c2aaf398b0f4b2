import type { Json } from '../src/contracts/event';
import { REDACTION_TYPES } from '../src/contracts/names';
import { redactJson } from '../src/redaction/json';
import { findSpans, redactText } from '../src/redaction/scanner';
import * as secrets from './support/secret-strings';

const options = secrets.optionsOf();
const cases = secrets.examples();

describe('every type is caught wherever it stands', () => {
  test('the examples cover every type but those that have their own tests', () => {
    const covered = new Set(cases.map(({ type }) => type));
    expect(REDACTION_TYPES.filter((type) => !covered.has(type))).toEqual(['name', 'failed']);
  });

  test.each(cases)('$type in a value', ({ type, secret, text }) => {
    const { value, counts } = redactText(text, options);
    expect(value).not.toContain(secret);
    expect(counts).toEqual({ [type]: 1 });
    expect(findSpans(text, options).map((span) => span.type)).toEqual([type]);
  });

  test.each(cases)('$type in a key', ({ type, secret, text }) => {
    const { value, counts } = redactJson({ [text]: 1 }, options);
    expect(JSON.stringify(value)).not.toContain(secret);
    expect(counts).toEqual({ [type]: 1 });
  });

  test.each(cases)('$type in JSON inside a string', ({ secret, text }) => {
    const inner = JSON.stringify({ rows: [{ note: text }] });
    const { value } = redactJson({ output: JSON.stringify({ inner }) }, options);
    const outer = JSON.parse((value as { output: string }).output) as { inner: string };
    const parsed = JSON.parse(outer.inner) as { rows: [{ note: string }] };
    expect(parsed.rows[0].note).not.toContain(secret);
    expect(parsed.rows[0].note).toMatch(/\[[A-Z_]+/);
  });

  test.each(cases)('$type in escaped text that no longer parses', ({ secret, text }) => {
    const cut = `${JSON.stringify(JSON.stringify({ note: `\n${text}` })).slice(0, -3)} [...cut`;
    const escaped = JSON.stringify(JSON.stringify(secret)).slice(3, -3);
    expect(cut).toContain(escaped);
    expect(redactText(cut, options).value).not.toContain(escaped);
  });

  test.each([
    [
      'full-width digits',
      secrets.cardNumber().replace(/\d/g, (d) => String.fromCharCode(0xff10 + Number(d))),
    ],
    ['zero-width marks', secrets.cardNumber().split('').join('\u200b')],
    ['odd dashes', secrets.cardNumber().replace(/(\d{4})(?=\d)/g, '$1\u2011')],
    [
      'Arabic-Indic digits',
      secrets.cardNumber().replace(/\d/g, (d) => String.fromCharCode(0x660 + Number(d))),
    ],
  ])('a card in %s', (_, written) => {
    expect(redactText(`card ${written}.`, options).value).toBe('card [REDACTED_CARD].');
  });

  test.each([secrets.cairnKey(3), secrets.cairnOwnerKey(4)])(
    'our own keys are no exception',
    (key) => {
      expect(redactText(`use ${key} to connect`, options).value).toBe(
        'use [REDACTED_TOKEN] to connect',
      );
    },
  );

  test('names of the directory that are marked, and no part of a user id', () => {
    const named = secrets.optionsOf({ names: ['Mia Li', 'Örjan'] });
    expect(redactText("mia li's order, Örjan, mia_li_3668, Mia Linden", named).value).toBe(
      "[REDACTED_NAME]'s order, [REDACTED_NAME], mia_li_3668, Mia Linden",
    );
  });

  test('the policy keeps contact data and never secrets', () => {
    const kept = secrets.optionsOf({ keepContactData: true });
    const text = `${secrets.email()} ${secrets.phone()} ${secrets.githubToken()} ${secrets.cardNumber()}`;
    expect(redactText(text, kept).value).toBe(
      `${secrets.email()} ${secrets.phone()} [REDACTED_TOKEN] [REDACTED_CARD]`,
    );
  });

  test('the text around stays as it was, astral characters included', () => {
    expect(redactText(`😀 ${secrets.githubToken()} 𝒜\u200b\\n"é`, options).value).toBe(
      '😀 [REDACTED_TOKEN] 𝒜\u200b\\n"é',
    );
  });
});

const PLACES: [string, (password: string) => string][] = [
  ['a URL', (p) => `postgres://app:${p}@db.internal:5432/app`],
  ['a DSN', (p) => `Server=db;User Id=app;Password=${p};Encrypt=yes`],
  ['the environment', (p) => `export PGPASSWORD=${p}`],
  ['YAML', (p) => `db:\n  password: ${p}\n  user: app`],
  ['Python', (p) => `{'user': 'app', 'passwd': '${p}'}`],
  ['code', (p) => `const dbPassword = "${p}";`],
  ['a comparison', (p) => `if ("${p}" === password) {`],
  ['XML', (p) => `<add key="ClearTextPassword" value="${p}" />`],
  ['a tag', (p) => `<password>\n  ${p}\n</password>`],
  ['curl', (p) => `curl -s -u app:${p} https://api.example.com`],
  ['a flag', (p) => `tool login --password ${p} --yes`],
  ['mysql', (p) => `mysql -h db -u root -p${p} app`],
  ['prose', (p) => `I set the password to ${p} for you.`],
  ['German', (p) => `Passwort: ${p}`],
  ['a query', (p) => `https://x.example/login?user=a&password=${p}&next=b`],
];

test.each(PLACES)('a password in %s', (_, write) => {
  const password = ['s3cr', '3t', 'Pa55'].join('');
  const { value, counts } = redactText(write(password), options);
  expect(value).not.toContain(password);
  expect(counts.password ?? counts.token).toBe(1);
});

const HEADERS: [string, (token: string) => string][] = [
  ['curl', (t) => `curl -H 'Authorization: Bearer ${t}' https://x.example`],
  ['lower case', (t) => `authorization:bearer ${t}`],
  ['JSON', (t) => `{"Authorization":"Bearer ${t}"}`],
  ['Python', (t) => `headers={'Authorization': f'Token ${t}'}`],
  ['code', (t) => `req.headers.set("Authorization", "Bearer ${t}")`],
  ['the environment', (t) => `HTTP_AUTHORIZATION="Bearer ${t}"`],
  ['an API key header', (t) => `X-Api-Key: ${t}`],
  ['a proxy', (t) => `Proxy-Authorization: Basic ${Buffer.from(`a:${t}`).toString('base64')}`],
  ['no header name', (t) => `it answered Bearer ${t} and stopped`],
  ['a cookie', (t) => `Cookie: sid=${t}; theme=dark`],
  ['a set cookie', (t) => `Set-Cookie: session=${t}; Path=/; HttpOnly`],
];

test.each(HEADERS)('an auth header in %s', (_, write) => {
  const token = secrets.mixed(32);
  const encoded = Buffer.from(`a:${token}`).toString('base64');
  const { value } = redactText(write(token), options);
  expect(value).not.toContain(token);
  expect(value).not.toContain(encoded);
});

const KEYED: [string, Json][] = [
  ['a password of letters', { password: 'letmein' }],
  ['an API key without a shape', { api_key: 'abc' }],
  ['camel case', { clientSecret: 'plain words' }],
  ['a number', { password: 12345678 }],
  ['a list', { passwords: ['one1', 'two2'] }],
  ['a pair of name and value', { name: 'DB_PASSWORD', value: 'letmein' }],
  ['a header as a pair', ['X-Auth-Token', secrets.mixed(20)]],
  ['a nested value', { secret: { value: 'letmein' } }],
  ['a card as a number', { amount: 12, card: Number(secrets.cardNumber()) }],
  ['a bare card as a number', [Number(secrets.cardNumber())]],
  ['a phone as a number', { phoneNumber: 5321234567 }],
  ['a phone without a shape', { phone: '5321234567' }],
  ['a social security number without a shape', { ssn: '219099998' }],
  [
    'a Kubernetes secret',
    { apiVersion: 'v1', kind: 'Secret', data: { 'tls.crt': 'aGVsbG8gd29ybGQ=' } },
  ],
];

test.each(KEYED)('the key gives context: %s', (_, value) => {
  const before = JSON.stringify(value);
  const { value: after, counts } = redactJson(value, options);
  expect(Object.values(counts).reduce((a, b) => a + b, 0)).toBeGreaterThan(0);
  expect(JSON.stringify(after)).not.toBe(before);
  expect(JSON.stringify(after)).toMatch(/\[(?:REDACTED|PHONE)_/);
});

const IDENTITIES: [string, string][] = [
  ['Brazil', ['529', '982', '247'].join('.') + ['-', '25'].join('')],
  ['China', ['110105', '19491231', '002X'].join('')],
  ['Finland', ['131052', '308T'].join('-')],
  ['France', ['1', '85', '05', '78', '006', '084', '91'].join(' ')],
  ['Great Britain', ['AA', '12', '34', '56', 'B'].join(' ')],
  ['India', ['ABCPE', '1234', 'F'].join('')],
  ['Italy', ['RSSMRA', '85T10', 'A562S'].join('')],
  ['Korea', ['911124', '5678901'].join('-')],
  ['Spain', ['X', '9613851', 'N'].join('')],
  ['Medicare', ['1EG4', 'TE5', 'MK73'].join('-')],
];

test.each(IDENTITIES)('an identity number of %s', (_, id) => {
  expect(redactText(`it says ${id}, he said`, options).value).toBe(
    'it says [REDACTED_SSN], he said',
  );
});

test('an identity number that could be anything needs a word for it', () => {
  const id = ['AB', '1234567'].join('');
  expect(redactText(`passport number ${id} and more`, options).value).toBe(
    'passport number [REDACTED_SSN] and more',
  );
  expect(redactText(`ticket ${id} and more`, options).counts).toEqual({});
});

test.each(['PIN: 4821', 'your OTP is 482913', 'cvv 123', 'Your security code is: 463820'])(
  'a code of digits by its name: %s',
  (text) => {
    const { value, counts } = redactText(text, options);
    expect(value).not.toMatch(/\d/);
    expect(counts).toEqual({ password: 1 });
  },
);

test('keys that become equal are numbered and no member is lost', () => {
  const spellings = [secrets.email(), secrets.email().toUpperCase(), ` ${secrets.email()}`];
  const { value } = redactJson(
    Object.fromEntries(spellings.map((key, index) => [key, index])),
    options,
  );
  const members = Object.entries(value as Record<string, number>);
  expect(members.map(([, member]) => member)).toEqual([0, 1, 2]);
  expect(members[1]?.[0]).toBe(`${members[0]?.[0]}_2`);
});

test('JSON text that holds nothing keeps its spelling, and long numbers keep their digits', () => {
  const untouched = '{ "a":1.50,\n "id": 12345678901234567890 }';
  expect(redactJson(untouched, options).value).toBe(untouched);
  const long = `{"id": 12345678901234567890, "password": "hunter2xyz"}`;
  expect(redactJson(long, options).value).toBe(
    '{"id": 12345678901234567890, "password": "[REDACTED_PASSWORD]"}',
  );
});
