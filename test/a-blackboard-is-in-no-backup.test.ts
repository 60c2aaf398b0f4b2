import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { migrate } from '../src/store/migrate';
import { withDatabase } from './support/admin';
import { startApi } from './support/api';
import { describeNative } from './support/database';
import { startPostgres, type TestPostgres } from './support/postgres';
import { readRunRecord } from './support/run-record';
import { SessionLane } from './support/sessions';

jest.setTimeout(180_000);

const run = promisify(execFile);
const { postgresBinDir } = readRunRecord();
// Skipped where the run was given a server of somebody else's, which is not ours to kill; the name says so.
const suite = postgresBinDir === null ? describe.skip : describeNative;

/** Of the blackboard, and of a note that has to be in every backup. */
const WORD = 'quicksilver';
const NOTE = 'cornerstone';

suite('a blackboard and the backups of its Postgres [needs its own Postgres]', () => {
  const root = mkdtempSync(join(tmpdir(), 'cairn-backup-'));
  // Postgres runs as another account where we are root, and has to get in.
  chmodSync(root, 0o755);
  const servers: TestPostgres[] = [];
  let first: TestPostgres;

  const start = async (dir: string) => {
    const server = await startPostgres({
      binDir: postgresBinDir as string,
      dir: join(root, dir),
      durable: true,
    });
    servers.push(server);
    return server;
  };
  /** The API on that server's database; it goes, the database stays. */
  const on = async <T>(server: TestPostgres, work: (lane: SessionLane) => Promise<T>) => {
    const url = server.url('cairn');
    const api = await startApi({
      testDatabase: { url, kind: 'native', drop: async () => undefined },
    });
    try {
      return await work(new SessionLane(api));
    } finally {
      await api.close();
    }
  };

  beforeAll(async () => {
    first = await start('first');
    await withDatabase(first.url('postgres'), 'CREATE DATABASE cairn');
    await migrate(first.url('cairn'));
    await on(first, async (lane) => {
      await lane.spawn({ lead: null });
      const note = { body: { value: NOTE }, headers: { 'cairn-agent': 'lead' } };
      await lane.done('PUT', '/v1/notes/kept', note);
      expect((await lane.put('lead', 'run-1', 'plan', WORD)).status).toBe(201);
      const written = await lane.put('lead', 'run-1', 'last', WORD);
      expect(written.body.version).toBe(2);
    });
  });
  afterAll(async () => {
    for (const server of servers) await server.stop().catch(() => undefined);
    rmSync(root, { recursive: true, force: true });
  });

  test('a dump as the docs have it holds everything else', async () => {
    const docs = readFileSync(join(__dirname, '..', 'docs', 'working-memory.md'), 'utf8');
    const [, flags] = /^pg_dump (.*) "\$DATABASE_URL"$/m.exec(docs) ?? [];
    expect(flags).toContain('--no-unlogged-table-data');
    const dump = async (...args: string[]) => {
      const { stdout } = await run(join(first.binDir, 'pg_dump'), [...args, first.url('cairn')], {
        maxBuffer: 64 * 1024 * 1024,
      });
      return stdout;
    };
    const documented = await dump(...(flags ?? '').split(' '));
    expect(documented).toContain(NOTE);
    expect(documented).not.toContain(WORD);
    expect(documented).toContain('CREATE UNLOGGED TABLE public.blackboard');
    // What the flag is for.
    expect(await dump()).toContain(WORD);
  });

  test('a copy made from the log has it empty, and takes the next session', async () => {
    const copy = join(root, 'copy');
    await run('mkdir', ['-p', copy]);
    await run(join(first.binDir, 'pg_basebackup'), [
      ...['-D', join(copy, 'data'), '-h', '127.0.0.1', '-p', String(first.port)],
      ...['-U', 'postgres', '-X', 'stream', '--checkpoint=fast', '--no-sync'],
    ]);
    await on(await start('copy'), expectEmptyAndAtWork);
  });

  test('a crash empties it, no version comes twice, and everything goes on', async () => {
    process.kill(first.pid, 'SIGKILL');
    await first.stop().catch(() => undefined);
    await on(await start('first'), expectEmptyAndAtWork);
  });
});

async function expectEmptyAndAtWork(lane: SessionLane): Promise<void> {
  expect(await lane.stored('run-1')).toEqual([]);
  expect((await lane.get('lead', 'run-1', 'plan')).status).toBe(404);
  const session = await lane.as('lead', 'GET', 'run-1');
  expect(session.body).toMatchObject({ root_agent: 'lead', status: 'open', keys: 0, bytes: 0 });
  const again = await lane.put('lead', 'run-1', 'plan', 'anew');
  expect([again.status, again.body.version]).toEqual([201, 3]);
  expect((await lane.get('lead', 'run-1', 'plan')).body.value).toBe('anew');
  const headers = { 'cairn-agent': 'lead' };
  expect((await lane.done('GET', '/v1/notes/kept', { headers })).body.value).toBe(NOTE);
}
