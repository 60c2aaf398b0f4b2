import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { locateTemporalCli } from '../src/embedded/fetch';
import { describeNative } from './support/database';
import { Dice, seedOf } from './support/faults/dice';
import { violationsOf } from './support/faults/invariants';
import { NativeStack } from './support/faults/native-stack';
import { ALL, round } from './support/faults/rounds';
import { lightLoad, SEED_VARIABLE, withoutModel } from './support/faults/short';
import { fetchOptions } from './support/programs';
import { readRunRecord } from './support/run-record';

jest.setTimeout(600_000);

const { postgresBinDir } = readRunRecord();
const seed = seedOf(process.env[SEED_VARIABLE]);

// Skipped where the run was given a server of somebody else's, which is not ours to kill; the name says so.
const suite = postgresBinDir === null ? describe.skip : describeNative;

suite('server and workers apart, killed at random under load [needs its own Postgres]', () => {
  const dir = mkdtempSync(join(tmpdir(), 'cairn-faults-native-'));
  let stack: NativeStack;

  beforeAll(async () => {
    stack = await NativeStack.create({
      dir,
      temporalCli: await locateTemporalCli(fetchOptions(process.env.CAIRN_TEMPORAL_CLI)),
      postgresBinDir: postgresBinDir as string,
      environment: withoutModel(dir),
    });
    await stack.start();
  });
  afterAll(async () => {
    await stack?.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  test(`leave every acknowledged event with exactly one card, seed ${seed}`, async () => {
    const dice = new Dice(seed);
    const load = lightLoad(stack, new Dice(seed + 1));
    load.start();
    const worker = dice.pick(stack.workers).name;
    for (const victim of dice.shuffled(['postgres', 'temporal', 'server', worker, ALL])) {
      await round(stack, victim, dice, { calm: [300, 1_500], away: [0, 1_500], say: () => {} });
    }
    await load.stop();
    expect(load.acknowledged.size).toBeGreaterThan(0);
    expect(await violationsOf(stack, load)).toEqual([]);
  });
});
