import fc from 'fast-check';
import type { Dimension } from '../src/cli/simulate/world/dimensions';
import { factsIn } from '../src/cli/simulate/world/reader/statements';

const DIMENSIONS: Dimension[] = [
  { kind: 'mode', param: 'mode' },
  { kind: 'batch', param: 'batch_size' },
];
const read = (text: string) => factsIn(text, 'create_invoice', DIMENSIONS);

it('reads a text whose clauses come together as the whole again as a failure', () => {
  const facts = read('create_invoice with mode bulk, it worked and failed.');
  expect(facts).toContainEqual({ param: 'mode', says: 'out', choices: ['bulk'] });
});

it('comes to an end with any clauses in any order', () => {
  const words = fc.constantFrom(
    ...[
      'create_invoice',
      'worked',
      'failed',
      ', ',
      '. ',
      '; ',
      ' but',
      ' then ',
      ' while',
      'mode bulk',
    ],
    ...[
      ' ',
      'with batch_size 180',
      ' → ',
      '✅',
      '⚠',
      ' and then',
      '(',
      ')',
      'after a failure with ',
    ],
  );
  fc.assert(
    fc.property(fc.array(words, { maxLength: 24 }), (parts) => {
      expect(Array.isArray(read(`create_invoice ${parts.join('')}`))).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
