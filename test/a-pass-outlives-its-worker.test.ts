import { describeNative } from './support/database';
import { FanOutLane } from './support/fan-out-lane';
import { KilledWorkers } from './support/killed-workers';

jest.setTimeout(300_000);

describeNative('a worker that ends in the middle of a pass', () => {
  let lane: FanOutLane;
  let workers: KilledWorkers;
  beforeAll(async () => {
    lane = await FanOutLane.start();
    workers = await KilledWorkers.on(lane.captures);
  });
  afterEach(() => workers?.killAll());
  afterAll(async () => {
    workers?.stop();
    await lane?.stop();
  });

  /** Whoever takes a scope stands before it, with its transaction open. */
  const SCOPES = 'LOCK TABLE scope_leases IN SHARE MODE';

  const wholly = async (workspace: string, run: string) => {
    expect(await lane.handle(workspace, run).result()).toMatchObject({
      status: 'completed',
      units: 3,
      named: [],
    });
    expect(await lane.run(workspace, run)).toMatchObject({ state: 'completed', error: null });
    const units = await lane.units(workspace, run);
    expect(units.map(({ state, number }) => [state, number])).toEqual(
      Array(3).fill(['completed', 1]),
    );
    expect(await lane.leases(workspace)).toEqual([]);
  };

  it('by a kill leaves nothing half done: the next one goes on from there', async () => {
    const workspace = await lane.workspace(3);
    const run = await lane.ask(workspace);
    await lane.send();
    await workers.killedBefore(SCOPES);
    expect((await lane.run(workspace, run)).state).toBe('running');
    workers.start();
    await wholly(workspace, run);
  });

  it('by a signal finishes the step in hand, and no more', async () => {
    const workspace = await lane.workspace(3);
    const run = await lane.ask(workspace);
    await lane.send();
    const first = workers.start();
    await workers.whileHolding(SCOPES, async (stands, letGo) => {
      await stands();
      first.process.kill('SIGTERM');
      await letGo();
      expect(await first.exited).toBe(0);
    });
    workers.start();
    await wholly(workspace, run);
  });
});
