import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import type { Captured } from '../src/adapters/temporal/workflow/memory';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import type { CaptureLane, LaneModels } from './support/capture-lane';
import { describeNative } from './support/database';
import { saveHistory } from './support/histories';
import { historyText } from './support/history-text';
import {
  asRuntime,
  runtimeActivities,
  runtimeBundle,
  startAgent,
  startRuntimeLane,
} from './support/native/runtime-lane';
import { email } from './support/secret-strings';
import { workflowBundlePath } from './support/temporal';

jest.setTimeout(120_000);

const models: LaneModels = { embedder: createHashedEmbedder(), distiller: null };
const PLANTED = 'PLANTED in the work of a runtime';
const call = (text: string) => ({
  kind: 'service_call' as const,
  service: 'mailer',
  operation: 'send_bulk',
  outcome: 'failed' as const,
  input: { recipients: 1200 },
  error: text,
});

interface CardRow {
  event_id: string;
  summary: string;
  session: string | null;
}

describeNative('a workflow of a runtime', () => {
  let lane: CaptureLane;
  beforeAll(async () => {
    lane = await startRuntimeLane('dev');
  });
  afterAll(() => lane.stop());

  const cards = (workspace: string) =>
    lane.rows<CardRow>(
      workspace,
      "SELECT c.event_id, c.summary, e.payload ->> 'session' AS session FROM cards c JOIN events e USING (workspace_id, event_id) ORDER BY c.event_id",
    );

  const started = (type: string, workflowId: string, args: unknown[]): Promise<WorkflowHandle> =>
    startAgent(lane.env.client, type, args, workflowId);

  it('has the card of each event, whose capture was its child, and both replay', async () => {
    const workspace = await lane.workspace();
    const cairn = await runtimeActivities(lane, workspace);
    const workflowId = `agent-${randomUUID()}`;
    const texts = [`${PLANTED}: at most 500 recipients a call`, 'the mailer is closed on Sundays'];
    const { captured, parent } = await lane.working(models, () =>
      asRuntime(lane.env, cairn, async () => {
        const handle = await started('reportsAll', workflowId, [
          { agent: 'herald' },
          texts.map(call),
        ]);
        const captured = await handle.result();
        await saveHistory('runtime/reportsAll.as-children', handle);
        return { captured, parent: await handle.fetchHistory() };
      }),
    );
    expect(captured).toEqual([
      expect.objectContaining({ disposition: 'carded', kind: 'constraint', sign: 'failed' }),
      expect.objectContaining({ disposition: 'carded', kind: 'constraint', sign: 'failed' }),
    ]);
    const run = parent.events?.[0]?.workflowExecutionStartedEventAttributes?.firstExecutionRunId;
    const ids = [1, 2].map((n) => `${workflowId}/${run?.slice(0, 8)}/${n}`);
    expect(captured.map(({ event_id }: Captured) => event_id)).toEqual(ids);
    expect(await cards(workspace)).toEqual(
      ids.map((event_id) => expect.objectContaining({ event_id, session: workflowId })),
    );
    await Worker.runReplayHistory(
      { workflowBundle: { codePath: await runtimeBundle() } },
      parent,
      workflowId,
    );
    for (const { workflow_id } of captured) {
      const child = lane.env.client.workflow.getHandle(workflow_id);
      const history = await child.fetchHistory();
      const began = history.events?.[0]?.workflowExecutionStartedEventAttributes;
      expect(began?.parentWorkflowExecution?.workflowId).toBe(workflowId);
      expect(historyText(history)).not.toContain('PLANTED');
      await Worker.runReplayHistory(
        { workflowBundle: { codePath: workflowBundlePath() } },
        history,
        workflow_id,
      );
    }
    // What the workflow passes itself stands in its own history, as the page says.
    expect(historyText(parent)).toContain(PLANTED);
  });

  it('keeps what it reports by reference out of its history', async () => {
    const workspace = await lane.workspace();
    const cairn = await runtimeActivities(lane, workspace, {
      loaders: { call: ({ call_id }) => call(`${PLANTED} ${call_id}, said by ${email()}`) },
    });
    const { captured, parent } = await lane.working(models, () =>
      asRuntime(lane.env, cairn, async () => {
        const handle = await started('reportsByReference', `agent-${randomUUID()}`, [
          { agent: 'herald' },
          'call',
          { call_id: 'c-17' },
        ]);
        const captured = await handle.result();
        await saveHistory('runtime/reportsByReference.by-reference', handle);
        return { captured, parent: await handle.fetchHistory() };
      }),
    );
    expect(captured.disposition).toBe('carded');
    const text = historyText(parent);
    expect(text).toContain('c-17');
    expect(text).not.toContain('PLANTED');
    const [card] = await cards(workspace);
    expect(card?.summary).toContain('c-17');
    expect(card?.summary).not.toContain(email());
  });

  it('counts anew in each run, and each run has its own events', async () => {
    const workspace = await lane.workspace();
    const cairn = await runtimeActivities(lane, workspace);
    await lane.working(models, () =>
      asRuntime(lane.env, cairn, async () => {
        const id = `agent-${randomUUID()}`;
        const handle = await started('goesOn', id, [{ agent: 'herald' }, 3]);
        await handle.result();
      }),
    );
    const events = await lane.rows<{ event_id: string }>(workspace, 'SELECT event_id FROM events');
    expect(events).toHaveLength(3);
    expect(events.every(({ event_id }) => event_id.endsWith('/1'))).toBe(true);
  });

  it('may have an id that no event could have', async () => {
    const workspace = await lane.workspace();
    const cairn = await runtimeActivities(lane, workspace);
    const workflowId = `Бриф ${'x'.repeat(240)}`;
    const [captured] = await lane.working<Captured[]>(models, () =>
      asRuntime(lane.env, cairn, async () => {
        const handle = await started('reportsAll', workflowId, [
          { agent: 'herald' },
          [call('the brief was too long')],
        ]);
        return await handle.result();
      }),
    );
    expect(captured?.disposition).toBe('carded');
    expect(captured?.event_id).toMatch(/^w-[0-9a-f]{32}\/[0-9a-f]{8}\/1$/);
  });
});
