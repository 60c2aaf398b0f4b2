import { Database } from '../src/store/database';
import { analyzeGrown } from '../src/store/statistics';
import { createTestDatabase, type TestDatabase } from './support/database';

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = new Database({
    url: testDatabase.url,
    connections: 1,
    acquireTimeoutMs: 20_000,
    onIdleError: () => undefined,
  });
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

async function grow(from: number, to: number): Promise<void> {
  await database.asOwner(
    `INSERT INTO workspaces (workspace_id, name, created_at)
     SELECT 'ws-' || n, 'one', now() FROM generate_series(${from}, ${to}) n`,
  );
  // Counts are written down once a second at most; those of just now matter here.
  await database.asOwner('SELECT pg_stat_force_next_flush()');
  await database.asOwner('SELECT 1');
}

async function known(): Promise<number> {
  const [row] = await database.asOwner<{ reltuples: number }>(
    "SELECT reltuples::int FROM pg_class WHERE oid = 'workspaces'::regclass",
  );
  return row?.reltuples ?? Number.NaN;
}

test('a table is analyzed once it has grown by half, and left alone before', async () => {
  await grow(1, 200);
  expect(await analyzeGrown(database)).toContain('public.workspaces');
  expect(await known()).toBe(200);

  await grow(201, 260);
  expect(await analyzeGrown(database)).not.toContain('public.workspaces');
  expect(await known()).toBe(200);

  await grow(261, 500);
  expect(await analyzeGrown(database)).toContain('public.workspaces');
  expect(await known()).toBe(500);
});
