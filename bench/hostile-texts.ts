/** Texts of 100 KB that make a careless pattern slow, each with a name. */

const SIZE = 100 * 1024;

/** What detectors look for, repeated. */
// biome-ignore format: a list of short units
const UNITS = [
  'a', '1', ' ', '@', '\\', '%41', '-', '=', '.', ':', '+', '/', '"', '{', '[', '&lt;', '\u200b',
  '１', '😀', '\n', '\t', 'a@', 'a@b.', 'a@b.co ', '@a.b', 'a.b@', '1 ', '1-', '1.', '12:', '1:2:', '::',
  'a:', ':a@', '://', 'a://b:c@', 'http://a', '+1', '+1 2', '00 1', '+90 532 123 45 6',
  '(415) 555-267', '0532 123 45 67 ', '4111 1111 1111 1111 ', '41111111', 'GB29', 'GB29 NWBK ',
  'GB29NWBK60161331926818 ', '1.1.1.', '8.8.8.8 ', '1.2.3.4.', 'a:b:c:', '2001:db8::1 ', '123-45-',
  '123-45-6789 ', 'ssn 1 ', 'card 4', 'iban GB', 'phone 1', 'call me at ', 'tel 12 34 5 ',
  'my new number ', 'account number ', 'account 1', 'bank account no 12 ', 'pass',
  'password', 'password=', 'password: ', 'password="', 'password is ', 'secret key ', 'token=a1',
  '"token":', 'api_key ', 'key', 'a_key=', 'aKey', 'key key ', '== password', '"x" == password',
  'auth', 'Authorization: ', 'Bearer ', 'Basic ', 'Cookie: a=b; ', 'sk-', 'sk-a', 'sk-sk_', 'ghp_',
  'eyJ', 'eyJ.', 'eyJ_', 'eyJa.eyJ', 'xoxb-', 'xoxb-1', 's.', 'AKIA', 'SG.', 'AAAA', 'hf_', 'pat.',
  '_live_', 'a_key_b', '5 K', '|', '-us', ':A', 'Q~', '1:A', '.atlasv1.', 'JQQJ99', '+AEh', 'live_a1',
  '-----BEGIN PRIVATE KEY-----', '-----BEGIN ', 'PRIVATE KEY-----\n',
  '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n', 'BEGIN  PRIVATE KEY', 'MIIEvQIBADAN', 'curl ', 'curl -u a:',
  'curl -b a=', ' --password a', ' -p', 'mysql -p', 'kind: Secret\n', 'kind: Secret\ndata:\n a: ',
  'Signature=', 'AWS4-HMAC-SHA256 Credential=', 'seed phrase: ', 'seed words ', 'wallet ',
  `${'f'.repeat(63)} `, `0x${'a1'.repeat(32)} wallet `, 'a [at] b ', 'a [at] b [dot] ', '[EMAIL_',
  '[REDACTED_', '[REDACTED_TOKEN]', 'word ', 'Kerfuffle ', 'é', 'ab\u0301', '中', '(', '((((1', '<a b=',
  'value=', '" value="', 'jdbc:oracle:thin:a/', 'sudo -S ', 'echo a | sudo ', 'a login ', '/hooks/a',
  '/hooks/aaaaaaaa/', '?code=', '?code=a1', 'cookies = {', 'cookies = {"a": "b", ', 'variable "token" {',
  'variable "token" { "a" ', 'identified by ', 'USER a\nPASS ', 'AUTH a ', 'WIFI:T:a;', 'a:5432:b:c:',
  '\tTRUE\t1\ta\t', 'mot de passe ', 'passwort ist ', 'login: a / ', 'htpasswd -b a b ',
] as const;

/** What repeats nothing, or repeats more than one thing. */
const COMPOSED: readonly [string, () => string][] = [
  ['nested JSON', () => `${'{"a":['.repeat(SIZE / 12)}1${']}'.repeat(SIZE / 12)}`],
  ['JSON in JSON', () => wrapped(7)],
  ['JSON of passwords', () => JSON.stringify(numbered((n) => ({ password: `Pa55${n}`, id: n })))],
  ['JSON of telephones', () => JSON.stringify(numbered((n) => ({ phone: `05${300000000 + n}` })))],
  ['base64', () => generated(64)],
  ['base64 in lines of 76', () => generated(64).replace(/.{76}/g, '$&\n')],
  ['hexadecimal', () => generated(16)],
  ['digits without order', () => generated(10)],
  ['digits in groups of four', () => generated(10).replace(/.{4}/g, '$& ')],
  ['digits in groups with dashes', () => generated(10).replace(/.{3}/g, '$&-')],
  ['words and digits', () => generated(36).replace(/.{7}/g, '$& ')],
  ['zero-width between letters', () => generated(36).split('').join('\u200b')],
  [
    'every sign in turn',
    () => Array.from({ length: SIZE }, (_, at) => String.fromCharCode(32 + (at % 95))).join(''),
  ],
  ['every unit in turn', () => UNITS.join('').repeat(60)],
  ['every unit in turn, spaced', () => UNITS.join(' ').repeat(60)],
  ['lone surrogates', () => '\ud800a'.repeat(SIZE / 2)],
  ['right to left and combining', () => '\u202eא\u0301 '.repeat(SIZE / 4)],
  ['one word without an end', () => 'pneumono'.repeat(SIZE / 8)],
  [
    'escaped JSON, cut',
    () => JSON.stringify(JSON.stringify(JSON.stringify(numbered((n) => ({ n }))))).slice(0, SIZE),
  ],
];

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+/';

/** Characters without order, the same ones in every run. */
function generated(letters: number): string {
  let state = 7;
  let out = '';
  for (let at = 0; at < SIZE; at += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    out += ALPHABET[(state >>> 10) % letters];
  }
  return out;
}

function numbered<T>(make: (n: number) => T): T[] {
  return Array.from({ length: SIZE / 16 }, (_, n) => make(n));
}

/** Backslashes double at every level, so few levels fill the size. */
function wrapped(levels: number): string {
  let text = JSON.stringify({ token: 'a1b2', phone: '0532 123 45 67' });
  for (let level = 0; level < levels; level += 1) text = JSON.stringify({ text });
  return text.repeat(SIZE / text.length + 1);
}

export function hostileTexts(): { name: string; text: string }[] {
  return [
    ...UNITS.map((unit) => ({
      name: `${JSON.stringify(unit).slice(0, 48)} repeated`,
      text: unit.repeat(Math.ceil(SIZE / unit.length)).slice(0, SIZE),
    })),
    ...COMPOSED.map(([name, make]) => ({ name, text: make().slice(0, SIZE) })),
  ];
}

export const FUZZ_PIECES: readonly string[] = [
  ...UNITS,
  'a1b2c3d4e5f6',
  '\u0000',
  '\ud800',
  '\udc00',
];
