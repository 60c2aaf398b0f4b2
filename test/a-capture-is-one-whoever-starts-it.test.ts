import { Client, type WorkflowHandle } from '@temporalio/client';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { type CairnActivities, createRecordEvent } from '../src/adapters/temporal/activities';
import type { WorkflowEvent } from '../src/adapters/temporal/workflow/memory';
import type { CaptureInput } from '../src/contracts/messages';
import type { RuntimeMemoryActivities } from '../src/contracts/runtime-memory';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { type CaptureLane, LANE_SECRET, type LaneModels } from './support/capture-lane';
import { describeNative } from './support/database';
import { saveHistory } from './support/histories';
import { historyText } from './support/history-text';
import {
  asRuntime,
  keyFor,
  runtimeActivities,
  startAgent,
  startRuntimeLane,
} from './support/native/runtime-lane';
import { startOutbox } from './support/outbox';
import { until } from './support/proposal-lane';

jest.setTimeout(120_000);

const models: LaneModels = { embedder: createHashedEmbedder(), distiller: null };
const {
  EVENT_TYPE_START_CHILD_WORKFLOW_EXECUTION_INITIATED: CHILD_ASKED_FOR,
  EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_STARTED: CHILD_STARTED,
} = temporal.api.enums.v1.EventType;
const EVENT: WorkflowEvent = {
  kind: 'service_call',
  service: 'mailer',
  operation: 'send_bulk',
  outcome: 'failed',
  input: { recipients: 1200 },
  error: 'at most 500 recipients a call',
};

/** Stands for a runtime's own encryption. */
const MIRROR: PayloadCodec = {
  encode: async (payloads) => payloads.map(mirrored),
  decode: async (payloads) => payloads.map(mirrored),
};

function mirrored({ data, ...payload }: Payload): Payload {
  return data == null ? payload : { ...payload, data: Uint8Array.from(data).reverse() };
}

