import { MockActivityEnvironment } from '@temporalio/testing';
import { createSweepActivities } from '../src/activities/sweep';
import { workflowStarter } from '../src/api/workflow-starter';
import type { PassRequest } from '../src/contracts/passes';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { insertCard } from '../src/store/card-writes';
import { leaseOutbox, removeSent } from '../src/store/outbox';
import { CaptureLane } from './support/capture-lane';
import { plainCard } from './support/plain-card';
import { reflected, setPolicy } from './support/reflecting';

jest.setTimeout(120_000);

const HOUR_MS = 3_600_000;
let lane: CaptureLane;
beforeAll(async () => {
  lane = await CaptureLane.start('dev');
});
afterAll(async () => {
  await lane?.stop();
});

/** So many calls of an agent, the last of them so many hours ago. */
async function calls(workspace: string, agent: string, count: number, hoursAgo: number) {
  await lane.database.inWorkspace(workspace, async (tx) => {
    for (let n = 0; n < count; n += 1) {
      const at = new Date(Date.now() - hoursAgo * HOUR_MS - (count - n) * 1_000);
      const hints = { service: 'mailer', operation: 'send', task_type: null, workflow: null };
      const card = plainCard(`Sent mail ${n} of ${agent}.`, at, {
        kind: 'experience',
        sign: 'worked',
        agent,
        scope: { type: 'agent', id: agent },
        hints: { ...hints, step: null, keywords: [], error_signature: null, error_family: null },
      });
      await insertCard(tx, card, null, []);
    }
  });
}

async function sweep(): Promise<void> {
  const { sweepWorkspaces } = createSweepActivities({
    database: lane.database,
    clock: () => new Date(),
    embedder: createHashedEmbedder(),
    hasModel: false,
  });
  const counts = await new MockActivityEnvironment().run(() => sweepWorkspaces({ after: '' }));
  expect(counts).toMatchObject({ failed: 0 });
}

const started = async (workspace: string) => {
  const rows = await lane.rows<{ arguments: PassRequest }>(
    workspace,
    "SELECT arguments FROM outbox WHERE action = 'start_pass' ORDER BY id",
  );
  return rows.map(({ arguments: { type, scope } }) => `${type} ${scope?.type} ${scope?.id}`);
};

test('a scope in which enough was filed and nothing for a while is reflected on, once, and no other is', async () => {
  const workspace = await lane.workspace();
  await calls(workspace, 'quiet', 20, 7);
  await calls(workspace, 'busy', 20, 5);
  await calls(workspace, 'small', 19, 7);
  await sweep();
  expect(await started(workspace)).toEqual(['reflection agent quiet']);
  await sweep();
  expect(await started(workspace)).toHaveLength(1);
});

test('what was started runs, and what was looked at starts nothing again', async () => {
  const workspace = await lane.workspace();
  await calls(workspace, 'quiet', 20, 7);
  await sweep();
  const send = workflowStarter(lane.env.client, false);
  await lane.working({ embedder: createHashedEmbedder(), distiller: null }, async () => {
    const items = await lane.database.acrossWorkspaces((tx) =>
      leaseOutbox(tx, new Date(), 60_000, 100),
    );
    for (const item of items.filter((one) => one.workspace_id === workspace)) {
      await send(item);
      await lane.env.client.workflow.getHandle(item.workflow_id).result();
      await lane.database.acrossWorkspaces((tx) => removeSent(tx, [item.id]));
    }
  });
  const runs = await lane.rows<{ scope_id: string; state: string }>(
    workspace,
    "SELECT scope_id, state FROM runs WHERE type = 'reflection' AND parent_id IS NOT NULL",
  );
  expect(runs).toEqual([{ scope_id: 'quiet', state: 'completed' }]);
  await lane.rows(workspace, 'UPDATE reflected_scopes SET quiet_at = NULL');
  await sweep();
  expect(await started(workspace)).toEqual([]);

  await calls(workspace, 'quiet', 20, 6.5);
  await sweep();
  expect(await started(workspace)).toEqual(['reflection agent quiet']);
});

test('a reflection by night counts too', async () => {
  const workspace = await lane.workspace();
  await calls(workspace, 'quiet', 20, 7);
  await reflected(lane, workspace);
  await sweep();
  expect(await started(workspace)).toEqual([]);
});

test('nothing is started where the policy pauses reflections, or the workspace has no memory', async () => {
  const workspace = await lane.workspace();
  await calls(workspace, 'quiet', 20, 7);
  await setPolicy(lane, workspace, { reflection: { paused: true } });
  await sweep();
  expect(await started(workspace)).toEqual([]);
  await setPolicy(lane, workspace, { reflection: { paused: false } });
  await lane.rows(workspace, "UPDATE workspaces SET memory_mode = 'off'");
  await sweep();
  expect(await started(workspace)).toEqual([]);
  await lane.rows(workspace, "UPDATE workspaces SET memory_mode = 'automatic'");
  await setPolicy(lane, workspace, { reflection: { quiet: 'P1D' } });
  await sweep();
  expect(await started(workspace)).toEqual([]);
});
