import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { locateTemporalCli } from '../src/embedded/fetch';
import { describeNative } from './support/database';
import { Dice } from './support/faults/dice';
import { violationsOf } from './support/faults/invariants';
import { Ledger } from './support/faults/ledger';
import type { Load } from './support/faults/load';
import { NativeStack } from './support/faults/native-stack';
import { lightLoad, withoutModel } from './support/faults/short';
import { eventOf } from './support/faults/work';
import { fetchOptions } from './support/programs';
import { readRunRecord } from './support/run-record';

jest.setTimeout(600_000);

const { postgresBinDir } = readRunRecord();

// Skipped where the run was given a server of somebody else's, which is not ours to kill; the name says so.
const suite = postgresBinDir === null ? describe.skip : describeNative;

suite('a server that is away for a while [needs its own Postgres]', () => {
  const dir = mkdtempSync(join(tmpdir(), 'cairn-outages-'));
  let stack: NativeStack;
  let load: Load;

  beforeAll(async () => {
    stack = await NativeStack.create({
      dir,
      temporalCli: await locateTemporalCli(fetchOptions(process.env.CAIRN_TEMPORAL_CLI)),
      postgresBinDir: postgresBinDir as string,
      environment: withoutModel(dir),
    });
    await stack.start();
    load = lightLoad(stack, new Dice(1));
  });
  afterAll(async () => {
    await stack?.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  test('Temporal: events are accepted meanwhile, readiness says why, and they are carded afterwards', async () => {
    const ledger = new Ledger(stack.databaseUrl());
    await load.report(5);
    await stack.until(async () => (await ledger.waiting()) === 0);
    await stack.temporalServer.kill();

    const during = await load.report(20);
    expect(during.every((id) => load.acknowledged.has(id))).toBe(true);
    const ready = await fetch(`${stack.urls()[0]}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({
      missing: { postgres: null, temporal: 'Temporal does not answer' },
    });
    const settled = await ledger.settled();
    expect(during.map((id) => settled.get(id)?.disposition)).toEqual(during.map(() => 'pending'));

    await stack.temporalServer.start();
    expect(await violationsOf(stack, load)).toEqual([]);
  });

  test('Postgres: nothing is acknowledged meanwhile, and all is well afterwards without a restart', async () => {
    await load.report(5);
    await stack.postgres.kill();

    const [url] = stack.urls();
    const answer = await fetch(`${url}/v1/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stack.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...eventOf(9_999), event_id: 'refused' }),
    });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await answer.json()).not.toHaveProperty('items');

    await stack.postgres.start();
    await load.report(20);
    // `refused` would stand there as never acknowledged, a process that ended as a surprise.
    expect(await violationsOf(stack, load)).toEqual([]);
  });
});
