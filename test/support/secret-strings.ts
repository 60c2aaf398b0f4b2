/**
 * Secret-shaped strings, put together when a test runs, so that no file of the project holds one.
 * All are made up: alphabets and lengths are the providers', the characters come from a counter.
 */

import type { RedactionOptions } from '../../src/redaction/scanner';
import { workspaceTagger } from '../../src/redaction/tags';

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
export const ALPHABETS = {
  hex: `${DIGITS}abcdef`,
  lower: LOWER + DIGITS,
  alnum: LOWER + UPPER + DIGITS,
  upper: UPPER + DIGITS,
  base64: `${UPPER}${LOWER}${DIGITS}+/`,
} as const;

/** The same characters for the same seed; neighbours jump about as a generator's do. */
export function mixed(
  length: number,
  alphabet: keyof typeof ALPHABETS = 'alnum',
  seed = 7,
): string {
  const letters = ALPHABETS[alphabet];
  let state = seed * 2654435761;
  let out = '';
  for (let index = 0; index < length; index += 1) {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + index * 374761393) >>> 0;
    out += letters[(state >>> 7) % letters.length];
  }
  return out;
}

const join = (...parts: string[]) => parts.join('');

export const githubToken = (seed = 1) => join('gh', 'p_', mixed(36, 'alnum', seed));
export const stripeKey = (seed = 1) => ['sk', 'live', mixed(24, 'alnum', seed)].join('_');
export const openAiKey = (seed = 1) => ['sk', 'proj', mixed(48, 'alnum', seed)].join('-');
export const anthropicKey = (seed = 1) =>
  ['sk', 'ant', 'api03', mixed(60, 'alnum', seed)].join('-');
export const awsKeyId = (seed = 1) => join('AK', 'IA', mixed(16, 'upper', seed));
export const slackToken = (seed = 1) =>
  ['xoxb', '123456789012', '1234567890123', mixed(24, 'alnum', seed)].join('-');
export const slackWebhook = (seed = 1) =>
  join(
    'https://hooks.sl',
    'ack.com/services/T',
    mixed(8, 'upper', seed),
    '/B',
    mixed(8, 'upper', seed),
    '/',
    mixed(24),
  );
export const googleKey = (seed = 1) => join('AI', 'za', mixed(35, 'alnum', seed));

/** Our own keys, in both forms: made by the API, and made at a first start. */
export const cairnKey = (seed = 1) =>
  join('cai', 'rn_', mixed(52, 'lower', seed).replace(/[0189]/g, 'q'));
export const cairnOwnerKey = (seed = 1) => join('cai', 'rn_', mixed(43, 'alnum', seed));

export function jsonWebToken(seed = 1): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return [
    part({ alg: 'HS256', typ: 'JWT' }),
    part({ sub: String(seed), iat: 1516239022 }),
    mixed(43),
  ].join('.');
}

/** A PEM block of the given kind; `lines` of 64 characters. */
export function privateKey(kind = 'RSA ', lines = 6, seed = 3): string {
  const body = Array.from({ length: lines }, (_, line) => mixed(64, 'base64', seed + line));
  return [
    `-----BEGIN ${kind}PRIVATE`,
    ' KEY-----\n',
    body.join('\n'),
    `\n-----END ${kind}PRIVATE`,
    ' KEY-----',
  ].join('');
}

/** A number with a valid last digit for cards, of the given length and beginning. */
export function cardNumber(beginning = '4539', length = 16): string {
  const digits = (beginning + mixed(length, 'hex', 5).replace(/\D/g, '').repeat(8)).slice(
    0,
    length - 1,
  );
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    let digit = Number(digits[digits.length - 1 - index]);
    if (index % 2 === 0) digit = digit > 4 ? digit * 2 - 9 : digit * 2;
    sum += digit;
  }
  return digits + String((10 - (sum % 10)) % 10);
}

/** A German IBAN with a valid check. */
export function iban(account = '370400440532013000'): string {
  let rest = 0;
  for (const digit of `${account}131400`) rest = (rest * 10 + Number(digit)) % 97;
  return `DE${String(98 - rest).padStart(2, '0')}${account}`;
}

export const socialSecurity = () => ['219', '09', '9998'].join('-');
export const phone = () => ['+49', '30', '901820', '33'].join(' ');
export const email = () => join('ada.lovelace', '@', 'example.org');
export const externalAddress = () => ['81', '2', '69', '142'].join('.');

export function optionsOf(more: Partial<RedactionOptions> = {}): RedactionOptions {
  return { tag: workspaceTagger('a test key', 'acme'), keepContactData: false, names: [], ...more };
}

/** One example of every type, with what the text around it may be. */
export function examples(): { type: string; secret: string; text: string }[] {
  const basic = Buffer.from(join('aladdin', ':', 'open', 'sesame')).toString('base64');
  return [
    { type: 'token', secret: githubToken(), text: `use ${githubToken()} for now` },
    { type: 'token', secret: jsonWebToken(), text: `got ${jsonWebToken()} back` },
    { type: 'token', secret: slackWebhook(), text: `post to ${slackWebhook()}` },
    { type: 'auth_header', secret: basic, text: `sent Authorization: Basic ${basic}` },
    { type: 'private_key', secret: privateKey(), text: `key:\n${privateKey()}\n` },
    { type: 'password', secret: 'hunter2xyz', text: `the password is hunter2xyz` },
    { type: 'email', secret: email(), text: `write to ${email()} today` },
    { type: 'phone', secret: phone(), text: `ring ${phone()} at noon` },
    { type: 'card', secret: cardNumber(), text: `paid with ${cardNumber()}` },
    { type: 'iban', secret: iban(), text: `sent to ${iban()}` },
    { type: 'ssn', secret: socialSecurity(), text: `he gave ${socialSecurity()}` },
    { type: 'external_ip', secret: externalAddress(), text: `came from ${externalAddress()}` },
  ];
}
