import fc from 'fast-check';
import { dice } from '../src/cli/simulate/world/dice';
import { choicesOf, type Dimension } from '../src/cli/simulate/world/dimensions';
import { decide } from '../src/cli/simulate/world/reader/belief';
import type { Fact } from '../src/cli/simulate/world/reader/facts';

const MODE: Dimension = { kind: 'mode', param: 'mode' };
const BATCH: Dimension = { kind: 'batch', param: 'batch_size' };
const fact = (param: string, says: Fact['says'], ...choices: string[]): Fact => ({
  param,
  says,
  choices,
});
const mode = (memory: Fact[], own: Fact[] = [], seed = 1) =>
  decide(MODE, 0, 'standard', memory, own, dice(seed, 'x'));
const batch = (memory: Fact[], own: Fact[] = [], seed = 1) =>
  decide(BATCH, 0, '180', memory, own, dice(seed, 'x'));

it('keeps to its habit where nothing is said', () => {
  expect(mode([])).toEqual({ choice: 'standard', contradicted: false });
  expect(batch([])).toEqual({ choice: '180', contradicted: false });
});

it('follows what is laid down, what worked, and leaves what failed', () => {
  expect(mode([fact('mode', 'must', 'audited')]).choice).toBe('audited');
  expect(mode([fact('mode', 'works', 'bulk')]).choice).toBe('bulk');
  expect(mode([fact('mode', 'out', 'standard')]).choice).not.toBe('standard');
  expect(batch([fact('batch_size', 'must', '100')]).choice).toBe('100');
  expect(batch([fact('batch_size', 'works', '60')]).choice).toBe('60');
  expect(batch([fact('batch_size', 'out', '150')]).choice).toBe('75');
  expect(batch([fact('batch_size', 'must', '400')]).choice).toBe('180');
});

it('takes both sides of a contradiction, one as often as the other', () => {
  const sides = (decisions: { choice: string; contradicted: boolean }[]) => {
    expect(decisions.every(({ contradicted }) => contradicted)).toBe(true);
    const counts = new Map<string, number>();
    for (const { choice } of decisions) counts.set(choice, (counts.get(choice) ?? 0) + 1);
    return counts;
  };
  const seeds = Array.from({ length: 400 }, (_, seed) => seed);
  const limits = [fact('batch_size', 'must', '100'), fact('batch_size', 'must', '50')];
  const modes = [
    fact('mode', 'works', 'bulk'),
    fact('mode', 'out', 'bulk'),
    fact('mode', 'works', 'express'),
  ];
  for (const counts of [
    sides(seeds.map((seed) => batch(limits, [], seed))),
    sides(seeds.map((seed) => mode(modes, [], seed))),
  ]) {
    expect(counts.size).toBe(2);
    for (const count of counts.values()) expect(count).toBeGreaterThan(150);
  }
});

it('says a thing many times no louder than once', () => {
  const said = [fact('batch_size', 'must', '100'), fact('batch_size', 'must', '50')];
  const often = [...Array(9).fill(said[0]), said[1]] as Fact[];
  for (let seed = 0; seed < 50; seed += 1) {
    expect(batch(often, [], seed)).toEqual(batch(said, [], seed));
  }
});

const anyFact = fc
  .record({
    says: fc.constantFrom<Fact['says']>('must', 'works', 'out'),
    choice: fc.constantFrom(...choicesOf(MODE, 0)),
  })
  .map(({ says, choice }) => fact('mode', says, choice));

it('never tries again what has just failed, whatever it read, while anything else is left', () => {
  fc.assert(
    fc.property(
      fc.array(anyFact, { maxLength: 8 }),
      fc.subarray([...choicesOf(MODE, 0)], { maxLength: 3 }),
      fc.nat(),
      (memory, failed, seed) => {
        const own = failed.map((choice) => fact('mode', 'out', choice));
        expect(failed).not.toContain(mode(memory, own, seed).choice);
      },
    ),
  );
});

it('goes below what has just failed, and by what the error said', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          says: fc.constantFrom<Fact['says']>('must', 'works', 'out'),
          size: fc.integer({ min: 2, max: 300 }),
        }),
        { maxLength: 8 },
      ),
      fc.integer({ min: 2, max: 180 }),
      fc.nat(),
      (read, size, seed) => {
        const memory = read.map((one) => fact('batch_size', one.says, String(one.size)));
        const failed = [fact('batch_size', 'out', String(size))];
        expect(Number(batch(memory, failed, seed).choice)).toBeLessThan(size);
        const limit = [fact('batch_size', 'must', String(size))];
        expect(batch(memory, limit, seed).choice).toBe(String(size));
      },
    ),
  );
});
