import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { flow } from '../src/cli/doctor/flow';
import { Samples } from '../src/cli/doctor/metrics';
import { runCairn } from '../src/cli/run';
import { readOptions } from '../src/config/options';
import { freePort } from '../src/embedded/free-port';
import { startApi, type TestApi } from './support/api';

interface Line {
  name: string;
  status: string;
  detail: string;
  advice?: string;
}

let api: TestApi;
let dir: string;
let now = new Date();
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'cairn-doctor-'));
  api = await startApi({ clock: () => now });
});
afterAll(async () => {
  await api.close();
  rmSync(dir, { recursive: true, force: true });
});

async function examined(environment: Record<string, string> = {}): Promise<Map<string, Line>> {
  // What was counted stands for ten seconds.
  now = new Date(now.getTime() + 11_000);
  const out = new PassThrough();
  let said = '';
  out.setEncoding('utf8').on('data', (text: string) => (said += text));
  await runCairn(
    ['doctor', '--json'],
    { out, err: new PassThrough(), input: Readable.from([]) },
    { CAIRN_DATA_DIR: dir, CAIRN_URL: api.url, CAIRN_KEY: api.ownerKey, ...environment },
  );
  const { checks } = JSON.parse(said) as { checks: Line[] };
  for (const { status, advice } of checks) expect(advice !== undefined).toBe(status !== 'ok');
  return new Map(checks.map((check) => [check.name, check]));
}

const run = (statement: string, values: unknown[] = []) =>
  api.database.inWorkspace('default', (tx) => tx.query(statement, values));

it('says that nothing waits where nothing does', async () => {
  const lines = await examined();
  for (const name of ['backlog', 'captures', 'distilling', 'vectors']) {
    expect(lines.get(name)).toMatchObject({ status: 'ok' });
  }
});

it('names what waits, for how long, and what it waits for', async () => {
  const hourAgo = new Date(now.getTime() - 3_600_000);
  await run(
    `INSERT INTO outbox (workspace_id, action, workflow_id, arguments, next_at, created_at)
     VALUES ('default', 'start_capture', 'a', '{}', $1, $1)`,
    [hourAgo],
  );
  await run(
    `WITH event AS (
       INSERT INTO events (workspace_id, event_id, agent_id, reporter_kind, reporter_id, recorded_at, content_hash)
       SELECT 'default', 'event-' || n, 'scout', 'runtime', 'r', $1, ''::bytea FROM generate_series(1, 2) n
     )
     INSERT INTO captures (workspace_id, event_id, operation_id, workflow_id, disposition, card_id,
                           needs_distill, created_at, settled_at)
     VALUES ('default', 'event-1', 'op_1', 'w1', 'pending', NULL, false, $1, NULL),
            ('default', 'event-2', 'op_2', 'w2', 'carded', 'c2', true, $1, $1)`,
    [hourAgo],
  );
  await api.call('POST', '/v1/cards', {
    body: { summary: 'A card by hand.', scope: { type: 'workspace', id: 'default' } },
  });
  const lines = await examined();
  expect(lines.get('backlog')).toMatchObject({
    status: 'warn',
    detail: '2 starts not sent, the oldest for 60 min',
  });
  expect(lines.get('captures')).toMatchObject({
    status: 'fail',
    detail: '1 event without a card for more than 5 minutes, the oldest for 60 min',
  });
  expect(lines.get('distilling')?.detail).toContain('1 card by the rules');
  expect(lines.get('distilling')).toMatchObject({ status: 'ok' });
  expect(lines.get('vectors')).toMatchObject({
    status: 'warn',
    detail: '1 card found by words only',
  });
});

it('names the parts that do not answer', async () => {
  const lines = await examined();
  expect(lines.get('temporal')).toMatchObject({ status: 'fail' });
  expect(lines.get('workers')?.advice).toContain('cairn worker');
});

it('asks the servers themselves where no API answers', async () => {
  const listening = await new Promise<Server>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => resolve(server));
  });
  const { port } = listening.address() as AddressInfo;
  const [closed, alsoClosed] = [await freePort(), await freePort()];
  const lines = await examined({
    CAIRN_URL: `http://127.0.0.1:${alsoClosed}`,
    DATABASE_URL: `postgres://somebody:pass-phrase@127.0.0.1:${closed}/cairn`,
    CAIRN_SECRET_KEY: 'a secret key of the tests, of at least 32 characters',
    TEMPORAL_ADDRESS: `127.0.0.1:${port}`,
  });
  listening.close();
  expect(lines.get('API')).toMatchObject({ status: 'fail' });
  expect(lines.get('Postgres')).toEqual({
    name: 'Postgres',
    status: 'fail',
    detail: `127.0.0.1:${closed} does not answer (ECONNREFUSED)`,
    advice: 'start it, or correct DATABASE_URL',
  });
  expect(lines.get('Temporal')).toMatchObject({ status: 'ok' });
});

describe('of captures it says', () => {
  const linesOf = (text: string) =>
    new Map(flow(new Samples(text), readOptions({})).map((line) => [line.name, line]));

  it('how many were given up, and that another report is another try', () => {
    expect(linesOf('cairn_captures{disposition="failed"} 40').get('failed')).toMatchObject({
      status: 'warn',
      detail: '40 events given up, each with its reason',
      advice: expect.stringContaining('reported once more'),
    });
    expect(linesOf('cairn_captures{disposition="failed"} 0').get('failed')?.status).toBe('ok');
  });

  it('that cards wait for a model that is named', () => {
    const named = readOptions({
      OPENAI_BASE_URL: 'http://127.0.0.1:9',
      CAIRN_MODEL_SMALL: 'small',
    });
    const lines = flow(new Samples('cairn_captures_to_distill 3'), named);
    expect(lines.find(({ name }) => name === 'distilling')).toMatchObject({
      status: 'warn',
      advice: expect.stringContaining('OPENAI_BASE_URL'),
    });
  });

  it('that the model is what they wait for, where it is', () => {
    const text =
      'cairn_captures_at_model 5\ncairn_captures_stuck 0\ncairn_captures_pending_oldest_seconds 400';
    expect(linesOf(text).get('captures')).toMatchObject({
      status: 'warn',
      advice: expect.stringContaining('OPENAI_BASE_URL'),
    });
  });
});

describe('of workflows it says', () => {
  const linesOf = (text: string) =>
    new Map(flow(new Samples(text), readOptions({})).map((line) => [line.name, line]));

  it('that some are stuck, and how to list them', () => {
    const line = linesOf('cairn_workflows_stuck 2').get('workflows');
    expect(line).toMatchObject({
      status: 'fail',
      detail: '2 workflows stuck: each of their tasks fails',
    });
    expect(line?.advice).toContain('TemporalReportedProblems');
  });

  it('that tasks have failed, of whatever workflow, and none is stuck', () => {
    const text = `
cairn_workflows_stuck 0
cairn_workflow_task_failures_total{workflow="capture",reason="WorkflowError"} 2
cairn_workflow_task_failures_total{workflow="embed",reason="NonDeterminismError"} 1`;
    expect(linesOf(text).get('workflows')).toMatchObject({
      status: 'warn',
      detail: '3 workflow tasks failed since the start, and none is stuck',
    });
  });

  it('nothing where Temporal does not say', () => {
    expect(linesOf('cairn_outbox_unsent 0').get('workflows')).toBeUndefined();
    expect(linesOf('cairn_workflows_stuck 0').get('workflows')).toMatchObject({ status: 'ok' });
  });
});
