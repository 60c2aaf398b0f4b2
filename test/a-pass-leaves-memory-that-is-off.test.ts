import { MockActivityEnvironment } from '@temporalio/testing';
import { createPassActivities } from '../src/activities/pass';
import type { CardScope } from '../src/contracts/card';
import type { ScheduledPass, UnitsBatch } from '../src/contracts/passes';
import { newId } from '../src/store/ids';
import { beginPassRun } from '../src/store/pass-runs';
import { MINUTE, type RecallLane, startRecallLane } from './support/filing';
import { consolidateByHand } from './support/night';

jest.setTimeout(60_000);

let lane: RecallLane;
beforeAll(async () => {
  lane = await startRecallLane();
  for (const agent of ['talker', 'quiet']) await calls(agent);
  const off = await lane.api.call('PUT', '/v1/agents/quiet', { body: { memory_mode: 'off' } });
  expect(off.status).toBe(200);
});
afterAll(() => lane?.close());

const agent = (id: string): CardScope => ({ type: 'agent', id });

async function calls(of: string, fields: object = {}): Promise<void> {
  for (const item of ['one', 'two', 'three', 'four']) {
    lane.clock.advance(MINUTE);
    await lane.filing.card({
      ...{ agent: of, service: 'brass', operation: 'polish' },
      ...{ input: { item: `${of}-${item}` }, output: { done: item } },
      ...fields,
    });
  }
}

/** The scopes that a pass would begin a unit for. */
async function scopesOf(type: ScheduledPass, scope: CardScope | null): Promise<CardScope[]> {
  const { database } = lane.api;
  const now = lane.clock.now();
  const operationId = newId('op', now);
  await database.inWorkspace('default', (tx) =>
    beginPassRun(
      tx,
      {
        ...{ operationId, type, scope, day: '2026-03-03', dryRun: false, budget: null },
        ...{ versions: {}, workflowId: `night/${operationId}`, runId: operationId },
      },
      now,
    ),
  );
  const models = { words: 'fallback', vectors: 'none' };
  const { nextUnits } = createPassActivities({ database, clock: () => now, models });
  const input = { workspace: 'default', operation_id: operationId, after: null };
  const batch = (await new MockActivityEnvironment().run(() => nextUnits(input))) as UnitsBatch;
  return batch.units.map((unit) => unit.scope);
}

test.each(['consolidation', 'reflection'] as const)(
  'a %s makes nothing in the scope of an agent whose memory is off, even where it is named',
  async (type) => {
    expect(await scopesOf(type, null)).toEqual([agent('talker')]);
    expect(await scopesOf(type, agent('talker'))).toEqual([agent('talker')]);
    expect(await scopesOf(type, agent('quiet'))).toEqual([]);
  },
);

test('no note tells of a person whose memory is off', async () => {
  await lane.api.call('PUT', '/v1/subjects/ada', { body: { name: 'Ada' } });
  await calls('nurse', { subject: 'ada' });
  await lane.api.call('PUT', '/v1/subjects/ada', { body: { memory: 'off' } });
  const noted = () =>
    consolidateByHand(lane.api.database, 'default', agent('nurse'), lane.clock.now());
  expect(await noted()).toEqual([]);
  await lane.api.call('PUT', '/v1/subjects/ada', { body: { memory: 'on' } });
  expect(await noted()).toMatchObject([{ card_id: expect.stringMatching(/^card_/) }]);
});
