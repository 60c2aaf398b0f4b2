import { MockActivityEnvironment } from '@temporalio/testing';
import { createSweepActivities } from '../src/activities/sweep';
import type { SweepBatch } from '../src/contracts/messages';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { CompactionLane, chatter } from './support/compaction-lane';

let lane: CompactionLane;
beforeAll(async () => {
  lane = await CompactionLane.start();
  await lane.policy({ conversations: { ceiling_tokens: 600, keep_recent: 4 } });
});
afterAll(() => lane.stop());

const MINUTES = 60_000;

/** @param later minutes from now */
async function swept(later: number): Promise<SweepBatch> {
  const { sweepWorkspaces } = createSweepActivities({
    database: lane.captures.database,
    clock: () => new Date(Date.now() + later * MINUTES),
    embedder: createHashedEmbedder(),
    hasModel: false,
  });
  const run = () => sweepWorkspaces({ after: '' });
  return (await new MockActivityEnvironment().run(run)) as SweepBatch;
}

/** The start went out, and whoever took it lost it. */
const loseStarts = () => lane.rows("DELETE FROM outbox WHERE action = 'start_compaction'");

test('a compaction whose workflow is gone is started again, under its number, and once', async () => {
  const talk = await lane.talk('lost');
  await lane.tell(talk, chatter(40));
  await loseStarts();
  expect((await swept(5)).compactions).toBe(0);
  expect((await swept(20)).compactions).toBe(1);
  expect((await swept(21)).compactions).toBe(0);
  await lane.rows("UPDATE outbox SET next_at = now() WHERE action = 'start_compaction'");
  expect(await lane.drain()).toMatchObject([{ n: 1, through: 36 }]);
  expect((await swept(60)).compactions).toBe(0);
});

test('a conversation that an ended compaction never let go of may have another one', async () => {
  const talk = await lane.talk('held');
  await lane.tell(talk, chatter(40));
  await loseStarts();
  await lane.rows(
    "UPDATE runs SET state = 'failed', error = 'lost' WHERE workflow_id = 'compact/default/held/1'",
  );
  expect((await swept(20)).compactions).toBe(0);
  await talk.say(['user', 'Go on.']);
  expect(await lane.drain()).toMatchObject([{ n: 2, through: 37 }]);
});
