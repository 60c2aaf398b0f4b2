import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { locateTemporalCli } from '../src/embedded/fetch';
import { Dice, seedOf } from './support/faults/dice';
import { EmbeddedStack } from './support/faults/embedded-stack';
import { violationsOf } from './support/faults/invariants';
import { everyVictim, round } from './support/faults/rounds';
import { lightLoad, SEED_VARIABLE, withoutModel } from './support/faults/short';
import { fetchOptions } from './support/programs';

jest.setTimeout(600_000);

const seed = seedOf(process.env[SEED_VARIABLE]);
const dir = mkdtempSync(join(tmpdir(), 'cairn-faults-embedded-'));
let stack: EmbeddedStack;

beforeAll(async () => {
  const temporalCli = await locateTemporalCli(fetchOptions(process.env.CAIRN_TEMPORAL_CLI));
  stack = new EmbeddedStack({ dir, temporalCli, environment: withoutModel(dir) });
  await stack.start();
});
afterAll(async () => {
  await stack?.stop();
  rmSync(dir, { recursive: true, force: true });
});

test(`one machine, killed at random under load, leaves every acknowledged event with exactly one card, seed ${seed}`, async () => {
  const dice = new Dice(seed);
  const load = lightLoad(stack, new Dice(seed + 1));
  load.start();
  for (const victim of everyVictim(stack, dice)) {
    await round(stack, victim, dice, { calm: [300, 1_500], away: [0, 500], say: () => {} });
  }
  await load.stop();
  expect(load.acknowledged.size).toBeGreaterThan(0);
  expect(await violationsOf(stack, load)).toEqual([]);
});
