import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import { Client as PgClient } from 'pg';
import { TASK_QUEUES } from '../src/contracts/task-queues';
import { freePort } from '../src/embedded/free-port';
import type { retain } from '../src/workflows/retain';
import { CaptureLane } from './support/capture-lane';
import { describeNative } from './support/database';
import { DAY } from './support/filing';
import { batches, filed } from './support/night';
import { Program } from './support/program';
import { until } from './support/proposal-lane';
import { openedUnit } from './support/upkeep';

jest.setTimeout(300_000);

describeNative('a worker that is killed in the middle of a retention', () => {
  let lane: CaptureLane;
  let dataDir: string;
  let environment: Record<string, string>;
  const running: Program[] = [];
  beforeAll(async () => {
    lane = await CaptureLane.start('dev', () => new Date(Date.now() - 100 * DAY));
    dataDir = mkdtempSync(join(tmpdir(), 'cairn-retention-'));
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

  const worker = (): Program => {
    const program = Program.spawn(dataDir, environment, 'worker');
    running.push(program);
    return program;
  };

  /** Cards that were deleted a hundred days ago, and one that expired then: to be purged and archived. */
  async function aged(): Promise<string> {
    const workspace = await lane.workspace();
    const ids = await filed(lane, workspace, batches('old', [10, 20, 30]));
    await lane.rows(workspace, "UPDATE cards SET status = 'deleted' WHERE id <> $1", [ids[0]]);
    await lane.rows(
      workspace,
      "UPDATE cards SET expires_at = recorded_at + interval '1 day' WHERE id = $1",
      [ids[0]],
    );
    return workspace;
  }

  /** Holds a row; `stands` waits until a batch that wants it stands before it, its transaction open. */
  async function holding(
    row: string,
    meanwhile: (stands: () => Promise<void>) => Promise<unknown>,
  ): Promise<void> {
    const [lock, look] = [1, 2].map(() => new PgClient({ connectionString: lane.databaseUrl }));
    if (!lock || !look) throw new Error('two connections');
    await Promise.all([lock.connect(), look.connect()]);
    try {
      await lock.query('BEGIN');
      await lock.query(`${row} FOR UPDATE`);
      await meanwhile(() =>
        until(async () => {
          const { rows } = await look.query(
            `SELECT 1 FROM pg_stat_activity
              WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          );
          return rows.length > 0;
        }),
      );
    } finally {
      await Promise.all([lock.end(), look.end()]);
    }
  }

  it.each([
    [
      'purges, with most of a card gone',
      (workspace: string) =>
        `SELECT 1 FROM card_versions WHERE workspace_id = '${workspace}'
            AND card_id = (SELECT max(id) FROM cards WHERE workspace_id = '${workspace}' AND status = 'deleted')`,
    ],
    [
      'drops payloads',
      (workspace: string) => `SELECT 1 FROM events WHERE workspace_id = '${workspace}'`,
    ],
  ])('while it %s leaves no half state, and all is done once', async (_step, row) => {
    const workspace = await aged();
    const state = async () => [
      await lane.rows(
        workspace,
        'SELECT id, status, summary, version, purged_at FROM cards ORDER BY id',
      ),
      await lane.rows(workspace, 'SELECT card_id, version FROM card_versions ORDER BY 1, 2'),
      await lane.rows(workspace, 'SELECT card_id, term FROM card_terms ORDER BY 1, 2'),
      await lane.rows(workspace, 'SELECT event_id, payload FROM events ORDER BY 1'),
    ];
    const first = worker();
    const { workflow_id: workflowId, ...unit } = await openedUnit(
      lane.database,
      workspace,
      'retention',
      new Date(),
    );
    let before: unknown;
    let handle: WorkflowHandle<typeof retain> | undefined;
    await holding(row(workspace), async (stands) => {
      handle = await lane.env.client.workflow.start<typeof retain>('retain', {
        workflowId,
        taskQueue: TASK_QUEUES.workflows,
        args: [unit],
      });
      await stands();
      before = await state();
      await first.stop('SIGKILL');
    });
    expect(await state()).toEqual(before);

    worker();
    expect(await handle?.result()).toEqual({
      status: 'completed',
      stopped_by: null,
      counts: { archived: 1, purged: 2, payloads_dropped: 3 },
    });
    const audited = await lane.rows<{ action: string; n: number }>(
      workspace,
      "SELECT action, count(*)::int AS n FROM audit_log WHERE actor_kind = 'system' GROUP BY 1 ORDER BY 1",
    );
    expect(audited).toEqual([
      { action: 'card.archived', n: 1 },
      { action: 'card.purged', n: 2 },
      { action: 'event.payload_dropped', n: 1 },
    ]);
    await running.at(-1)?.stop('SIGKILL');
  });
});
