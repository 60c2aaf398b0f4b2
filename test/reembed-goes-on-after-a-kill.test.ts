import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Client as PgClient } from 'pg';
import type { ReembedResult } from '../src/contracts/messages';
import { reembedWorkflowId } from '../src/contracts/workflow-ids';
import { freePort } from '../src/embedded/free-port';
import { Database } from '../src/store/database';
import { servedModels } from '../src/store/served-models';
import { createTestDatabase, describeNative, type TestDatabase } from './support/database';
import { type EmbeddingEndpoint, startEmbeddingEndpoint } from './support/embedding-endpoint';
import { givenUp } from './support/killed-workers';
import { Program } from './support/program';
import { createDevServerEnv } from './support/temporal';
import { createTestEmbedder, plantCards, shelfText } from './support/vectored-cards';

jest.setTimeout(300_000);

const WORKSPACE = 'archive';
/** Five batches of 32: two are 40 %. */
const CARDS = 160;
const [OLD, NEW] = ['openai:emb-old', 'openai:emb-new'] as const;

describeNative('a worker that is killed while it re-embeds', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let temporal: TestWorkflowEnvironment;
  let endpoint: EmbeddingEndpoint;
  let dataDir: string;
  let environment: Record<string, string>;
  const running: Program[] = [];

  beforeAll(async () => {
    [testDatabase, temporal, endpoint] = await Promise.all([
      createTestDatabase(),
      createDevServerEnv(),
      startEmbeddingEndpoint({ 'emb-old': 24, 'emb-new': 64 }),
    ]);
    database = new Database({
      url: testDatabase.url,
      connections: 4,
      acquireTimeoutMs: 20_000,
      onIdleError: () => undefined,
    });
    dataDir = mkdtempSync(join(tmpdir(), 'cairn-reembed-'));
    environment = {
      DATABASE_URL: testDatabase.url,
      TEMPORAL_ADDRESS: temporal.address,
      CAIRN_SECRET_KEY: 'a secret key of the tests, of at least 32 characters',
      CAIRN_BOOTSTRAP_KEY: 'an-owner-key-of-this-test-that-is-long-enough',
      CAIRN_PORT: String(await freePort()),
      OPENAI_BASE_URL: endpoint.baseUrl,
      CAIRN_EMBEDDING_MODEL: 'emb-new',
    };
    await database.inWorkspace(WORKSPACE, (tx) =>
      tx.query('INSERT INTO workspaces (workspace_id, name, created_at) VALUES ($1, $1, now())', [
        WORKSPACE,
      ]),
    );
    const texts = Array.from({ length: CARDS }, (_, at) => shelfText(at));
    await plantCards(database, WORKSPACE, texts, createTestEmbedder(OLD, 24));
  });

  afterAll(async () => {
    for (const program of running) {
      if (program.process.exitCode === null) await program.stop('SIGKILL');
    }
    await endpoint?.close();
    await temporal?.teardown();
    await database?.close();
    await testDatabase?.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  function spawn(command: 'server' | 'worker'): Program {
    const program = Program.spawn(dataDir, environment, command);
    running.push(program);
    return program;
  }

  async function until(check: () => Promise<boolean> | boolean): Promise<void> {
    const deadline = Date.now() + 120_000;
    for (;;) {
      try {
        if (await check()) return;
      } catch {
        // Not there yet.
      }
      if (Date.now() > deadline) throw new Error(running.map((one) => one.output.join('')).join());
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  const rows = <Row>(statement: string) =>
    database.inWorkspace(WORKSPACE, (tx) => tx.query<Row>(statement));
  const served = () => database.inWorkspace(WORKSPACE, servedModels);
  const vectors = async (): Promise<Record<string, number>> => {
    const counts = await rows<{ model: string; count: number }>(
      'SELECT model, count(*) AS count FROM card_embeddings GROUP BY model',
    );
    return Object.fromEntries(counts.map(({ model, count }) => [model, count]));
  };
  /** What was to be embedded, without probes and queries. */
  const embedded = () => endpoint.asked('emb-new').filter((text) => text.includes('Shelf'));

  test('at 40 %, and at the cut, it goes on from its cursor; both sets stay until then, and none is doubled', async () => {
    spawn('server');
    let held = endpoint.holdAt('emb-new', /Shelf/, 3);
    let worker = spawn('worker');
    await held;
    // The third batch is in hand: 40 % are done. Temporal finds out by itself, when the heartbeats are missed.
    await worker.stop('SIGKILL');
    endpoint.release();
    expect(await vectors()).toEqual({ [OLD]: CARDS, [NEW]: 64 });
    expect(await served()).toEqual({ serving: OLD, shadow: NEW });
    expect(worker.output.join('')).toContain(
      `re-embedding ${CARDS} cards of one workspace from ${OLD} to ${NEW}`,
    );

    held = endpoint.holdAt('emb-new', /Shelf/, 2);
    worker = spawn('worker');
    await held;
    // Two connections: within one transaction what others do looks always the same.
    const [lock, look] = [1, 2].map(() => new PgClient({ connectionString: testDatabase.url }));
    if (!lock || !look) throw new Error('two connections');
    await Promise.all([lock.connect(), look.connect()]);
    try {
      await lock.query('BEGIN');
      await lock.query('SELECT 1 FROM workspaces WHERE workspace_id = $1 FOR NO KEY UPDATE', [
        WORKSPACE,
      ]);
      endpoint.release();
      // All are embedded, and the cut stands before the locked row.
      await until(async () => {
        const { rows: blocked } = await look.query(
          `SELECT 1 FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%embedding_shadow%'`,
        );
        return blocked.length > 0;
      });
      await worker.stop('SIGKILL');
      await givenUp(temporal.client);
    } finally {
      await Promise.all([lock.end(), look.end()]);
    }
    expect(await vectors()).toEqual({ [OLD]: CARDS, [NEW]: CARDS });
    expect(await served()).toEqual({ serving: OLD, shadow: NEW });

    spawn('worker');
    const handle = temporal.client.workflow.getHandle(reembedWorkflowId(WORKSPACE, NEW));
    const record: ReembedResult = {
      status: 'completed',
      stopped_by: null,
      model_from: OLD,
      model_to: NEW,
      embedded: CARDS,
      rounds: 1,
      batches: 6,
      linked: 0,
      cleared: CARDS,
    };
    expect(await handle.result()).toEqual(record);
    expect(await vectors()).toEqual({ [NEW]: CARDS });
    expect(await served()).toEqual({ serving: NEW, shadow: null });
    // Only the batch that was in hand at the first kill was asked for once more.
    expect(embedded()).toHaveLength(CARDS + 32);
    expect(new Set(embedded()).size).toBe(CARDS);
    expect(await rows("SELECT state, error, result FROM runs WHERE type = 'reembed'")).toEqual([
      { state: 'completed', error: null, result: record },
    ]);
  });
});
