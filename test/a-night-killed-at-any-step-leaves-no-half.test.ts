import { CaptureLane } from './support/capture-lane';
import { describeNative } from './support/database';
import { KilledWorkers } from './support/killed-workers';
import {
  batches,
  cardsOf,
  changesOf,
  expectNoHalfState,
  filed,
  notesOf,
  startNight,
} from './support/night';

jest.setTimeout(600_000);

describeNative('a worker that is killed in the middle of a night', () => {
  let lane: CaptureLane;
  let workers: KilledWorkers;
  beforeAll(async () => {
    lane = await CaptureLane.start('dev');
    workers = await KilledWorkers.on(lane);
  });
  afterAll(async () => {
    workers?.stop();
    await lane?.stop();
  });

  test('leaves all of a step or nothing, and the night is done once', async () => {
    const workspace = await lane.workspace();
    const ids = await filed(lane, workspace, batches('ada', [10, 20, 30, 40, 50]));
    const before = await cardsOf(lane, workspace);
    const started = await startNight(lane, workspace);

    await workers.killedBefore('LOCK TABLE run_drafts IN ACCESS EXCLUSIVE MODE');
    expect(await lane.rows(workspace, 'SELECT part FROM run_drafts')).toEqual([]);
    expect(await cardsOf(lane, workspace)).toEqual(before);

    await workers.killedBefore(`SELECT 1 FROM cards WHERE id = '${ids[2]}' FOR UPDATE`);
    expect(
      await lane.rows(workspace, "SELECT part FROM run_drafts WHERE part LIKE 'part/%'"),
    ).toHaveLength(1);
    expect(await cardsOf(lane, workspace)).toEqual(before);

    await workers.killedBefore('SELECT 1 FROM runs WHERE parent_id IS NOT NULL FOR NO KEY UPDATE');
    expect(await notesOf(lane, workspace)).toHaveLength(1);
    await expectNoHalfState(lane, workspace);

    workers.start();
    expect(await started.result()).toMatchObject({
      status: 'completed',
      counts: { notes: 1, retired: 5 },
    });
    expect(await notesOf(lane, workspace)).toHaveLength(1);
    const changes = (await changesOf(lane, workspace)).map(({ change }) => change).sort();
    expect(changes).toEqual(['created', ...ids.map(() => 'retired')]);
    await expectNoHalfState(lane, workspace);
  });
});
