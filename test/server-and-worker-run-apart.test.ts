import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { freePort } from '../src/embedded/free-port';
import { createTestDatabase, describeNative, type TestDatabase } from './support/database';
import { Program } from './support/program';
import { createDevServerEnv } from './support/temporal';

jest.setTimeout(240_000);

const KEY = ['cairn', 'owner key of this test, long enough'].join('_').replace(/ /g, '-');

describeNative('cairn server and cairn worker on real servers', () => {
  let database: TestDatabase;
  let temporal: TestWorkflowEnvironment;
  let dataDir: string;
  let url: string;
  let environment: Record<string, string>;
  const running: Program[] = [];

  beforeAll(async () => {
    [database, temporal] = await Promise.all([createTestDatabase(), createDevServerEnv()]);
    dataDir = mkdtempSync(join(tmpdir(), 'cairn-apart-'));
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    environment = {
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: temporal.address,
      CAIRN_SECRET_KEY: 'a secret key of the tests, of at least 32 characters',
      CAIRN_BOOTSTRAP_KEY: KEY,
      CAIRN_PORT: String(port),
    };
  });

  afterAll(async () => {
    for (const program of running) {
      if (program.process.exitCode === null) await program.stop('SIGKILL');
    }
    await temporal.teardown();
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  function spawn(command: 'server' | 'worker', more: Record<string, string> = {}): Program {
    const program = Program.spawn(dataDir, { ...environment, ...more }, command);
    running.push(program);
    return program;
  }

  async function call(
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: Record<string, unknown> }> {
    const answer = await fetch(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${KEY}`,
        'cairn-agent': 'scout',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  }

  async function until(check: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + 90_000;
    for (;;) {
      if (await check().catch(() => false)) return;
      if (Date.now() > deadline)
        throw new Error(running.map((one) => one.output.join('')).join('\n'));
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  const event = (id: string) => ({
    event_id: id,
    kind: 'service_call',
    agent: 'scout',
    service: 'mailer',
    operation: 'send',
    outcome: 'failed',
    occurred_at: '2026-06-01T09:00:00Z',
    input: { list: id },
    error: `list ${id} not found`,
  });

  test('a command that lacks its servers says which variables to set', async () => {
    const program = Program.spawn(dataDir, { DATABASE_URL: '', TEMPORAL_ADDRESS: '' }, 'worker');
    expect(await program.exited).not.toBe(0);
    expect(program.output.join('')).toContain('DATABASE_URL');
  });

  test('the server alone takes events and says that it is not ready, and why', async () => {
    spawn('server');
    await until(async () => (await fetch(`${url}/healthz`)).ok);
    const ready = await call('/readyz');
    expect(ready.status).toBe(503);
    expect(ready.body.missing).toMatchObject({ postgres: null, temporal: null });
    expect(JSON.stringify(ready.body)).toContain('cairn worker');
    const taken = await call('/v1/events', { events: [event('one'), event('two')] });
    expect(taken.body.items).toMatchObject([{ status: 'accepted' }, { status: 'accepted' }]);
  });

  test('two workers card what waited, and the server recalls it', async () => {
    spawn('worker');
    spawn('worker');
    await until(async () => (await call('/v1/cards')).body.total === 2);
    await until(async () => (await call('/readyz')).status === 200);
    const recalled = await call('/v1/recall', {
      query: 'send to list one with mailer',
      intent: 'act',
    });
    expect((recalled.body.cards as { kind: string }[])[0]).toMatchObject({ kind: 'constraint' });
    expect(recalled.body.degraded).toBeUndefined();
  });

  test('each drains on SIGTERM and exits 0', async () => {
    const exits = await Promise.all(running.map((program) => program.stop('SIGTERM')));
    expect(exits).toEqual([0, 0, 0]);
  });
});
