import fc from 'fast-check';
import type { Json } from '../src/contracts/event';
import { redactJson } from '../src/redaction/json';
import { redactText } from '../src/redaction/scanner';
import * as secrets from './support/secret-strings';

const options = secrets.optionsOf({ names: ['Mia Li', 'Bob'] });

/** Pieces that detectors look for, so that arbitrary texts meet at their edges. */
const PIECES = [
  ...secrets.examples().flatMap(({ secret, text }) => [secret, text]),
  secrets.stripeKey(),
  secrets.awsKeyId(),
  ...[
    'password',
    'secret',
    'api_key',
    'token',
    'Authorization',
    'Cookie',
    'phone',
    'card',
    'iban',
    'ssn',
    'Bearer',
    'Basic',
  ],
  ...[
    '=',
    ': ',
    ' is ',
    '"',
    "'",
    '`',
    '@',
    '://',
    '.',
    '-',
    '+',
    '00',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '\\n',
    '\\"',
    '%40',
    '&quot;',
    '\n',
    ' ',
    ',',
  ],
  ...[
    '[REDACTED_TOKEN]',
    '[REDACTED_',
    '[EMAIL_abcdefghij]',
    '[EXT_IP_',
    '[REDACTION_FAILED]',
    'Mia',
    'Li',
    'Bob',
  ],
  ...['\u200b', '\u2011', '１', '😀', '\ud800', '\udc00', 'é', '中', '\u0000', '\u202e'],
  ...[
    'hunter2',
    'a1b2c3d4e5f6',
    '4111',
    '123',
    '12',
    '6789',
    '2001:db8::',
    '8.8.8',
    'gh',
    'sk-',
    'eyJ',
    'xoxb-',
    '-----BEGIN ',
    'PRIVATE KEY-----',
  ],
];

const pieces = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 24 })
  .map((parts) => parts.join(''));
const texts = fc.oneof(
  pieces,
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc
    .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 8 })), {
      maxLength: 20,
    })
    .map((parts) => parts.join('')),
);

test('a redacted text is not redacted again', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const once = redactText(text, options).value;
      expect(redactText(once, options)).toEqual({ value: once, counts: {} });
    }),
    { numRuns: 1500 },
  );
});

test('nor is a redacted JSON value', () => {
  const keys = fc.oneof(
    texts,
    fc.constantFrom(
      'password',
      'apiKey',
      'token',
      'phone',
      'card_number',
      'name',
      'value',
      '__proto__',
    ),
  );
  const { json } = fc.letrec<{ json: Json }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 3 },
      texts,
      fc.oneof(
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.maxSafeInteger(),
        fc.boolean(),
        fc.constant(null),
      ) as fc.Arbitrary<Json>,
      fc.array(tie('json'), { maxLength: 4 }),
      fc.dictionary(keys, tie('json'), { maxKeys: 4 }),
      tie('json').map((value) => JSON.stringify(value)),
    ),
  }));
  fc.assert(
    fc.property(json, (value) => {
      const once = redactJson(value, options).value;
      expect(redactJson(once, options)).toEqual({ value: once, counts: {} });
    }),
    { numRuns: 700 },
  );
});

test('and where nothing is found the text is the same, character for character', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const { value, counts } = redactText(text, options);
      if (Object.keys(counts).length === 0) expect(value).toBe(text);
    }),
    { numRuns: 500 },
  );
});
