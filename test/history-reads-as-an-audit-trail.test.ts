import type { ModelActivities } from '../src/activities/model';
import { OutboxSender } from '../src/api/outbox-sender';
import { workflowStarter } from '../src/api/workflow-starter';
import type { SettledEvent } from '../src/contracts/event';
import type { CaptureEnding, CaptureInput } from '../src/contracts/messages';
import { captureWorkflowId } from '../src/contracts/workflow-ids';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { createOpenAiDistiller } from '../src/models/openai-distiller';
import { createLogger } from '../src/telemetry/logger';
import { CaptureLane, type LaneModels } from './support/capture-lane';
import { failedCall } from './support/distilling';
import {
  type Answer,
  cardAnswer,
  type FakeProvider,
  refuses,
  startFakeProvider,
} from './support/fake-provider';
import { historyText } from './support/history-text';

jest.setTimeout(180_000);

/** Each stands somewhere in what was reported, answered or said by a part that failed. */
const PLANTED = /PLANTED|External|not found|Look the channel up|PROVIDER-TEXT|cannot hold/;
const AT_ONCE = { 'retry-after': '0.02' };

const withoutModel: LaneModels = { embedder: createHashedEmbedder(), distiller: null };
let lane: CaptureLane;
let provider: FakeProvider;
let sender: OutboxSender;
let workspace: string;
let began: string;

beforeAll(async () => {
  began = new Date().toISOString();
  [lane, provider] = await Promise.all([CaptureLane.start('dev'), startFakeProvider()]);
  workspace = await lane.workspace();
  sender = new OutboxSender({
    database: lane.database,
    clock: () => new Date(),
    log: createLogger('silent'),
    send: workflowStarter(lane.env.client, false),
  });
  await everyEnding();
});
afterAll(async () => {
  await sender?.stop();
  await lane?.stop();
  await provider?.close();
});

function call(id: string, fields: Partial<SettledEvent> = {}): SettledEvent {
  return failedCall({
    event_id: id,
    input: { channel: `External PLANTED ${id}` },
    error: `ValueError: Channel PLANTED ${id} not found in the channels list`,
    ...fields,
  });
}

/** Captures of each ending, one after another, started by the outbox as in production. */
async function everyEnding(): Promise<void> {
  await lane.rows(workspace, 'INSERT INTO policies VALUES ($1, 1, $2, now())', [
    workspace,
    JSON.stringify({
      capture: {
        write_rules: [
          { match: { operation: 'peek' }, route: 'transient' },
          { match: { operation: 'confess' }, route: 'sensitive' },
        ],
      },
    }),
  ]);
  // The first two tries of one filing fail, and quote what they could not hold; those are the local ones.
  await lane.asOwner(`
    CREATE SEQUENCE stumbles;
    GRANT ALL ON SEQUENCE stumbles TO PUBLIC;
    CREATE FUNCTION stumble() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.event_id = 'stumbled' AND nextval('stumbles') <= 2 THEN
        RAISE EXCEPTION 'cannot hold %', NEW.summary;
      END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER stumble BEFORE INSERT ON cards FOR EACH ROW EXECUTE FUNCTION stumble();`);
  sender.start();

  await ended(withoutModel, [call('by-rules')]);
  await ended(withoutModel, [
    call('resolved', {
      outcome: 'worked',
      error: undefined as never,
      input: { channel: 'External PLANTED by-rules_0' },
      output: ['PLANTED'],
      occurred_at: '2026-03-02T09:00:00Z',
    }),
    call('peeked', { operation: 'peek' }),
    call('confessed', { operation: 'confess' }),
    call('stumbled'),
    call('twin', {
      input: { channel: 'External PLANTED by-rules' },
      error: 'ValueError: Channel PLANTED by-rules not found in the channels list',
    }),
  ]);
  await lane.record(workspace, [call('cancelled')]);
  await untilStarted('cancelled');
  await lane.env.client.workflow.getHandle(captureWorkflowId(workspace, 'cancelled')).cancel();
  await ended(withoutModel, [], ['cancelled']);

  await byModel('answered-first', { says: cardAnswer() });
  await byModel('answered-third', refuses(429, AT_ONCE), refuses(503, AT_ONCE), {
    says: cardAnswer(),
  });
  await byModel('gave-up', refuses(503, AT_ONCE));
  await byModel('refused', refuses(400));
  provider.script({ says: cardAnswer() });
  await ended(modelled(losingDrafts), [call('draft-lost')]);

  await lane.record(workspace, [call('switched-off')]);
  await lane.rows(workspace, "UPDATE agents SET memory_mode = 'off'");
  await ended(withoutModel, [], ['switched-off']);
}

