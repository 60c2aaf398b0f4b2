import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { normalizedAction, visibleText } from '../src/domain/insights/action-text';

test.each([
  ['Cut the Tuesday lunch shift by 10%.', 'please  cut the Tuesday-lunch shift, by 10 %!'],
  ['The weekly count: do it daily', 'Weekly count – do it daily.'],
  ['Don’t comp desserts', "don't comp desserts"],
  ['Raise prices by $1,200', 'raise prices by $ 1200'],
  ['Ｗｅｅｋｌｙ count', 'weekly count'],
  ['CAFÉ menu', 'cafe\u0301 menu'],
  ['Please, the menu', 'menu'],
  ['Turn off the zorb\u00adfryer', 'Turn off the zorbfryer'],
  ['T\u200bu\u200crn\u2060 off\u200e the fryer\ufeff', 'Turn off the fryer'],
  ['Turn \u202eoff\u202c the f\u034fry\u0001er', 'Turn off the fryer'],
  ['Caf\u200de\u0301 menu', 'café menu'],
  ['Cut labor by .5 %', 'Cut labor by 0.5 %'],
  ['Raise by $.50', 'raise by $0.50'],
  ['Set to –5', 'set to -5'],
  ['Set to \u22125', 'set to ‒5'],
  ['Change it by -$5', 'change it by $-5'],
  ['Order 1½ cases', 'order 1 1/2 cases'],
  ['Ranges 5–7', 'ranges 5-7'],
])('%s = %s', (one, other) => {
  expect(normalizedAction(one)).toBe(normalizedAction(other));
});

test.each([
  ['Cut labor by 10 %', 'Cut labor by 20 %'],
  ['Cut labor by 10 %', 'Cut labor by 10'],
  ['Raise prices by $10', 'Raise prices by €10'],
  ['Raise prices by $10', 'Raise prices by 10 %'],
  ['Set the freezer to -5 °C', 'Set the freezer to 5 °C'],
  ['Set the freezer to –5 °C', 'Set the freezer to 5 °C'],
  ['Change it by -$5', 'Change it by $5'],
  ['Cut labor by .5 %', 'Cut labor by 5 %'],
  ['Raise by $.50', 'Raise by $50'],
  ['Order 1½ cases', 'Order 11/2 cases'],
  ['Order 1/2 a case', 'Order 1 2 a case'],
  ['Order 10² limes', 'Order 102 limes'],
  ['Portion 1.5 oz', 'Portion 15 oz'],
  ['Portion 1.5 oz', 'Portion 1 5 oz'],
  ['Order 1,200', 'Order 1 200'],
  ['Order fewer limes', 'Order more limes'],
  ['Comp desserts', 'Comp no desserts'],
  ['👍', '👎'],
])('%s ≠ %s', (one, other) => {
  expect(normalizedAction(one)).not.toBe(normalizedAction(other));
});

test('normalizing again changes nothing, and something is left of what is not blank', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' })),
      (text) => {
        const once = normalizedAction(text);
        expect(normalizedAction(once)).toBe(once);
        const isNothing = text.normalize('NFKC').trim() === '';
        if (once === '') expect(isNothing || visibleText(text).trim() === '').toBe(true);
        if (isNothing) expect(once).toBe('');
      },
    ),
    { numRuns: 3_000 },
  );
});

test('neither case nor white space nor what closes a sentence makes another action', () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[A-Za-z0-9]{1,8}$/), { minLength: 1, maxLength: 8 }),
      fc.constantFrom(' ', '  ', '\n', '\t ', '\u00a0'),
      fc.constantFrom('', '.', '!', ' …', '?!'),
      (words, space, end) => {
        const text = normalizedAction(words.join(' '));
        expect(normalizedAction(`  ${words.join(space).toUpperCase()}${end} `)).toBe(text);
      },
    ),
  );
});

test('the table of the documentation holds', () => {
  const doc = readFileSync(join(__dirname, '..', 'docs', 'insights.md'), 'utf8');
  const [, table = ''] = doc.split('| Written | Normalized |');
  const rows = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| `([^`]+)` \| `([^`]+)` \|$/gm)];
  expect(rows.length).toBeGreaterThan(3);
  for (const [, written = '', normalized] of rows)
    expect(normalizedAction(written)).toBe(normalized);
});
