import fc from 'fast-check';
import { ERROR_FAMILIES } from '../src/contracts/names';
import { type FixDraft, type FixWarning, templateFix } from '../src/domain/config-fix';

/** As long as an id of the contract may be. */
const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 });
const step = fc.record({ team: name, workflow: name, step: name });
const warning: fc.Arbitrary<FixWarning> = fc.record({
  error_family: fc.option(fc.constantFrom(...ERROR_FAMILIES)),
  error_signature: fc.option(fc.string({ unit: 'grapheme', maxLength: 300 })),
});
const warnings = fc.array(warning, { maxLength: 30 });
const strikes = fc.integer({ min: 3, max: 10_000 });

const texts = ({ title, summary, fix }: FixDraft) => [title, summary, fix];

test('the order of the warnings does not matter', () => {
  const shuffled = warnings.chain((all) =>
    fc.tuple(
      fc.constant(all),
      fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length }),
    ),
  );
  fc.assert(
    fc.property(step, shuffled, strikes, (of, [all, turned], count) => {
      expect(templateFix(of, turned, count)).toEqual(templateFix(of, all, count));
    }),
  );
});

test('the step, its workflow, its team and how often it failed are named', () => {
  fc.assert(
    fc.property(step, warnings, strikes, (of, all, count) => {
      const { title, summary, fix } = templateFix(of, all, count);
      for (const text of [title, summary, fix]) {
        expect(text).toContain(of.step);
        expect(text).toContain(of.workflow);
      }
      expect(title).toContain(of.team);
      expect(title).toContain(`${count} times`);
      expect(summary).toContain(fix);
    }),
  );
});

test('however many warnings there are and however long, the words are a few, and whole', () => {
  fc.assert(
    fc.property(step, warnings, strikes, (of, all, count) => {
      const names = of.team.length + of.workflow.length + of.step.length;
      for (const text of texts(templateFix(of, all, count))) {
        expect(text.length).toBeLessThanOrEqual(2 * names + 700);
        // Half a character is no text: a database refuses it.
        expect(text).toBe(Buffer.from(text).toString());
      }
    }),
    { numRuns: 500 },
  );
});

test('a signature that is cut is cut between two characters', () => {
  const text = `${'a'.repeat(119)}😀 in the middle`;
  const { summary } = templateFix(
    { team: 'support', workflow: 'press', step: 'print' },
    [{ error_family: null, error_signature: text }],
    3,
  );
  expect(summary).toBe(Buffer.from(summary).toString());
});

test('the commonest kind of error decides what is advised', () => {
  const of = { team: 'support', workflow: 'press', step: 'print' };
  const one = (error_family: FixWarning['error_family']) => ({
    error_family,
    error_signature: null,
  });
  const advised = new Map<string, string>();
  for (const family of ERROR_FAMILIES) {
    const other = family === 'timeout' ? 'auth' : 'timeout';
    const { fix, summary } = templateFix(of, [one(family), one(other), one(family), one(null)], 4);
    expect(fix).toBe(templateFix(of, [one(family)], 3).fix);
    expect(fix).not.toBe(templateFix(of, [one(other)], 3).fix);
    expect(summary).toContain(`mostly ${family.replace('_', ' ')}`);
    advised.set(fix, family);
  }
  expect(advised.size).toBe(ERROR_FAMILIES.length);
  expect(templateFix(of, [one(null)], 3)).toEqual(templateFix(of, [], 3));
});

test('only signatures that were seen are quoted, the commonest three', () => {
  const seen = (signature: string, times: number) =>
    Array.from({ length: times }, () => ({
      error_family: null,
      error_signature: signature,
    }));
  const { summary } = templateFix(
    { team: 'support', workflow: 'press', step: 'print' },
    [...seen('fourth', 1), ...seen('third', 2), ...seen('first', 4), ...seen('second', 3)],
    10,
  );
  expect(summary).toContain('Seen: “first”, “second”, “third”.');
  expect(summary).not.toContain('fourth');
});
