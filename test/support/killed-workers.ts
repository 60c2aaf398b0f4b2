import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { Client as PgClient } from 'pg';
import { freePort } from '../../src/embedded/free-port';
import { Program } from './program';
import { until } from './until';

/** What its workers key their hashes with. */
export const WORKERS_SECRET = 'a secret key of the tests, of at least 32 characters';

/** A step whose worker was killed just before may have to be missed for a minute, where Temporal was not told. */
const UNTIL_TRIED_AGAIN_MS = 150_000;

const { PENDING_ACTIVITY_STATE_STARTED } = temporal.api.enums.v1.PendingActivityState;

/** Where its workers find Postgres and Temporal. */
interface Lane {
  databaseUrl: string;
  env: { address: string; client: Client };
}

/**
 * `cairn worker` as processes of their own, on a lane, to be killed while a step of theirs stands before a lock.
 *
 * Temporal is told at once of what a killed one had in hand, as the attempt that it would otherwise count as
 * failed when the heartbeats have been missed for half a minute. That it finds out by itself is shown by
 * `reembed-goes-on-after-a-kill` and the two `faults-…`.
 */
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

  /** Ends it as a machine that loses its power, and Temporal hears of it. */
  async kill(worker: Program): Promise<void> {
    await worker.stop('SIGKILL');
    await givenUp(this.lane.env.client);
  }

  /**
   * Starts a worker before a lock, waits until a step of its stands there, and kills it.
   * @param lock of what that step alone writes: on `audit_log` the sealing of the minute would stand there first
   */
  async killedBefore(lock: string): Promise<void> {
    await this.whileHolding(lock, async (stands) => {
      const worker = this.start();
      await stands();
      await this.kill(worker);
    });
  }

  /** Kills what is left of them, and waits until they are gone. */
  async killAll(): Promise<void> {
    await Promise.all(this.running.splice(0).map((worker) => worker.stop('SIGKILL')));
  }

  /** Kills them without a wait, once the last test is over. */
  stop(): void {
    for (const { process } of this.running) process.kill('SIGKILL');
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  /**
   * Holds a lock for as long as `meanwhile` takes.
   * @param meanwhile is given a wait until a step stands before it, its transaction open, and a way to let go earlier
   */
  async whileHolding(
    lock: string,
    meanwhile: (stands: () => Promise<unknown>, letGo: () => Promise<unknown>) => Promise<unknown>,
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
      const stands = () =>
        until(
          `a step stands before ${lock}`,
          async () => {
            const { rows } = await look.query(
              `SELECT 1 FROM pg_stat_activity
                WHERE datname = current_database() AND $1 = ANY (pg_blocking_pids(pid))`,
              [pid],
            );
            return rows.length > 0;
          },
          { within: UNTIL_TRIED_AGAIN_MS },
        );
      await meanwhile(stands, () => holder.query('ROLLBACK'));
    } finally {
      await Promise.all([holder.end(), look.end()]);
    }
  }
}

/**
 * Tells Temporal that nobody works any more on any step that somebody had in hand: each is tried again as after
 * heartbeats that did not come, and its workflow goes to whoever asks next. For when no worker is left alive.
 */
export async function givenUp(client: Client): Promise<void> {
  const { workflow, activity, workflowService, options } = client;
  for await (const { workflowId, runId } of workflow.list({
    query: "ExecutionStatus = 'Running'",
  })) {
    const { raw } = await workflow.getHandle(workflowId, runId).describe();
    for (const { activityId, state } of raw.pendingActivities ?? []) {
      if (state !== PENDING_ACTIVITY_STATE_STARTED || !activityId) continue;
      await activity.fail({ workflowId, runId, activityId }, new Error('its worker was killed'));
    }
    await workflowService.resetStickyTaskQueue({
      namespace: options.namespace,
      execution: { workflowId, runId },
    });
  }
}
