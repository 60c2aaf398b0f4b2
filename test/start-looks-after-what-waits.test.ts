import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { sweepScheduleId } from '../src/contracts/workflow-ids';
import {
  cardAnswer,
  type FakeProvider,
  refuses,
  SAYS,
  startFakeProvider,
} from './support/fake-provider';
import { Program } from './support/program';

jest.setTimeout(240_000);

let dataDir: string;
let provider: FakeProvider;
let program: Program;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'cairn-upkeep-'));
  provider = await startFakeProvider();
});
afterAll(async () => {
  if (program?.process.exitCode === null) await program.stop('SIGKILL');
  await provider?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const start = async () => {
  program = await Program.start(dataDir, {
    OPENAI_BASE_URL: provider.baseUrl,
    CAIRN_MODEL_SMALL: 'small',
  });
};

async function until(check: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(program.output.join('').slice(-2_000));
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** An operator's hand instead of five minutes. */
async function triggerSweep(): Promise<void> {
  const { temporal_address: address, temporal_namespace: namespace } = program.runtime;
  const connection = await Connection.connect({ address });
  await new Client({ connection, namespace }).schedule.getHandle(sweepScheduleId()).trigger();
  await connection.close();
}

async function event(event_id: string): Promise<void> {
  const { status } = await program.call('POST', '/v1/events', {
    event_id,
    kind: 'service_call',
    agent: 'scout',
    service: 'slack',
    operation: 'get_users_in_channel',
    outcome: 'failed',
    occurred_at: '2026-03-02T08:24:15Z',
    input: { channel: event_id },
    error: `ValueError: ${event_id} not found in the channels list`,
  });
  expect(status).toBe(202);
}

async function distilledBy(): Promise<string[]> {
  const { body } = await program.call('GET', '/v1/cards');
  const cards = body.items as { provenance: { distilled_by: string } }[];
  return cards.map(({ provenance }) => provenance.distilled_by).sort();
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${program.runtime.url}/metrics`)).text();
  return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
}

it('a card of the rules is seen to wait, and gets the words of the model once it is back', async () => {
  provider.script(refuses(400));
  await start();
  await event('while-away');
  await until(async () => (await distilledBy()).length === 1);
  expect(await distilledBy()).toEqual(['fallback']);
  await until(async () => (await metric('cairn_captures_to_distill')) === 1);

  provider.script({ says: cardAnswer() });
  await triggerSweep();
  await until(async () => (await distilledBy())[0] === 'model');
  const { body } = await program.call('GET', '/v1/runs?type=redistill');
  expect(body.items).toMatchObject([{ type: 'redistill', scope: { type: 'workspace' } }]);
});

it('the same after Temporal lost all of its data between two starts', async () => {
  provider.script(refuses(400));
  await event('before-the-loss');
  await until(async () => (await distilledBy()).length === 2);
  expect(await program.stop()).toBe(0);
  const lost = readdirSync(dataDir).filter((name) => name.startsWith('temporal.db'));
  expect(lost).not.toEqual([]);
  for (const name of lost) rmSync(join(dataDir, name));

  provider.script(SAYS.valid);
  await start();
  // The Schedule is new, so its first sweep comes at once.
  await until(async () => (await distilledBy()).join() === 'model,model');
});
