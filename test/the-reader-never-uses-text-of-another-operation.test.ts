import fc from 'fast-check';
import { buildWorld, type Operation } from '../src/cli/simulate/world/build';
import { SEEDS, WORLD } from '../src/cli/simulate/world/frozen';
import { factsIn } from '../src/cli/simulate/world/reader/statements';

const { operations } = buildWorld(SEEDS[0], WORLD);

/** Things that may be said of an operation, in every form in which memories come. */
const FORMS: readonly ((operation: Operation, n: number) => string)[] = [
  ({ service, operation }, n) => `- ${service}.${operation}: the limit is ${n} per batch.`,
  ({ service, operation }, n) =>
    `- ⚠️ «Called ${operation} on ${service}, batch size ${n}, standard, slot monday morning. It failed: the limit is ${n - 1} per batch.» (runtime, 2 days ago)`,
  ({ service, operation }, n) =>
    `- ✅ «Called ${operation} on ${service}, batch size ${n}, bulk, slot friday evening. It worked, after a failure with another batch size (${n + 1}).» (runtime, today)`,
  ({ service, operation }, n) =>
    JSON.stringify({
      service,
      operation,
      input: { batch_size: n, mode: 'bulk', slot: 'tuesday midday', region: 'oslo' },
      error: `429 Too Many Requests: the limit is ${n} per batch`,
      outcome: 'failed',
    }),
  ({ service, operation }, n) =>
    JSON.stringify({ service, operation, input: { batch_size: n }, outcome: 'worked' }, null, 2),
  ({ service, operation }, n) =>
    `## ${service}.${operation}\n- limit ${n} per batch\n- mode must be audited\n- region must be dublin`,
  ({ service, noun }, n) =>
    `Sent the ${noun} of ${service} in mode express with batch size ${n}. It worked. Avoid tuesday mornings.`,
];

const operation = fc.constantFrom(...operations);
const passage = fc
  .record({ about: operation, form: fc.nat(FORMS.length - 1), n: fc.integer({ min: 2, max: 300 }) })
  .map(({ about, form, n }) => ({ about, text: FORMS[form]?.(about, n) ?? '' }));

const separator = fc.constantFrom('\n', '\n\n', '\n---\n');

const read = (text: string, target: Operation) =>
  factsIn(text, target.operation, target.dimensions);

it('finds nothing about an operation in what is said of others', () => {
  fc.assert(
    fc.property(
      operation,
      fc.array(passage, { maxLength: 8 }),
      separator,
      (target, passages, by) => {
        const others = passages.filter(({ about }) => about !== target);
        expect(read(others.map(({ text }) => text).join(by), target)).toEqual([]);
      },
    ),
    { numRuns: 300 },
  );
});

it('reads the same of an operation whatever is said of others in between', () => {
  fc.assert(
    fc.property(
      operation,
      fc.array(passage, { maxLength: 8 }),
      separator,
      (target, passages, by) => {
        const own = passages.filter(({ about }) => about === target);
        const join = (list: typeof passages) => list.map(({ text }) => text).join(by);
        expect(read(join(passages), target)).toEqual(read(join(own), target));
      },
    ),
    { numRuns: 300 },
  );
});

it('reads whatever it is given, to the end', () => {
  fc.assert(
    fc.property(operation, fc.string({ maxLength: 400, unit: 'binary' }), (target, text) => {
      expect(Array.isArray(read(text, target))).toBe(true);
    }),
  );
});

it('does find what is said of the operation itself', () => {
  for (const target of operations) {
    const batch = target.dimensions.some(({ kind }) => kind === 'batch');
    const said = FORMS.slice(0, 6).map((form) => read(form(target, 40), target));
    if (batch)
      for (const facts of said) expect(facts.map(({ param }) => param)).toContain('batch_size');
  }
});
