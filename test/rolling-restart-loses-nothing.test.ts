import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { locateTemporalCli } from '../src/embedded/fetch';
import { describeNative } from './support/database';
import { Dice } from './support/faults/dice';
import { violationsOf } from './support/faults/invariants';
import { NativeStack } from './support/faults/native-stack';
import { lightLoad, withoutModel } from './support/faults/short';
import { fetchOptions } from './support/programs';
import { readRunRecord } from './support/run-record';

jest.setTimeout(600_000);

const { postgresBinDir } = readRunRecord();

// Skipped where the run was given a server of somebody else's, which is not ours to kill; the name says so.
const suite = postgresBinDir === null ? describe.skip : describeNative;

suite('a rolling restart under load [needs its own Postgres]', () => {
  const dir = mkdtempSync(join(tmpdir(), 'cairn-rolling-'));
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

  test('drains each process within its grace time, loses nothing and doubles nothing', async () => {
    const load = lightLoad(stack, new Dice(1));
    load.start();
    await load.report(10);
    const exits: (number | string)[] = [];

    for (const worker of stack.workers) {
      exits.push(await worker.drain());
      await worker.start();
      await stack.until(async () => worker.isUp());
      await load.report(10);
    }

    const { process: another, port } = await stack.anotherServer();
    await another.start();
    await stack.until(() => stack.answers('/readyz', `http://127.0.0.1:${port}`));
    stack.serverPorts.push(port);
    await load.report(10);
    exits.push(await stack.server.drain());
    stack.serverPorts.shift();
    await load.report(10);

    await load.stop();
    expect(exits).toEqual([0, 0, 0]);
    expect(await violationsOf(stack, load)).toEqual([]);
  });
});