describeNative('a capture that a workflow of a runtime asks for', () => {
  let lane: CaptureLane;
  let workspace: string;
  let cairn: CairnActivities;
  beforeAll(async () => {
    lane = await startRuntimeLane('dev');
  });
  afterAll(() => lane.stop());
  beforeEach(async () => {
    workspace = await lane.workspace();
    cairn = await runtimeActivities(lane, workspace);
  });

  const start = (type: string, args: unknown[]) => startAgent(lane.env.client, type, args);

  const oneCard = async () => {
    const [row] = await lane.rows(workspace, 'SELECT count(*)::int AS count FROM cards');
    expect(row).toEqual({ count: 1 });
  };
  const childStarted = (parent: WorkflowHandle) =>
    until(async () => {
      const { events = [] } = await parent.fetchHistory();
      return (events ?? []).some(({ eventType }) => eventType === CHILD_STARTED);
    });

  /** As the outbox would, whose turn it is not yet. */
  const startFirst = (event: CaptureInput & { workflow_id: string }) =>
    lane.env.client.workflow.start('capture', {
      workflowId: event.workflow_id,
      taskQueue: 'cairn-workflows',
      args: [event],
    });

  /** The activities, with something that happens between the commit and the answer. */
  function meanwhile(
    happens: (event: CaptureInput & { workflow_id: string }) => Promise<unknown>,
  ): Partial<RuntimeMemoryActivities> {
    return {
      cairnRecordEvent: async (input) => {
        const event = await cairn.cairnRecordEvent(input);
        await happens(event);
        return event;
      },
    };
  }

  it('is a child that the workflow starts by itself, after the activity alone', async () => {
    const key = await keyFor(lane, workspace, { kind: 'runtime', id: 'harness' });
    const { recordEvent, close } = createRecordEvent({
      ...{ databaseUrl: lane.databaseUrl, secretKey: LANE_SECRET, key },
    });
    const event = {
      ...{ ...EVENT, event_id: 'by-hand', agent: 'herald' },
      occurred_at: '2026-03-02T08:24:15Z',
    };
    const result = await lane.working(models, () =>
      asRuntime(lane.env, cairn, async () => (await start('reportsByHand', [event])).result(), {
        activities: { recordEvent },
      }),
    );
    await close();
    expect(result).toMatchObject({ event_id: 'by-hand', disposition: 'carded', sign: 'failed' });
    await oneCard();
  });

  it.each([
    ['runs', startFirst],
    [
      'has ended',
      async (event: CaptureInput & { workflow_id: string }) => {
        await (await startFirst(event)).result();
      },
    ],
  ] as const)('is waited for where another start of it %s', async (_how, happens) => {
    const { captured, history } = await lane.working(models, () =>
      asRuntime(
        lane.env,
        cairn,
        async () => {
          const handle = await start('reportsOne', [{ agent: 'herald' }, EVENT]);
          const captured = await handle.result();
          await saveHistory('runtime/reportsOne.started-before', handle);
          return { captured, history: await handle.fetchHistory() };
        },
        { activities: meanwhile(happens) },
      ),
    );
    expect(captured).toMatchObject({ disposition: 'carded', kind: 'constraint', sign: 'failed' });
    const types = history.events?.map(({ eventType }) => eventType) ?? [];
    expect(types).toContain(CHILD_ASKED_FOR);
    expect(types).not.toContain(CHILD_STARTED);
    await oneCard();
  });

  async function sending<T>(work: () => Promise<T>): Promise<T> {
    const sender = startOutbox(lane.database, lane.env.client);
    try {
      return await work();
    } finally {
      await sender.stop();
    }
  }

  it('is started by the outbox where the workflow is not to', async () => {
    const history = await lane.working(models, () =>
      sending(() =>
        asRuntime(lane.env, cairn, async () => {
          const handle = await start('reportsOne', [{ agent: 'herald', mode: 'outbox' }, EVENT]);
          expect(await handle.result()).toMatchObject({ disposition: 'carded', sign: 'failed' });
          await saveHistory('runtime/reportsOne.by-the-outbox', handle);
          return await handle.fetchHistory();
        }),
      ),
    );
    expect(history.events?.map(({ eventType }) => eventType)).not.toContain(CHILD_ASKED_FOR);
    await oneCard();
  });

  it('is started by the outbox where nobody but the runtime can read what it writes', async () => {
    const dataConverter = { payloadCodecs: [MIRROR] };
    const { connection, namespace = 'default' } = lane.env;
    const client = new Client({ connection, namespace, dataConverter });
    const history = await lane.working(models, () =>
      sending(() =>
        asRuntime(
          lane.env,
          cairn,
          async () => {
            const handle = await startAgent(client, 'reportsOne', [{ agent: 'herald' }, EVENT]);
            expect(await handle.result()).toMatchObject({ disposition: 'carded', sign: 'failed' });
            return await handle.fetchHistory();
          },
          { dataConverter },
        ),
      ),
    );
    expect(historyText(history)).not.toContain('recipients');
    expect(history.events?.map(({ eventType }) => eventType)).not.toContain(CHILD_ASKED_FOR);
    await oneCard();
  });

  it('goes on where its parent is cancelled while it waits', async () => {
    const asked = { agent: 'herald', mode: 'child' };
    const handle = await asRuntime(lane.env, cairn, async () => {
      const parent = await start('reportsOne', [asked, EVENT]);
      await childStarted(parent);
      await parent.cancel();
      await expect(parent.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
      return parent;
    });
    expect((await handle.describe()).status.name).toBe('CANCELLED');
    const [capture] = await lane.rows<{ workflow_id: string }>(
      workspace,
      'SELECT workflow_id FROM captures',
    );
    const result = await lane.working(models, () =>
      lane.env.client.workflow.getHandle(capture?.workflow_id ?? '').result(),
    );
    expect(result).toMatchObject({ disposition: 'carded' });
    await oneCard();
  });

  it('goes on where its parent is terminated', async () => {
    await asRuntime(lane.env, cairn, async () => {
      const parent = await start('reportsOne', [{ agent: 'herald', mode: 'child' }, EVENT]);
      await childStarted(parent);
      await parent.terminate();
    });
    const [capture] = await lane.rows<{ workflow_id: string }>(
      workspace,
      'SELECT workflow_id FROM captures',
    );
    await lane.working(models, () =>
      lane.env.client.workflow.getHandle(capture?.workflow_id ?? '').result(),
    );
    await oneCard();
  });

  it('is made by a workflow that was cancelled before', async () => {
    await lane.working(models, () =>
      asRuntime(lane.env, cairn, async () => {
        const parent = await start('isCancelled', [{ agent: 'herald' }, EVENT]);
        await parent.cancel();
        await expect(parent.result()).rejects.toMatchObject({
          cause: { name: 'CancelledFailure' },
        });
        await until(async () => (await lane.rows(workspace, 'SELECT 1 FROM cards')).length > 0);
      }),
    );
    await oneCard();
  });

  it('is the one that there was where the event is reported again', async () => {
    const event = { ...EVENT, event_id: 'run-42', occurred_at: '2026-03-02T08:24:15Z' };
    const [first, again] = await lane.working(models, () =>
      asRuntime(lane.env, cairn, async () => {
        const asked = [{ agent: 'herald', task: 'newsletter', session: 'newsletter' }, event];
        const results = [];
        for (let n = 0; n < 2; n += 1)
          results.push(await (await start('reportsOne', asked)).result());
        return results;
      }),
    );
    expect(again).toEqual(first);
    await oneCard();
  });

  it('begins anew where an operator ended it, and its parent still hears of it', async () => {
    const parent = await asRuntime(lane.env, cairn, async () => {
      const handle = await start('reportsOne', [{ agent: 'herald', mode: 'child' }, EVENT]);
      await childStarted(handle);
      return handle;
    });
    const [capture] = await lane.rows<CaptureInput & { workflow_id: string }>(
      workspace,
      'SELECT workspace_id AS workspace, event_id, operation_id, workflow_id FROM captures',
    );
    if (capture === undefined) throw new Error('nothing was recorded');
    await lane.env.client.workflow.getHandle(capture.workflow_id).terminate();
    cairn = await runtimeActivities(lane, workspace);
    const captured = await lane.working(models, () =>
      asRuntime(lane.env, cairn, async () => {
        await startFirst(capture);
        return await parent.result();
      }),
    );
    expect(captured).toMatchObject({ disposition: 'carded', kind: 'constraint' });
    await oneCard();
  });
});
