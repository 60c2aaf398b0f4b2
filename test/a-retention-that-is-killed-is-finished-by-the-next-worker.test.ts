import type { WorkflowHandle } from '@temporalio/client';
import { TASK_QUEUES } from '../src/contracts/task-queues';
import type { retain } from '../src/workflows/retain';
import { CaptureLane } from './support/capture-lane';
import { describeNative } from './support/database';
import { DAY } from './support/filing';
import { KilledWorkers } from './support/killed-workers';
import { batches, filed } from './support/night';
import { openedUnit } from './support/upkeep';

jest.setTimeout(300_000);

describeNative('a worker that is killed in the middle of a retention', () => {
  let lane: CaptureLane;
  let workers: KilledWorkers;
  beforeAll(async () => {
    lane = await CaptureLane.start('dev', () => new Date(Date.now() - 100 * DAY));
    workers = await KilledWorkers.on(lane);
  });
  afterAll(async () => {
    workers?.stop();
    await lane?.stop();
  });

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
    const first = workers.start();
    const { workflow_id: workflowId, ...unit } = await openedUnit(
      lane.database,
      workspace,
      'retention',
      new Date(),
    );
    let before: unknown;
    let handle: WorkflowHandle<typeof retain> | undefined;
    await workers.whileHolding(`${row(workspace)} FOR UPDATE`, async (stands) => {
      handle = await lane.env.client.workflow.start<typeof retain>('retain', {
        workflowId,
        taskQueue: TASK_QUEUES.workflows,
        args: [unit],
      });
      await stands();
      before = await state();
      await workers.kill(first);
    });
    expect(await state()).toEqual(before);

    const second = workers.start();
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
    await workers.kill(second);
  });
});
