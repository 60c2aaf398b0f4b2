import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { WORKFLOW_TYPES } from '../src/contracts/names';
import { TASK_QUEUES } from '../src/contracts/task-queues';
import { freePort } from '../src/embedded/free-port';
import { startApi, type TestApi } from './support/api';
import { createTestDatabase, describeNative, type TestDatabase } from './support/database';
import { DAY, MINUTE, TestClock } from './support/filing';
import { Program } from './support/program';
import { createDevServerEnv } from './support/temporal';

jest.setTimeout(240_000);

/** After how many tasks in a row that failed Temporal reports a workflow: by default five, which it tries in a minute. */
const SOON_REPORTED = [
  '--dynamic-config-value',
  'system.numConsecutiveWorkflowTaskProblemsToTriggerSearchAttribute=2',
];

/** The value of one sample; null where it is not told. */
function valueIn(text: string, sample: string): number | null {
  const line = text.split('\n').find((one) => one.startsWith(`${sample} `));
  return line === undefined ? null : Number(line.slice(sample.length + 1));
}

describe('what Postgres knows', () => {
  let api: TestApi;
  const clock = new TestClock('2026-03-02T12:00:00Z');
  beforeAll(async () => {
    api = await startApi({ clock: clock.now });
  });
  afterAll(() => api.close());

  /** A later scrape than the last: what was counted stands for ten seconds. */
  async function scrape(): Promise<string> {
    clock.advance(11_000);
    const { status, text } = await api.call('GET', '/metrics', { key: null });
    expect(status).toBe(200);
    return text;
  }
  const run = (statement: string, values: unknown[] = []) =>
    api.database.inWorkspace('default', (tx) => tx.query(statement, values));

  it('is counted: passes that run and since when, and those of a day that did not do all', async () => {
    const at = clock.now();
    const ago = (ms: number) => new Date(at.getTime() - ms);
    const insert = (id: string, state: string, times: [Date, Date | null], more: object = {}) => {
      const { parent = null, result = {} } = more as { parent?: string; result?: object };
      return run(
        `INSERT INTO runs (workspace_id, id, type, scope_type, scope_id, state, workflow_id, created_at, finished_at,
                           day, parent_id, result)
         VALUES ('default', $1, 'consolidation', 'workspace', 'default', $2, $1, $3, $4, '2026-03-02', $5, $6)`,
        [id, state, times[0], times[1], parent, JSON.stringify(result)],
      );
    };
    await insert('waits', 'pending', [ago(MINUTE), null]);
    await insert('runs', 'running', [ago(10 * MINUTE), null]);
    await insert('its unit', 'running', [ago(60 * MINUTE), null], { parent: 'runs' });
    await insert('failed', 'failed', [ago(DAY), ago(MINUTE)]);
    await insert('partial', 'completed', [ago(DAY), ago(MINUTE)], {
      result: { status: 'partial' },
    });
    await insert('done', 'completed', [ago(DAY), ago(MINUTE)], {
      result: { status: 'completed' },
    });
    await insert('long ago', 'failed', [ago(3 * DAY), ago(2 * DAY)]);
    const text = await scrape();
    expect(valueIn(text, 'cairn_passes_running')).toBe(2);
    expect(valueIn(text, 'cairn_passes_oldest_seconds')).toBe(10 * 60 + 11);
    expect(valueIn(text, 'cairn_passes_failed')).toBe(2);
    await run('DELETE FROM runs');
    expect(valueIn(await scrape(), 'cairn_passes_oldest_seconds')).toBe(0);
  });

  it('is counted: what waits to be sent by kind, whether it is due, and for how long', async () => {
    const at = clock.now();
    await run(
      `INSERT INTO outbox (workspace_id, action, workflow_id, arguments, next_at, created_at) VALUES
         ('default', 'start_capture', 'a', '{}', $1, $1), ('default', 'start_capture', 'b', '{}', $2, $1),
         ('default', 'start_redistill', 'c', '{}', $1, $3)`,
      [at, new Date(at.getTime() + MINUTE), new Date(at.getTime() - MINUTE)],
    );
    const text = await scrape();
    expect(valueIn(text, 'cairn_outbox{action="start_capture",state="due"}')).toBe(1);
    expect(valueIn(text, 'cairn_outbox{action="start_capture",state="waiting"}')).toBe(1);
    expect(valueIn(text, 'cairn_outbox{action="start_redistill",state="due"}')).toBe(1);
    expect(valueIn(text, 'cairn_outbox{action="start_embed",state="due"}')).toBe(0);
    expect(valueIn(text, 'cairn_outbox_unsent')).toBe(3);
    expect(valueIn(text, 'cairn_outbox_oldest_seconds')).toBe(71);
    await run('DELETE FROM outbox');
    const after = await scrape();
    expect(valueIn(after, 'cairn_outbox{action="start_capture",state="due"}')).toBe(0);
    expect(valueIn(after, 'cairn_outbox_oldest_seconds')).toBe(0);
  });

  it('is counted: events that have waited too long, and cards that wait for a model or a vector', async () => {
    await run(
      `WITH event AS (
         INSERT INTO events (workspace_id, event_id, agent_id, reporter_kind, reporter_id, recorded_at, content_hash)
         SELECT 'default', 'event-' || n, 'scout', 'runtime', 'r', $1, ''::bytea FROM generate_series(1, 4) n
       )
       INSERT INTO captures (workspace_id, event_id, operation_id, workflow_id, disposition, card_id,
                             needs_distill, needs_embed, created_at, settled_at)
       VALUES ('default', 'event-1', 'op_1', 'w1', 'pending', NULL, false, false, $1, NULL),
              ('default', 'event-2', 'op_2', 'w2', 'pending', NULL, false, false, $2, NULL),
              ('default', 'event-3', 'op_3', 'w3', 'carded', 'c3', true, true, $2, $2),
              ('default', 'event-4', 'op_4', 'w4', 'failed', NULL, false, false, $2, $2)`,
      [clock.now(), new Date(clock.now().getTime() - DAY)],
    );
    await api.call('POST', '/v1/cards', {
      body: { summary: 'A card by hand.', scope: { type: 'workspace', id: 'default' } },
    });
    const text = await scrape();
    expect(valueIn(text, 'cairn_captures{disposition="pending"}')).toBe(2);
    expect(valueIn(text, 'cairn_captures{disposition="failed"}')).toBe(1);
    expect(valueIn(text, 'cairn_captures_stuck')).toBe(1);
    expect(valueIn(text, 'cairn_captures_pending_oldest_seconds')).toBe(DAY / 1000 + 11);
    expect(valueIn(text, 'cairn_captures_to_distill')).toBe(1);
    expect(valueIn(text, 'cairn_captures_to_embed')).toBe(1);
    expect(valueIn(text, 'cairn_cards_without_vector')).toBe(1);
  });

  it('is told by part, and left out rather than stale while Postgres is away', async () => {
    expect(valueIn(await scrape(), 'cairn_ready{part="workers"}')).toBe(0);
    expect(valueIn(await scrape(), 'cairn_ready{part="postgres"}')).toBe(1);
    const away = jest.spyOn(api.database, 'acrossWorkspaces').mockRejectedValue(new Error('away'));
    try {
      const text = await scrape();
      expect(valueIn(text, 'cairn_captures_stuck')).toBeNull();
      expect(text).not.toMatch(/^cairn_captures\{/m);
      expect(valueIn(text, 'process_start_time_seconds')).not.toBeNull();
    } finally {
      away.mockRestore();
    }
    expect(valueIn(await scrape(), 'cairn_captures_stuck')).toBe(1);
  });
});

it('knows every workflow of the bundle by its type', () => {
  const entry = jest.requireActual<Record<string, unknown>>('../src/workflows/index');
  expect(Object.keys(entry).sort()).toEqual([...WORKFLOW_TYPES].sort());
});

describeNative('what only Temporal and the workers know', () => {
  let database: TestDatabase;
  let temporal: TestWorkflowEnvironment;
  let dataDir: string;
  let server: Program;
  let worker: Program;
  let urls: { server: string; worker: string };
  beforeAll(async () => {
    [database, temporal] = await Promise.all([
      createTestDatabase(),
      createDevServerEnv({ extraArgs: SOON_REPORTED }),
    ]);
    dataDir = mkdtempSync(join(tmpdir(), 'cairn-metered-'));
    const [port, workerPort] = [await freePort(), await freePort()];
    urls = { server: `http://127.0.0.1:${port}`, worker: `http://127.0.0.1:${workerPort}` };
    const environment = {
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: temporal.address,
      CAIRN_SECRET_KEY: 'a secret key of the tests, of at least 32 characters',
      CAIRN_BOOTSTRAP_KEY: 'an-owner-key-of-this-test-that-is-long-enough',
      CAIRN_PORT: String(port),
      CAIRN_WORKER_LISTEN: String(workerPort),
    };
    server = Program.spawn(dataDir, environment, 'server');
    worker = Program.spawn(dataDir, environment, 'worker');
    await until(async () => (await fetch(`${urls.server}/readyz`)).ok);
  });
  afterAll(async () => {
    await Promise.all([server?.stop(), worker?.stop()]);
    await temporal?.teardown();
    await database?.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function until(check: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + 150_000;
    while (!(await check().catch(() => false))) {
      if (Date.now() > deadline) {
        throw new Error([...server.output, ...worker.output].join('').slice(-3_000));
      }
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
  const scrape = async (url: string): Promise<string> => (await fetch(`${url}/metrics`)).text();

  it('a worker by itself answers for its health and its metrics, and nothing else', async () => {
    expect(await (await fetch(`${urls.worker}/healthz`)).json()).toEqual({ status: 'ok' });
    expect((await fetch(`${urls.worker}/v1/cards`)).status).toBe(404);
    await until(async () => {
      const sample = `cairn_worker_slots{queue="${TASK_QUEUES.db}",worker="ActivityWorker",state="free"}`;
      return (valueIn(await scrape(urls.worker), sample) ?? 0) > 0;
    });
  });

  it('an activity that fails is counted by its type and its code', async () => {
    // Postgres refuses this text, whatever is asked with it.
    const handle = await temporal.client.workflow.start('sweep', {
      workflowId: 'sweep/poisoned',
      taskQueue: TASK_QUEUES.workflows,
      args: [{ after: '\0' }],
    });
    const sample =
      'cairn_activity_failures_total{activity="sweepWorkspaces",type="internal_error"}';
    await until(async () => (valueIn(await scrape(urls.worker), sample) ?? 0) >= 2);
    await handle.terminate();
  });

  it('a workflow whose every task fails is shown, by its worker at once and by Temporal once it reports it', async () => {
    // Without its input it throws what no workflow throws on purpose.
    const handle = await temporal.client.workflow.start('embed', {
      workflowId: 'embed/default/stuck',
      taskQueue: TASK_QUEUES.workflows,
      args: [],
    });
    await until(async () =>
      /^cairn_workflow_task_failures_total\{workflow="embed",reason="[^"]+"\} [1-9]/m.test(
        await scrape(urls.worker),
      ),
    );
    await until(async () => valueIn(await scrape(urls.server), 'cairn_workflows_stuck') === 1);
    await handle.terminate();
    await until(async () => valueIn(await scrape(urls.server), 'cairn_workflows_stuck') === 0);
    const text = (await scrape(urls.server)) + (await scrape(urls.worker));
    expect(text).not.toMatch(/default\/stuck|poisoned/);
  });
});
