import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection, Client as TemporalClient } from '@temporalio/client';
import { Client } from 'pg';
import { DataDirectory } from '../src/embedded/data-directory';
import { type EmbeddedPostgres, startPglite } from '../src/embedded/pglite-process';
import { type EmbeddedTemporal, startTemporal } from '../src/embedded/temporal-process';
import { askForScrub, scrubTemporal } from '../src/embedded/temporal-scrub';
import { ByteSearch } from '../src/store/byte-search';
import { Database } from '../src/store/database';
import { forgetInPlaces, searchPlaces } from '../src/store/erasure-places';
import { migrate } from '../src/store/migrate';
import { TemporalHistories } from '../src/store/temporal-histories';
import { TermSearch } from '../src/store/term-search';
import { PLANTED_WORDS, writtenForms } from './support/encodings';
import { historyText } from './support/history-text';
import { filesUnder } from './support/program';
import { located, readRunRecord } from './support/run-record';
import { until } from './support/until';

jest.setTimeout(300_000);

const STAYS = 'the lighthouse keeper stays';

describe('the embedded database', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cairn-scrub-'));
  let postgres: EmbeddedPostgres;
  let database: Database;
  const sql = async (statement: string, values: unknown[] = []) => {
    const client = new Client({ connectionString: postgres.url });
    await client.connect();
    try {
      await client.query(statement, values);
    } finally {
      await client.end();
    }
  };
  // That it finds them in each form, another test shows.
  const search = new ByteSearch(PLANTED_WORDS);
  const held = () =>
    filesUnder(dataDir)
      .filter(({ bytes }) => search.hits(bytes).length > 0)
      .map(({ path }) => path.slice(dataDir.length + 1));

  beforeAll(async () => {
    postgres = await startPglite({ dataDir, log: () => undefined });
    await migrate(postgres.url);
    database = new Database({
      url: postgres.url,
      connections: 1,
      acquireTimeoutMs: 30_000,
      onIdleError: () => undefined,
    });
  });
  afterAll(async () => {
    await database.close();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('holds no byte of it, in no form, in tables, log, planner and what was stored beside', async () => {
    await sql("INSERT INTO workspaces (workspace_id, name, created_at) VALUES ('w', 'w', now())");
    // Twice or more, so that the planner remembers them; long and hard to compress, so that they are stored beside.
    for (const word of PLANTED_WORDS) {
      for (const { bytes } of writtenForms(word)) {
        const text = `${bytes.toString('utf8').replaceAll('\0', ' ')} ${word}`;
        await sql(
          `INSERT INTO reasons (workspace_id, id, text, created_at)
           SELECT 'w', gen_random_uuid()::text, $1 || CASE WHEN n > 8 THEN (SELECT string_agg(md5(random()::text), '') FROM generate_series(1, 200)) ELSE '' END, now()
             FROM generate_series(1, 10) n`,
          [text],
        );
      }
      await sql(
        `INSERT INTO subjects (workspace_id, id, name, created_at) VALUES ('w', md5($1), $1, now())`,
        [word],
      );
    }
    await sql(
      `INSERT INTO reasons (workspace_id, id, text, created_at) SELECT 'w', 'stays' || n, $1, now() FROM generate_series(1, 50) n`,
      [STAYS],
    );
    await sql('ANALYZE');
    await sql('CHECKPOINT');
    expect(held()).not.toEqual([]);
    await sql(`DELETE FROM reasons WHERE text <> $1`, [STAYS]);
    await sql('DELETE FROM subjects');

    const files = new DataDirectory(dataDir);
    const places = { database, histories: null, files };
    const terms = { ids: [], texts: PLANTED_WORDS };
    const searched = { workspace: 'w', terms, requestedAt: new Date() };
    const before = await searchPlaces(places, searched);
    expect(before.filter(({ found }) => found > 0).map(({ place }) => place)).toEqual([
      'planner statistics',
      'data directory: postgres',
    ]);
    const after = await forgetInPlaces(places, searched);
    expect(after.filter(({ found }) => found > 0)).toEqual([]);
    expect(after.find(({ place }) => place === 'table reasons')).toEqual({
      place: 'table reasons',
      searched: 50,
      found: 0,
    });
    expect(held()).toEqual([]);
    await postgres.stop();
    expect(held()).toEqual([]);
    expect(filesUnder(dataDir).some(({ bytes }) => bytes.includes(STAYS))).toBe(true);
    postgres = await startPglite({ dataDir, log: () => undefined });
  });
});

describe('Temporal on its file', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cairn-scrub-temporal-'));
  const GOES = 'order-of-anna-7';
  let temporal: EmbeddedTemporal | undefined;
  const start = async () => {
    temporal = await startTemporal({
      executable: located(readRunRecord().temporalCli),
      dataDir,
      log: () => undefined,
    });
    const connection = await Connection.connect({ address: temporal.address });
    return { connection, client: new TemporalClient({ connection }) };
  };
  const stop = async () => {
    await temporal?.stop();
    temporal = undefined;
  };

  afterAll(async () => {
    await stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('holds no byte of an execution that was deleted, and every other one as it was', async () => {
    const first = await start();
    const run = (workflowId: string, told: string, type = 'capture') =>
      first.client.workflow.start(type, {
        taskQueue: 'nobody',
        workflowId,
        // Temporal keeps a task for it until then; of one that has ended, one until its retention ends.
        startDelay: '1 hour',
        args: [{ told }],
      });
    const long = `${GOES} `.repeat(1_000);
    await run(`capture/w/${GOES}`, long);
    await (await run(`learn/w/${GOES}`, long, 'learn')).terminate();
    await (await run('night/w/consolidation', long, 'fanOut')).terminate();
    await run(`capture/w/${GOES}-not`, 'of another');
    await (await run('capture/w/stays-1', 'kept '.repeat(2_000))).terminate();
    await run('capture/other/stays-2', GOES.toUpperCase());
    // What was just started is listed a moment later.
    const count = async () => (await first.client.workflow.count()).count;
    await until('all six are listed', async () => (await count()) >= 6, { otherwise: count });
    const terms = { ids: [GOES], texts: [] };
    const search = new TermSearch(terms);
    const histories = new TemporalHistories(first.client);
    expect((await histories.search('w', search, () => undefined)).found).toBe(3);
    const asked = { search, ids: new Set(terms.ids), onProgress: () => undefined };
    const { place, deleted } = await histories.forget('w', asked);
    expect(place).toEqual({ place: 'temporal histories', searched: 5, found: 0 });
    expect(deleted.sort()).toEqual([`capture/w/${GOES}`, `learn/w/${GOES}`]);
    expect((await histories.search('w', search, () => undefined)).found).toBe(0);
    const directory = new DataDirectory(dataDir);
    await directory.scrubTemporalLater([]);
    rmSync(join(dataDir, 'temporal-scrub'));
    await first.connection.close();
    await stop();
    const naming = (name: RegExp) =>
      filesUnder(dataDir)
        .filter(({ bytes }) => name.test(bytes.toString('latin1')))
        .map(({ path }) => path.slice(dataDir.length + 1));
    const goes = new RegExp(`${GOES}(?!-not)`);
    expect(naming(goes)).not.toEqual([]);
    expect(scrubTemporal(dataDir)).toBe(false);
    askForScrub(dataDir, deleted);
    expect(naming(goes)).not.toContain('temporal-scrub');
    expect(scrubTemporal(dataDir)).toBe(true);
    expect(naming(goes)).toEqual([]);
    expect(naming(new RegExp(GOES.toUpperCase()))).toEqual(['temporal.db']);
    expect(existsSync(join(dataDir, 'temporal.db-wal'))).toBe(false);

    const again = await start();
    const listed: string[] = [];
    for await (const { workflowId } of again.client.workflow.list()) listed.push(workflowId);
    expect(listed.sort()).toEqual([
      'capture/other/stays-2',
      `capture/w/${GOES}-not`,
      'capture/w/stays-1',
    ]);
    const kept = await again.client.workflow.getHandle('capture/w/stays-1').fetchHistory();
    expect(historyText(kept)).toContain('kept '.repeat(2_000));
    await again.connection.close();
    await stop();
  });
});
