import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Database, isUnavailable } from '../src/store/database';
import { withDatabase } from './support/admin';
import { startApi, type TestApi } from './support/api';
import { createTestDatabase, describeNative, type TestDatabase } from './support/database';
import { readRunRecord } from './support/run-record';

function databaseAt(url: string): Database {
  return new Database({ url, connections: 2, acquireTimeoutMs: 500, onIdleError: () => undefined });
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('an address without a Postgres', () => {
  it('where nothing listens says that it is away', async () => {
    const database = databaseAt('postgres://nobody@127.0.0.1:1/none');
    expect(isUnavailable(await failureOf(database.inWorkspace('default', async () => 1)))).toBe(
      true,
    );
    await database.close();
  });

  it('where somebody listens and never answers says so too', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const database = databaseAt(`postgres://nobody@127.0.0.1:${port}/none`);
    expect(isUnavailable(await failureOf(database.inWorkspace('default', async () => 1)))).toBe(
      true,
    );
    await database.close();
    silent.close();
  });
});

describeNative('a connection that is lost inside a transaction', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    database = databaseAt(testDatabase.url);
  });
  afterAll(async () => {
    await database?.close();
    await testDatabase?.drop();
  });

  it('says so at every statement after it, and the next transaction has another one', async () => {
    const failures: unknown[] = [];
    const outcome = database.inWorkspace('default', async (tx) => {
      const { pid } = await tx.one<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await withDatabase(testDatabase.url, `SELECT pg_terminate_backend(${pid})`);
      await sleep(200);
      // The driver has one sentence for the first of these and another for those that follow.
      for (const statement of ['SELECT 1', 'SELECT 2', 'SELECT 3']) {
        failures.push(await failureOf(tx.query(statement)));
      }
      throw failures[0];
    });
    expect(isUnavailable(await failureOf(outcome))).toBe(true);
    expect(failures.map(isUnavailable)).toEqual([true, true, true]);
    const one = await database.inWorkspace('default', (tx) => tx.one('SELECT 1 AS one'));
    expect(one).toEqual({ one: 1 });
  });

  it('is told apart from a statement that is wrong and from a value that cannot be written', async () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    for (const values of [undefined, [circular]]) {
      const statement = values === undefined ? 'SELEKT 1' : 'SELECT $1::jsonb';
      const failure = await failureOf(
        database.inWorkspace('default', (tx) => tx.query(statement, values)),
      );
      expect(failure).toBeInstanceOf(Error);
      expect(isUnavailable(failure)).toBe(false);
    }
  });
});

describeNative('a server that turned read-only, after a failover or on a full disk', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi();
  });
  afterAll(() => api.close());

  it('is away: events are refused with 503 and the time to come back, and taken again afterwards', async () => {
    const event = {
      event_id: 'while-read-only',
      kind: 'observation',
      agent: 'scout',
      outcome: 'neutral',
      occurred_at: '2026-03-01T10:00:00Z',
      text: 'the disk is full',
    };
    const { pathname } = new URL(api.testDatabase.url);
    const name = `"${pathname.slice(1)}"`;
    const turn = async (mode: 'on' | 'off'): Promise<void> => {
      await withDatabase(
        readRunRecord().adminUrl ?? '',
        `ALTER DATABASE ${name} SET default_transaction_read_only = ${mode}`,
      );
      await withDatabase(
        api.testDatabase.url,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
      await sleep(200);
    };
    await turn('on');
    const refused = await api.call('POST', '/v1/events', { body: event });
    await turn('off');
    const taken = await api.call('POST', '/v1/events', { body: event });

    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(taken.status).toBe(202);
    expect(taken.body.items).toMatchObject([{ status: 'accepted' }]);
  });
});
