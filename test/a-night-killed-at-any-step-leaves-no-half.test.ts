import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client as PgClient } from 'pg';
import { freePort } from '../src/embedded/free-port';
import { CaptureLane } from './support/capture-lane';
import { describeNative } from './support/database';
import {
  batches,
  cardsOf,
  changesOf,
  expectNoHalfState,
  filed,
  notesOf,
  startNight,
} from './support/night';
import { Program } from './support/program';
import { until } from './support/proposal-lane';

jest.setTimeout(600_000);

describeNative('a worker that is killed in the middle of a night', () => {
  let lane: CaptureLane;
  let dataDir: string;
  let environment: Record<string, string>;
  const running: Program[] = [];
  beforeAll(async () => {
    lane = await CaptureLane.start('dev');
    dataDir = mkdtempSync(join(tmpdir(), 'cairn-night-'));
    environment = {
      DATABASE_URL: lane.databaseUrl,
      TEMPORAL_ADDRESS: lane.env.address,
      CAIRN_SECRET_KEY: 'a secret key of the tests, of at least 32 characters',
      CAIRN_BOOTSTRAP_KEY: 'an-owner-key-of-this-test-that-is-long-enough',
      CAIRN_PORT: String(await freePort()),
      CAIRN_EMBEDDING_MODEL: 'none',
    };
  });
  afterAll(async () => {
    for (const { process } of running) if (process.exitCode === null) process.kill('SIGKILL');
    await lane?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** Starts a worker before a lock, waits until a step of its stands there, and kills it. */
  async function killedBefore(lock: string): Promise<void> {
    const [holder, look] = [1, 2].map(() => new PgClient({ connectionString: lane.databaseUrl }));
    if (!holder || !look) throw new Error('two connections');
    await Promise.all([holder.connect(), look.connect()]);
    try {
      await holder.query('BEGIN');
      await holder.query(lock);
      const worker = Program.spawn(dataDir, environment, 'worker');
      running.push(worker);
      await until(async () => {
        const { rows } = await look.query(
          `SELECT 1 FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return rows.length > 0;
      });
      await worker.stop('SIGKILL');
    } finally {
      await Promise.all([holder.end(), look.end()]);
    }
  }

  test('leaves all of a step or nothing, and the night is done once', async () => {
    const workspace = await lane.workspace();
    const ids = await filed(lane, workspace, batches('ada', [10, 20, 30, 40, 50]));
    const before = await cardsOf(lane, workspace);
    const started = await startNight(lane, workspace);

    await killedBefore('LOCK TABLE run_drafts IN ACCESS EXCLUSIVE MODE');
    expect(await lane.rows(workspace, 'SELECT part FROM run_drafts')).toEqual([]);
    expect(await cardsOf(lane, workspace)).toEqual(before);

    await killedBefore(`SELECT 1 FROM cards WHERE id = '${ids[2]}' FOR UPDATE`);
    expect(
      await lane.rows(workspace, "SELECT part FROM run_drafts WHERE part LIKE 'part/%'"),
    ).toHaveLength(1);
    expect(await cardsOf(lane, workspace)).toEqual(before);

    await killedBefore('SELECT 1 FROM runs WHERE parent_id IS NOT NULL FOR NO KEY UPDATE');
    expect(await notesOf(lane, workspace)).toHaveLength(1);
    await expectNoHalfState(lane, workspace);

    running.push(Program.spawn(dataDir, environment, 'worker'));
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
