import { CompactionLane, chatter } from './support/compaction-lane';
import { describeNative } from './support/database';
import { KilledWorkers } from './support/killed-workers';

jest.setTimeout(600_000);

describeNative('a worker that is killed in the middle of a compaction', () => {
  let lane: CompactionLane;
  let workers: KilledWorkers;
  beforeAll(async () => {
    lane = await CompactionLane.start('dev');
    workers = await KilledWorkers.on(lane.captures);
    await lane.policy({
      conversations: { ceiling_tokens: 600, summary_tokens: 400, keep_recent: 4 },
    });
  });
  afterAll(async () => {
    workers?.stop();
    await lane?.stop();
  });

  const counted = async () => {
    const [row] = await lane.rows(
      `SELECT (SELECT count(*)::int FROM conversation_details WHERE in_summary) > 0 AS told,
              (SELECT count(*)::int FROM cards c WHERE c.kind = 'knowledge') AS facts,
              (SELECT count(*)::int FROM run_changes) AS changes,
              (SELECT count(*)::int FROM runs WHERE type = 'compaction' AND state = 'completed') AS completed`,
    );
    return row;
  };

  test('leaves all of a step or nothing, and the conversation is worked on once', async () => {
    const talk = await lane.talk('killed', { subject: 'ann' });
    await lane.tell(talk, [
      ...chatter(40),
      { role: 'user', content: 'I hate orange and I live in Bergen.' },
      { role: 'assistant', content: 'Noted.' },
    ]);
    const [handle] = [...(await lane.send()).values()];
    if (handle === undefined) throw new Error('nothing was started');
    const nothing = { told: false, facts: 0, changes: 0, completed: 0 };

    await workers.killedBefore("SELECT 1 FROM runs WHERE type = 'compaction' FOR UPDATE");
    expect(await counted()).toEqual(nothing);

    await workers.killedBefore('SELECT 1 FROM conversation_details WHERE n = 1 FOR UPDATE');
    expect(await lane.conversation('killed')).toMatchObject({ summary: null, summary_version: 0 });
    expect(await counted()).toEqual(nothing);

    await workers.killedBefore('LOCK TABLE run_changes IN ACCESS EXCLUSIVE MODE');
    expect(await lane.conversation('killed')).toMatchObject({
      summary_version: 1,
      facts_through: 0,
    });
    expect(await counted()).toEqual({ ...nothing, told: true });

    workers.start();
    expect(await handle.result()).toMatchObject({
      ...{ from: 0, through: 38, written_by: 'fallback' },
      facts: { found: 2, filed: 2, known: 0 },
    });
    expect(await counted()).toEqual({ told: true, facts: 2, changes: 2, completed: 1 });
    expect(await lane.conversation('killed')).toMatchObject({
      ...{ summary_version: 1, summarized_through: 38, facts_through: 42, compacting: null },
    });
  });
});
