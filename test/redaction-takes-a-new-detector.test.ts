/**
 * A new format is one row of a table: nothing else has to know of it. Each test adds a row to the
 * table as its module has it, before the scanner reads the tables, and sees the scanner use it.
 */
import type * as NationalIds from '../src/redaction/national-ids';
import type * as PlacedSecrets from '../src/redaction/placed-secrets';
import type * as ProviderTokens from '../src/redaction/provider-tokens';
import type * as Scanner from '../src/redaction/scanner';
import { unboundedParts } from './support/pattern-bounds';
import { mixed, optionsOf } from './support/secret-strings';

const options = optionsOf();

/** The scanner of a fresh set of modules, after `add` has had its table. */
function scannerWith(add: () => void): typeof Scanner {
  let scanner: typeof Scanner | undefined;
  jest.isolateModules(() => {
    add();
    scanner = require('../src/redaction/scanner') as typeof Scanner;
  });
  return scanner as typeof Scanner;
}

const before = scannerWith(() => undefined);

/** Text, what of it is secret, and the row that says so. */
const ADDED: [string, string, string, () => void][] = [
  [
    'a format with a prefix',
    `use kerfuffle.${mixed(24)} for it`,
    `kerfuffle.${mixed(24)}`,
    () => {
      const { PROVIDER_TOKENS, row } =
        require('../src/redaction/provider-tokens') as typeof ProviderTokens;
      (PROVIDER_TOKENS as ProviderTokens.ProviderToken[]).push(
        row('Kerfuffle', 'kerfuffle.', '[A-Za-z0-9]{24}(?![A-Za-z0-9])'),
      );
    },
  ],
  [
    'a format known by its middle',
    `use ${mixed(20, 'hex')}~kf~${mixed(12)} for it`,
    `${mixed(20, 'hex')}~kf~${mixed(12)}`,
    () => {
      const { ANCHORED_TOKENS } =
        require('../src/redaction/provider-tokens') as typeof ProviderTokens;
      (ANCHORED_TOKENS as ProviderTokens.AnchoredToken[]).push({
        provider: 'Kerfuffle',
        anchor: '~kf~',
        left: /[0-9a-f]/,
        least: 20,
        most: 20,
        right: '[A-Za-z0-9]{12}',
      });
    },
  ],
  [
    'a place',
    'kerfuffle unlock with opensesame now',
    'opensesame',
    () => {
      const { PLACES } = require('../src/redaction/placed-secrets') as typeof PlacedSecrets;
      (PLACES as PlacedSecrets.Place[]).push({
        place: 'kerfuffle',
        sign: 'kerfuffle unlock',
        pattern: /\bkerfuffle unlock with (\w{4,64})/g,
        type: 'password',
      });
    },
  ],
  [
    'an identity number',
    'her card says KF-1234-XX today',
    'KF-1234-XX',
    () => {
      const { SHAPES } = require('../src/redaction/national-ids') as typeof NationalIds;
      (SHAPES as NationalIds.Shape[]).push({ country: 'KF', pattern: /\bKF-\d{4}-XX\b/g });
    },
  ],
];

test.each(ADDED)('%s is one row', (_, text, secret, add) => {
  expect(before.redactText(text, options).value).toBe(text);
  const { value, counts } = scannerWith(add).redactText(text, options);
  expect(value).not.toContain(secret);
  expect(value).toMatch(/\[REDACTED_(?:TOKEN|PASSWORD|SSN)\]/);
  expect(Object.values(counts)).toEqual([1]);
});

test('a row whose body is not bounded is refused by the check that all rows pass', () => {
  expect(unboundedParts('[A-Za-z0-9]{24}(?![A-Za-z0-9])')).toEqual([]);
  expect(unboundedParts('[A-Za-z0-9]+(?![A-Za-z0-9])')).toHaveLength(1);
});