async function byModel(id: string, ...answers: Answer[]): Promise<void> {
  provider.script(...answers);
  await ended(modelled(), [call(id)]);
}

function modelled(aroundModel?: LaneModels['aroundModel']): LaneModels {
  const distiller = createOpenAiDistiller({
    apiKey: 'none',
    baseUrl: provider.baseUrl,
    model: 'small',
    clock: () => new Date(),
  });
  const { embedder } = withoutModel;
  return { embedder, distiller, ...(aroundModel === undefined ? {} : { aroundModel }) };
}

/** A draft that somebody deletes before it is filed: no retry brings it back. */
function losingDrafts({ distillByModel }: ModelActivities): ModelActivities {
  return {
    distillByModel: async (key) => {
      const result = await distillByModel(key);
      await lane.rows(workspace, 'DELETE FROM capture_drafts WHERE event_id = $1', [key.event_id]);
      return result;
    },
  };
}

async function ended(
  models: LaneModels,
  events: SettledEvent[],
  also: string[] = [],
): Promise<void> {
  await lane.record(workspace, events);
  const ids = [...events.map((event) => event.event_id), ...also];
  for (const id of ids) await untilStarted(id);
  await lane.working(models, async () => {
    for (const id of ids) {
      await lane.env.client.workflow.getHandle(captureWorkflowId(workspace, id)).result();
    }
  });
}

async function untilStarted(id: string): Promise<void> {
  const handle = lane.env.client.workflow.getHandle(captureWorkflowId(workspace, id));
  await until(async () => {
    await handle.describe();
    return true;
  });
}

async function until(check: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await check().catch(() => false))) {
    if (Date.now() > deadline) throw new Error('it did not come to pass in time');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Event ids of the captures that a query finds: what `temporal workflow list --query` prints, shortened. */
async function found(query: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { workflowId } of lane.env.client.workflow.list({ query })) {
    ids.push(workflowId.slice(`capture/${workspace}/`.length));
  }
  return ids.sort();
}

interface Read {
  input: CaptureInput;
  ending: CaptureEnding;
  /** Of each model activity: the try at which it ended, as its start says. */
  modelAttempts: number[];
  summary: string;
}

/** What stands in one exported history, without any other source. */
async function read(id: string): Promise<Read> {
  const handle = lane.env.client.workflow.getHandle(captureWorkflowId(workspace, id));
  const { events } = await handle.fetchHistory();
  const all = events ?? [];
  const first = all[0];
  const models = all
    .filter(
      (event) =>
        event.activityTaskScheduledEventAttributes?.activityType?.name === 'distillByModel',
    )
    .map((event) => String(event.eventId));
  const starts = all.flatMap((event) => event.activityTaskStartedEventAttributes ?? []);
  return {
    input: json(first?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0]),
    ending: json(all.at(-1)?.workflowExecutionCompletedEventAttributes?.result?.payloads?.[0]),
    modelAttempts: starts
      .filter((start) => models.includes(String(start.scheduledEventId)))
      .map((start) => start.attempt ?? 0),
    summary: json(first?.userMetadata?.summary),
  };
}

function json<T>(payload: { data?: Uint8Array | null } | null | undefined): T {
  return JSON.parse(Buffer.from(payload?.data ?? []).toString('utf8')) as T;
}

const ALL = [
  'answered-first',
  'answered-third',
  'by-rules',
  'cancelled',
  'confessed',
  'draft-lost',
  'gave-up',
  'peeked',
  'refused',
  'resolved',
  'stumbled',
  'switched-off',
  'twin',
];

