import { workflowStarter } from '../src/api/workflow-starter';
import type { SettledEvent } from '../src/contracts/event';
import type { EmbedResult } from '../src/contracts/messages';
import { TASK_QUEUES } from '../src/contracts/task-queues';
import { embedWorkflowId, passOperationId } from '../src/contracts/workflow-ids';
import type { EmbedRun, embed } from '../src/workflows/embed';
import { CaptureLane } from './support/capture-lane';
import { saveHistory } from './support/histories';
import { createSwitchableEmbedder } from './support/switchable-embedder';
import { until } from './support/until';

jest.setTimeout(60_000);

let lane: CaptureLane;
beforeAll(async () => {
  lane = await CaptureLane.start('dev');
});
afterAll(() => lane?.stop());

function observed(at: number, text: string): SettledEvent {
  return {
    event_id: `event-${at}`,
    kind: 'observation',
    agent: 'scout',
    outcome: 'neutral',
    occurred_at: `2026-03-0${at}T08:00:00Z`,
    text,
  };
}

const PAIR = [
  observed(1, 'The loading dock of the north warehouse closes at noon on Fridays.'),
  observed(2, 'The north warehouse closes its loading dock at noon on Fridays.'),
];

/** Cards that were filed while the embedder was down. */
async function withLateCards(
  work: (
    workspace: string,
    embedder: ReturnType<typeof createSwitchableEmbedder>,
    start: (more?: Partial<EmbedRun>) => ReturnType<typeof starting>,
  ) => Promise<void>,
): Promise<void> {
  const workspace = await lane.workspace();
  const embedder = createSwitchableEmbedder();
  await lane.working({ embedder, distiller: null }, async () => {
    embedder.down = true;
    for (const input of await lane.record(workspace, PAIR)) {
      await (await lane.startCapture(input)).result();
    }
    embedder.down = false;
    await work(workspace, embedder, (more = {}) => starting(workspace, more));
  });
}

async function starting(workspace: string, more: Partial<EmbedRun>) {
  return await lane.env.client.workflow.start<typeof embed>('embed', {
    workflowId: embedWorkflowId(workspace),
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    taskQueue: TASK_QUEUES.workflows,
    args: [{ workspace, ...more }],
  });
}

const runsOf = (workspace: string) =>
  lane.rows<Record<string, unknown>>(
    workspace,
    "SELECT id, state, counts, error, workflow_id FROM runs WHERE type = 'embed' ORDER BY created_at",
  );

describe('the pass that embeds late cards', () => {
  it('looks once more where it is started during its last batch', async () => {
    await withLateCards(async (workspace, embedder, start) => {
      const send = workflowStarter(lane.env.client, false);
      embedder.meanwhile = async () => {
        embedder.meanwhile = async () => undefined;
        await send({
          workspace_id: workspace,
          id: 1,
          action: 'start_embed',
          workflow_id: embedWorkflowId(workspace),
          arguments: { workspace },
          attempts: 1,
        });
      };
      const handle = await start();
      const result: EmbedResult = await handle.result();
      expect(result).toMatchObject({ embedded: 2, batches: 2 });
      await saveHistory('embed.asked-again', handle);
    });
  });

  it('is one row of the runs, however many runs of Temporal it takes', async () => {
    await withLateCards(async (workspace, _embedder, start) => {
      const handle = await start({ batches_a_run: 1 });
      await handle.result();
      expect(await runsOf(workspace)).toEqual([
        {
          id: passOperationId(handle.firstExecutionRunId),
          state: 'completed',
          counts: { embedded: 2, linked: 1, batches: 1 },
          error: null,
          workflow_id: embedWorkflowId(workspace),
        },
      ]);
    });
  });

  it('is seen as running while the embedder is down, and as lost where it was terminated', async () => {
    await withLateCards(async (workspace, embedder, start) => {
      embedder.down = true;
      const calls = embedder.calls;
      const lost = await start();
      await until('the embedder is asked', () => embedder.calls > calls);
      expect(await runsOf(workspace)).toMatchObject([{ state: 'running' }]);
      await lost.terminate();
      embedder.down = false;
      await (await start()).result();
      expect(await runsOf(workspace)).toMatchObject([
        { state: 'failed', error: 'lost' },
        { state: 'completed' },
      ]);
    });
  });

  it('leaves no row where nothing waited', async () => {
    const workspace = await lane.workspace();
    const models = { embedder: createSwitchableEmbedder(), distiller: null };
    const result = await lane.working(models, async () => (await starting(workspace, {})).result());
    expect(result).toEqual({ embedded: 0, linked: 0, batches: 1 });
    expect(await runsOf(workspace)).toEqual([]);
  });

  it('audits the edges that it adds, with its workflow', async () => {
    await withLateCards(async (workspace, _embedder, start) => {
      await (await start()).result();
      expect(
        await lane.rows(
          workspace,
          `SELECT action, actor_kind, channel, workflow_id, changed
             FROM audit_log WHERE action = 'card.linked'`,
        ),
      ).toEqual([
        {
          action: 'card.linked',
          actor_kind: 'system',
          channel: 'workflow',
          workflow_id: embedWorkflowId(workspace),
          changed: ['edges'],
        },
      ]);
    });
  });
});
