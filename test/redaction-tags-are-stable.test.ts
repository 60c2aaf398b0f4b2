import { redactText } from '../src/redaction/scanner';
import { workspaceTagger } from '../src/redaction/tags';
import * as secrets from './support/secret-strings';

const options = secrets.optionsOf();
const placeholderIn = (text: string) =>
  /\[(?:EMAIL|PHONE|EXT_IP)_[a-z2-7]{10,}\]/.exec(redactText(text, options).value)?.[0];

const SPELLINGS: [string, string[]][] = [
  [
    'an e-mail',
    [
      'Ada.Lovelace@Example.org',
      'ada.lovelace%40example.org',
      'ada.lovelace＠example.org',
      '<ada.lovelace@example.org>',
      'mailto:ada.lovelace@example.org?subject=x',
      'ada.lovelace [at] example [dot] org',
      '\\"ada.lovelace@example.org\\"',
      'ada.lovelace&#64;example.org',
    ],
  ],
  [
    'a phone with a country code',
    [
      '+49 30 901820 33',
      '+493090182033',
      '0049 30 90182033',
      '+49 (30) 90182-033',
      '＋49 30 901820 33',
      'tel:+49-30-90182033',
    ],
  ],
  [
    'a North American phone',
    ['(415) 555-2671', '415-555-2671', '415.555.2671', '+1 415 555 2671', '1-415-555-2671'],
  ],
  ['an IPv4 address', ['81.2.69.142', 'https://81.2.69.142:8443/x', '::ffff:81.2.69.142']],
  [
    'an IPv6 address',
    ['2a02:6b8::2:242', '2A02:06B8:0000:0000:0000:0000:0002:0242', '[2a02:6b8::2:242]:443'],
  ],
];

test.each(SPELLINGS)('%s has one tag in every spelling', (_, spellings) => {
  const [first] = spellings;
  const expected = placeholderIn(`seen: ${first}`);
  expect(expected).toMatch(/^\[(?:EMAIL|PHONE|EXT_IP)_[a-z2-7]{16}\]$/);
  for (const spelling of spellings)
    expect([spelling, placeholderIn(`seen: ${spelling}`)]).toEqual([spelling, expected]);
});

test('another address, another workspace or another key gives another tag', () => {
  const mail = secrets.email();
  const tags = [
    workspaceTagger('key', 'acme')('EMAIL', mail),
    workspaceTagger('key', 'acme')('EMAIL', `x${mail}`),
    workspaceTagger('key', 'acme')('PHONE', mail),
    workspaceTagger('key', 'other')('EMAIL', mail),
    workspaceTagger('other', 'acme')('EMAIL', mail),
  ];
  expect(new Set(tags).size).toBe(tags.length);
  for (const tag of tags) expect(tag).toMatch(/^[a-z2-7]{10,}$/);
  expect(workspaceTagger(Buffer.from('key'), 'acme')('EMAIL', mail)).toBe(tags[0]);
});
