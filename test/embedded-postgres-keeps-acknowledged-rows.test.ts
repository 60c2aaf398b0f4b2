import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { type EmbeddedPostgres, startPglite } from '../src/embedded/pglite-process';
import { until } from './support/until';

// The first start of a database is ten times the work of the next, and two happen here.
jest.setTimeout(180_000);

let template: string;
let dataDir: string;
let postgres: EmbeddedPostgres | undefined;

beforeAll(async () => {
  template = mkdtempSync(join(tmpdir(), 'cairn-pglite-'));
  await (await startPglite({ dataDir: template, log: () => undefined })).stop();
});
afterAll(() => rmSync(template, { recursive: true }));
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'cairn-pglite-'));
});
afterEach(async () => {
  await postgres?.stop();
  rmSync(dataDir, { recursive: true });
});

it('has every acknowledged row after a SIGKILL in the middle of writing', async () => {
  cpSync(template, dataDir, { recursive: true });
  postgres = await start();
  const writer = await connect(postgres.url);
  await writer.query('CREATE TABLE captured (id int PRIMARY KEY, body text)');
  let acknowledged = 0;
  const write = async (): Promise<void> => {
    for (let id = 1; ; id += 1) {
      await writer.query('INSERT INTO captured VALUES ($1, $2)', [id, 'x'.repeat(500)]);
      acknowledged = id;
      if (id === 200) process.kill((postgres as EmbeddedPostgres).pid, 'SIGKILL');
    }
  };
  await expect(write()).rejects.toThrow();
  expect(await postgres.exited).toMatch(/SIGKILL/);
  expect(acknowledged).toBeGreaterThanOrEqual(200);

  // The same directory, with the pid file and the write-ahead log as the kill left them.
  postgres = await start();
  const reader = await connect(postgres.url);
  const { rows } = await reader.query<{ ids: number[] }>(
    'SELECT array_agg(id ORDER BY id) AS ids FROM captured',
  );
  const ids = rows[0]?.ids ?? [];
  expect(ids.slice(0, acknowledged)).toEqual(
    Array.from({ length: acknowledged }, (_, index) => index + 1),
  );
  // One more may have been committed and not yet acknowledged.
  expect(ids.length - acknowledged).toBeLessThanOrEqual(1);
  await reader.end();
});

it('has what was committed and nothing of what was not, after a stop', async () => {
  cpSync(template, dataDir, { recursive: true });
  postgres = await start();
  const client = await connect(postgres.url);
  await client.query('CREATE TABLE kept (id int)');
  await client.query('INSERT INTO kept VALUES (1)');
  await client.query('BEGIN');
  await client.query('INSERT INTO kept VALUES (2)');
  await postgres.stop();
  expect(await postgres.exited).toBeUndefined();

  postgres = await start();
  const again = await connect(postgres.url);
  expect((await again.query('SELECT id FROM kept')).rows).toEqual([{ id: 1 }]);
  await again.end();
});

it('begins anew where the first start was cut short', async () => {
  const first = startPglite({ dataDir, log: () => undefined });
  // Nothing was ready, so nothing can have been stored.
  const halfway = join(dataDir, 'postgres', 'PG_VERSION');
  const pidFile = join(dataDir, 'pglite.pid');
  await until('the first start is halfway', () => existsSync(halfway), { pause: 5 });
  process.kill((JSON.parse(readFileSync(pidFile, 'utf8')) as { pid: number }).pid, 'SIGKILL');
  await expect(first).rejects.toThrow(/ended before it was ready: SIGKILL/);

  postgres = await start();
  const client = await connect(postgres.url);
  expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  await client.end();
});

function start(): Promise<EmbeddedPostgres> {
  return startPglite({ dataDir, log: () => undefined });
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