test('queries find every capture by what became of it', async () => {
  const mine = (query: string) => `CairnWorkspace = "${workspace}" AND ${query}`;
  await until(async () => (await found(mine('CloseTime IS NOT NULL'))).length === ALL.length);
  expect(await found(mine('WorkflowType = "capture"'))).toEqual(ALL);
  expect(await found(mine(`CairnModel = "fell_back" AND CloseTime > "${began}"`))).toEqual([
    'gave-up',
    'refused',
  ]);
  expect(await found(mine(`CairnModel = "fell_back" AND CloseTime < "${began}"`))).toEqual([]);
  expect(await found(mine('CairnModel = "answered"'))).toEqual([
    'answered-first',
    'answered-third',
    'draft-lost',
  ]);
  expect(await found(mine('CairnDistilledBy = "fallback" AND CairnModel = "none"'))).toEqual([
    'by-rules',
    'resolved',
    'stumbled',
  ]);
  expect(await found(mine('CairnDisposition = "failed"'))).toEqual(['cancelled', 'draft-lost']);
  expect(await found(mine('CairnDisposition != "carded"'))).toEqual([
    'cancelled',
    'confessed',
    'draft-lost',
    'peeked',
    'switched-off',
    'twin',
  ]);
  expect(await found(mine('CairnKind = "constraint" AND CairnModel != "none"'))).toEqual([
    'answered-first',
    'answered-third',
    'gave-up',
    'refused',
  ]);
  expect(await found(mine('CairnStuck = "recovered"'))).toEqual(['stumbled']);
});

test.each([
  ['by-rules', { disposition: 'carded', reason: null, distilled_by: 'fallback' }, 'none', 0],
  ['peeked', { disposition: 'transient', reason: 'write_rule' }, 'none', 0],
  ['confessed', { disposition: 'sensitive', reason: 'write_rule' }, 'none', 0],
  ['twin', { disposition: 'duplicate_content', reason: 'same_content' }, 'none', 0],
  ['switched-off', { disposition: 'mode_off', reason: 'agent_off' }, 'none', 0],
  ['cancelled', { disposition: 'failed', reason: 'cancelled' }, 'none', 0],
  ['answered-first', { disposition: 'carded', distilled_by: 'model' }, 'answered', 1],
  ['answered-third', { disposition: 'carded', distilled_by: 'model' }, 'answered', 3],
  ['gave-up', { disposition: 'carded', distilled_by: 'fallback' }, 'fell_back', 5],
  ['refused', { disposition: 'carded', distilled_by: 'fallback' }, 'fell_back', 1],
  ['draft-lost', { disposition: 'failed', reason: 'draft_missing' }, 'answered', 1],
])(
  'the history of %s says what became of it, why, and how often the model was tried',
  async (id, record, outcome, tries) => {
    const { input, ending, modelAttempts, summary } = await read(id);
    expect(input).toEqual({ workspace, event_id: id, operation_id: ending.operation_id });
    expect(summary).toBe(`Capture of one settled event in ${workspace}`);
    expect(ending).toMatchObject({ event_id: id, ...record, model: { outcome, tries } });
    expect(modelAttempts).toEqual(tries === 0 ? [] : [tries]);
    if (ending.disposition === 'carded') {
      expect(ending).toMatchObject({ kind: 'constraint', sign: 'failed' });
      expect(ending.card_id).toMatch(/\S/);
    } else {
      expect(ending).toMatchObject({ card_id: null, kind: null, sign: null, edges: [] });
    }
  },
);

test('an edge stands in the history with its type, its other end and its confidence', async () => {
  const [failed, worked] = [await read('by-rules'), await read('resolved')];
  expect(worked.ending).toMatchObject({ kind: 'experience', sign: 'worked' });
  expect(worked.ending.edges).toContainEqual({
    id: expect.any(String),
    type: 'satisfies',
    to: failed.ending.card_id,
    confidence: expect.any(Number),
  });
});

test('no word of what was reported, answered or said by a failure stands in anything exported', async () => {
  for (const id of ALL) {
    const handle = lane.env.client.workflow.getHandle(captureWorkflowId(workspace, id));
    const exported = historyText([await handle.fetchHistory(), (await handle.describe()).raw]);
    expect(exported).toContain(id);
    expect([id, PLANTED.exec(exported)?.[0] ?? null]).toEqual([id, null]);
  }
});
