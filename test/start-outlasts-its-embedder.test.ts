import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { freePort } from '../src/embedded/free-port';
import { createTestDatabase, describeNative, type TestDatabase } from './support/database';
import { Program } from './support/program';
import { createDevServerEnv } from './support/temporal';

jest.setTimeout(240_000);

const KEY = ['cairn', 'owner key of this test, long enough'].join('_').replace(/ /g, '-');

/** An endpoint that embeds, refuses with a status, or takes requests and never answers. */
async function startEndpoint() {
  const state: { does: 'embed' | 'hang' | number } = { does: 'embed' };
  const server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += String(chunk);
    });
    request.on('end', () => {
      if (state.does === 'hang') return;
      const status = state.does === 'embed' ? 200 : state.does;
      const { input } = JSON.parse(body) as { input: string[] };
      const data = input.map((text, index) => ({ index, embedding: [text.length, 1, 0] }));
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(status === 200 ? { data } : { error: { message: 'no' } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { state, baseUrl: `http://127.0.0.1:${port}/v1`, close };
}

describeNative('cairn server and cairn worker with an embedding endpoint', () => {
  let database: TestDatabase;
  let temporal: TestWorkflowEnvironment;
  let endpoint: Awaited<ReturnType<typeof startEndpoint>>;
  let dataDir: string;
  let url: string;
  let environment: Record<string, string>;
  const running: Program[] = [];

  beforeAll(async () => {
    [database, temporal, endpoint] = await Promise.all([
      createTestDatabase(),
      createDevServerEnv(),
      startEndpoint(),
    ]);
    dataDir = mkdtempSync(join(tmpdir(), 'cairn-embedder-'));
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    environment = {
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: temporal.address,
      CAIRN_SECRET_KEY: 'a secret key of the tests, of at least 32 characters',
      CAIRN_BOOTSTRAP_KEY: KEY,
      CAIRN_PORT: String(port),
      OPENAI_BASE_URL: endpoint.baseUrl,
      CAIRN_EMBEDDING_MODEL: 'emb',
    };
  });

  afterAll(async () => {
    for (const program of running) {
      if (program.process.exitCode === null) await program.stop('SIGKILL');
    }
    await endpoint.close();
    await temporal.teardown();
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  function spawn(command: 'server' | 'worker'): Program {
    const program = Program.spawn(dataDir, environment, command);
    running.push(program);
    return program;
  }

  async function call(path: string, body?: unknown): Promise<Record<string, unknown>> {
    const answer = await fetch(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${KEY}`,
        'cairn-agent': 'scout',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as Record<string, unknown>;
  }

  async function until(check: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + 90_000;
    while (!(await check().catch(() => false))) {
      if (Date.now() > deadline) {
        throw new Error(running.map((one) => one.output.join('')).join('\n'));
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  const recall = (query: string) => call('/v1/recall', { query, intent: 'act' });
  const waiting = async () => {
    const metrics = await (
      await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${KEY}` } })
    ).text();
    return Number(/^cairn_cards_without_vector (.+)$/m.exec(metrics)?.[1]);
  };

  test('both start while it is away, file cards by words, and give them vectors once it is back', async () => {
    endpoint.state.does = 500;
    spawn('server');
    spawn('worker');
    await until(async () => (await fetch(`${url}/readyz`)).ok);
    await call('/v1/events', {
      event_id: 'one',
      kind: 'service_call',
      agent: 'scout',
      service: 'mailer',
      operation: 'send',
      outcome: 'failed',
      occurred_at: '2026-06-01T09:00:00Z',
      input: { list: 'readers' },
      error: 'list readers not found',
    });
    await until(async () => (await call('/v1/cards')).total === 1);
    const meanwhile = await recall('send to list readers with mailer');
    expect(meanwhile.cards).toHaveLength(1);
    expect(meanwhile.degraded).toEqual(['dense']);
    await until(async () => (await waiting()) === 1);

    endpoint.state.does = 'embed';
    await until(async () => (await waiting()) === 0);
    const after = await recall('send to list readers with mailer again');
    expect(after.cards).toHaveLength(1);
    expect(after.degraded).toBeUndefined();
    for (const program of running) {
      expect(program.process.exitCode).toBeNull();
      expect(program.output.join('')).toContain('gives no vectors (status 500)');
      expect(program.output.join('')).toContain('embeddings by openai:emb');
    }
  });

  test('both start again while it hangs, and drain as they always do', async () => {
    const drained = await Promise.all(running.splice(0).map((program) => program.stop('SIGTERM')));
    expect(drained).toEqual([0, 0]);
    endpoint.state.does = 'hang';
    spawn('server');
    spawn('worker');
    await until(async () => (await fetch(`${url}/readyz`)).ok);
    expect((await recall('send to list readers')).degraded).toEqual(['dense']);
    await until(async () =>
      running.every((one) => one.output.join('').includes('gives no vectors (no answer)')),
    );
    const again = await Promise.all(running.splice(0).map((program) => program.stop('SIGTERM')));
    expect(again).toEqual([0, 0]);
  });

  test.each([
    [401, 'server', 'refuses the key (status 401): correct OPENAI_API_KEY.'],
    [404, 'worker', 'knows no model emb (status 404)'],
  ] as const)(
    'with status %i a %s says in one sentence what to correct',
    async (status, command, said) => {
      endpoint.state.does = status;
      const program = spawn(command);
      expect(await program.exited).toBe(1);
      const output = program.output.join('');
      expect(output).toContain(said);
      expect(output).not.toMatch(/^\s+at |EmbedderError/m);
    },
  );
});
