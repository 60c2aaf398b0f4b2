import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client as PgClient } from 'pg';
import { freePort } from '../src/embedded/free-port';
import { LANE_SECRET } from './support/capture-lane';
import { describeNative } from './support/database';
import { FanOutLane, until } from './support/fan-out-lane';
import { Program } from './support/program';

jest.setTimeout(300_000);

describeNative('a worker that ends in the middle of a pass', () => {
  let lane: FanOutLane;
  let dataDir: string;
  let environment: Record<string, string>;
  const running: Program[] = [];
  beforeAll(async () => {
    lane = await FanOutLane.start();
    dataDir = mkdtempSync(join(tmpdir(), 'cairn-pass-'));
    environment = {
      DATABASE_URL: lane.captures.databaseUrl,
      TEMPORAL_ADDRESS: lane.env.address,
      CAIRN_SECRET_KEY: LANE_SECRET,
      CAIRN_BOOTSTRAP_KEY: 'an-owner-key-of-this-test-that-is-long-enough',
      CAIRN_PORT: String(await freePort()),
      CAIRN_EMBEDDING_MODEL: 'none',
    };
  });
  afterEach(async () => {
    for (const { process, exited } of running) {
      if (process.exitCode !== null) continue;
      process.kill('SIGKILL');
      await exited;
    }
  });
  afterAll(async () => {
    await lane?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const worker = (): Program => {
    const program = Program.spawn(dataDir, environment, 'worker');
    running.push(program);
    return program;
  };

  /** Holds the table of a step: whoever takes a scope stands before it, with its transaction open. */
  async function holding(meanwhile: (letGo: () => Promise<void>) => Promise<void>): Promise<void> {
    const [lock, look] = [1, 2].map(
      () => new PgClient({ connectionString: lane.captures.databaseUrl }),
    );
    if (!lock || !look) throw new Error('two connections');
    await Promise.all([lock.connect(), look.connect()]);
    try {
      await lock.query('BEGIN');
      await lock.query('LOCK TABLE scope_leases IN SHARE MODE');
      await until(async () => {
        const { rows } = await look.query(
          `SELECT 1 FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return rows.length > 0;
      });
      await meanwhile(async () => {
        await lock.query('ROLLBACK');
      });
    } finally {
      await Promise.all([lock.end(), look.end()]);
    }
  }

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
    const first = worker();
    await holding(async () => {
      await first.stop('SIGKILL');
    });
    expect((await lane.run(workspace, run)).state).toBe('running');
    worker();
    await wholly(workspace, run);
  });

  it('by a signal finishes the step in hand, and no more', async () => {
    const workspace = await lane.workspace(3);
    const run = await lane.ask(workspace);
    await lane.send();
    const first = worker();
    await holding(async (letGo) => {
      first.process.kill('SIGTERM');
      await letGo();
      expect(await first.exited).toBe(0);
    });
    worker();
    await wholly(workspace, run);
  });
});
