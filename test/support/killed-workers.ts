import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client as PgClient } from 'pg';
import { freePort } from '../../src/embedded/free-port';
import { Program } from './program';
import { until } from './proposal-lane';

/** What its workers key their hashes with. */
export const WORKERS_SECRET = 'a secret key of the tests, of at least 32 characters';

/** What a killed worker had in hand is tried again once its heartbeats were missed for a minute. */
const UNTIL_TRIED_AGAIN_MS = 150_000;

/** Where its workers find Postgres and Temporal. */
interface Lane {
  databaseUrl: string;
  env: { address: string };
}

/** `cairn worker` as processes of their own, on a lane, to be killed while a step of theirs stands before a lock. */
export class KilledWorkers {
  private readonly running: Program[] = [];

  private constructor(
    private readonly lane: Lane,
    private readonly dataDir: string,
    private readonly environment: Record<string, string>,
  ) {}

  static async on(lane: Lane): Promise<KilledWorkers> {
    return new KilledWorkers(lane, mkdtempSync(join(tmpdir(), 'cairn-killed-')), {
      DATABASE_URL: lane.databaseUrl,
      TEMPORAL_ADDRESS: lane.env.address,
      CAIRN_SECRET_KEY: WORKERS_SECRET,
      CAIRN_BOOTSTRAP_KEY: 'an-owner-key-of-this-test-that-is-long-enough',
      CAIRN_PORT: String(await freePort()),
      CAIRN_EMBEDDING_MODEL: 'none',
    });
  }

  start(): Program {
    const program = Program.spawn(this.dataDir, this.environment, 'worker');
    this.running.push(program);
    return program;
  }

  /**
   * Starts a worker before a lock, waits until a step of its stands there, and kills it.
   * @param lock of what that step alone writes: on `audit_log` the sealing of the minute would stand there first
   */
  async killedBefore(lock: string): Promise<void> {
    await this.whileHolding(lock, async (stands) => {
      const worker = this.start();
      await stands();
      await worker.stop('SIGKILL');
    });
  }

  /** Kills what is left of them. */
  stop(): void {
    for (const { process } of this.running) if (process.exitCode === null) process.kill('SIGKILL');
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  /**
   * Holds a lock for as long as `meanwhile` takes.
   * @param meanwhile is given a wait until a step stands before a lock, its transaction open
   */
  async whileHolding(
    lock: string,
    meanwhile: (stands: () => Promise<void>) => Promise<unknown>,
    values: readonly unknown[] = [],
  ): Promise<void> {
    const [holder, look] = [1, 2].map(
      () => new PgClient({ connectionString: this.lane.databaseUrl }),
    );
    if (!holder || !look) throw new Error('two connections');
    await Promise.all([holder.connect(), look.connect()]);
    try {
      const pid = (await holder.query('SELECT pg_backend_pid() AS pid')).rows[0].pid;
      await holder.query('BEGIN');
      await holder.query(lock, [...values]);
      await meanwhile(() =>
        until(async () => {
          const { rows } = await look.query(
            `SELECT 1 FROM pg_stat_activity
              WHERE datname = current_database() AND $1 = ANY (pg_blocking_pids(pid))`,
            [pid],
          );
          return rows.length > 0;
        }, UNTIL_TRIED_AGAIN_MS),
      );
    } finally {
      await Promise.all([holder.end(), look.end()]);
    }
  }
}
