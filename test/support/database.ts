import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startPglite } from '../../src/embedded/pglite-process';
import { createDatabase, withDatabase } from './admin';
import { readRunRecord } from './run-record';

export interface TestDatabase {
  /** Connection string of a migrated database that no other test file sees. */
  url: string;
  kind: 'native' | 'pglite';
  /** Ends every connection to it and removes it. */
  drop(): Promise<void>;
}

/**
 * A migrated, empty database for one test file: a clone of the run's template on a native Postgres,
 * else a PGlite process of its own.
 *
 * @example
 * let database: TestDatabase;
 * beforeAll(async () => { database = await createTestDatabase(); });
 * afterAll(() => database.drop());
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { adminUrl, template, databaseError } = readRunRecord();
  if (databaseError !== null) throw new Error(databaseError);
  if (adminUrl === null) return copiedPglite(template);
  const name = `cairn_${process.pid}_${randomBytes(4).toString('hex')}`;
  const url = await createDatabase(adminUrl, name, template);
  const drop = () => withDatabase(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  return { url, kind: 'native', drop };
}

async function copiedPglite(template: string): Promise<TestDatabase> {
  const dataDir = mkdtempSync(join(dirname(template), 'pglite-'));
  cpSync(template, dataDir, { recursive: true });
  const server = await startPglite({ dataDir, log: () => undefined });
  const drop = async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { url: server.url, kind: 'pglite', drop };
}

/** `describe` for what one session cannot show: concurrency, roles, kills, several processes. */
export function describeNative(name: string, suite: () => void): void {
  if (readRunRecord().database === 'native') describe(name, suite);
  else describe.skip(`${name} [needs native Postgres]`, suite);
}
