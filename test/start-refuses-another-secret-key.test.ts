import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions } from '../src/config/options';
import { startFailure } from '../src/config/start-failure';
import { Database } from '../src/store/database';
import { confirmSecretKey, OtherSecretKey } from '../src/store/installation';
import { withDatabase } from './support/admin';
import { createTestDatabase, type TestDatabase } from './support/database';
import { Program } from './support/program';

jest.setTimeout(180_000);

const [ONE, OTHER] = ['one', 'another'].map((name) => `${name} key of the tests, of 32 characters`);
const now = new Date('2026-03-02T12:00:00Z');

let testDatabase: TestDatabase;
let database: Database;
let dir: string;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = new Database({
    url: testDatabase.url,
    connections: testDatabase.kind === 'native' ? 4 : 1,
    acquireTimeoutMs: 20_000,
    onIdleError: () => undefined,
  });
  dir = mkdtempSync(join(tmpdir(), 'cairn-keys-'));
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
  rmSync(dir, { recursive: true, force: true });
});

describe('one installation has one secret key', () => {
  it('the first process leaves its fingerprint, and of several at once one', async () => {
    const keys = Array.from({ length: 4 }, () => confirmSecretKey(database, ONE ?? '', now));
    expect(await Promise.all(keys)).toEqual([true, true, true, true]);
    const rows = await database.acrossWorkspaces((tx) =>
      tx.query<{ key_fingerprint: Buffer }>('SELECT * FROM installation'),
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(ONE);
  });

  it('another key is refused, by a sentence, and changes nothing', async () => {
    await expect(confirmSecretKey(database, OTHER ?? '', now)).rejects.toThrow(OtherSecretKey);
    expect(await confirmSecretKey(database, ONE ?? '', now)).toBe(true);
  });

  it('a database that nobody has migrated yet is no other key', async () => {
    await withDatabase(testDatabase.url, 'ALTER TABLE installation RENAME TO installation_away');
    expect(await confirmSecretKey(database, ONE ?? '', now)).toBe(false);
    await withDatabase(testDatabase.url, 'ALTER TABLE installation_away RENAME TO installation');
  });

  it.each(['server', 'worker'] as const)('`cairn %s` ends and says why', async (command) => {
    const program = Program.spawn(
      join(dir, command),
      {
        DATABASE_URL: testDatabase.url,
        TEMPORAL_ADDRESS: '127.0.0.1:1',
        CAIRN_SECRET_KEY: OTHER ?? '',
      },
      command,
    );
    expect(await program.exited).toBe(1);
    const output = program.output.join('');
    expect(output).toContain('made with another CAIRN_SECRET_KEY');
    expect(output).not.toMatch(/^\s+at /m);
    expect(output).not.toContain(OTHER);
  });
});

describe('what keeps a start from working is one sentence', () => {
  it('Postgres and Temporal by their addresses, without passwords', async () => {
    const environment = { CAIRN_SECRET_KEY: ONE ?? '' };
    const away = Program.spawn(
      join(dir, 'away'),
      {
        ...environment,
        DATABASE_URL: 'postgres://cairn:pass-phrase@127.0.0.1:1/cairn',
        TEMPORAL_ADDRESS: '127.0.0.1:1',
      },
      'server',
    );
    const alone = Program.spawn(
      join(dir, 'alone'),
      { ...environment, DATABASE_URL: testDatabase.url, TEMPORAL_ADDRESS: '127.0.0.1:1' },
      'worker',
    );
    expect([await away.exited, await alone.exited]).toEqual([1, 1]);
    expect(away.output.join('')).toMatch(
      /Postgres does not answer at 127\.0\.0\.1:1 \(ECONNREFUSED\): .*DATABASE_URL/,
    );
    expect(away.output.join('')).not.toContain('pass-phrase');
    expect(alone.output.join('')).toMatch(/Temporal does not answer at 127\.0\.0\.1:1: /);
  });

  it('a data directory that cannot be', async () => {
    const file = join(dir, 'a-file');
    writeFileSync(file, '');
    mkdirSync(join(dir, 'data'), { recursive: true });
    const program = Program.spawn(join(file, 'data'), { DATABASE_URL: '', TEMPORAL_ADDRESS: '' });
    expect(await program.exited).toBe(1);
    const output = program.output.join('');
    expect(output).toMatch(/cannot be written \(ENOTDIR\): .*CAIRN_DATA_DIR/);
  });

  const where = {
    databaseUrl: 'postgres://u:p@db.internal/cairn',
    temporalAddress: 'temporal.internal:7233',
    temporalNamespace: 'fleet',
    dataDir: '/var/lib/cairn',
  };
  it.each([
    ['28P01', 'Postgres at db.internal:5432 refuses (28P01): the password of DATABASE_URL'],
    ['3D000', 'Postgres at db.internal:5432 refuses (3D000): the database of DATABASE_URL'],
    ['ENOTFOUND', 'Postgres does not answer at db.internal:5432 (ENOTFOUND)'],
  ])('the code %s', (code, sentence) => {
    const told = startFailure(Object.assign(new Error('raw'), { code }), where);
    expect((told as Error).message).toContain(sentence);
  });

  it('of a name with two addresses the first, and what it does not know as it is', () => {
    const refused = Object.assign(new Error('raw'), { code: 'ECONNREFUSED' });
    const both = new AggregateError([refused, refused]);
    expect((startFailure(both, where) as Error).message).toContain('ECONNREFUSED');
    const unknown = new Error('the migration 0001 fails');
    expect(startFailure(unknown, where)).toBe(unknown);
  });
});

describe('where a worker listens', () => {
  const listenOf = (value: string) => readOptions({ CAIRN_WORKER_LISTEN: value }).workerListen;

  it.each([
    ['9464', { host: '127.0.0.1', port: 9464 }],
    ['0.0.0.0:9464', { host: '0.0.0.0', port: 9464 }],
    ['[::1]:80', { host: '::1', port: 80 }],
    ['', null],
  ])('%s is read', (value, listen) => {
    expect(listenOf(value)).toEqual(listen);
  });

  it.each(['worker', '127.0.0.1:', ':9464', '127.0.0.1:99999', 'a:b:1'])(
    '%s is refused',
    (value) => {
      expect(() => listenOf(value)).toThrow(/CAIRN_WORKER_LISTEN/);
    },
  );
});
