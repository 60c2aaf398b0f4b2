import { mkdtempSync, rmSync } from 'node:fs';
import { connect as connectSocket, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { type EmbeddedPostgres, startPglite } from '../src/embedded/pglite-process';
import { upkeep } from '../src/embedded/pglite-upkeep';
import { until } from './support/until';

// A busy machine takes its time over the start of a server.
jest.setTimeout(180_000);

let dataDir: string;
let postgres: EmbeddedPostgres;
let first: Client;
const logged: string[] = [];

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'cairn-pglite-'));
  postgres = await startPglite({ dataDir, log: (line) => logged.push(line) });
  first = await connect();
  await first.query('CREATE EXTENSION vector');
});
afterAll(async () => {
  await first.end();
  await postgres.stop();
  rmSync(dataDir, { recursive: true });
});

it('lets a second client wait for the end of a transaction, and see all of it', async () => {
  await first.query('CREATE TABLE ledger (entry int)');
  await first.query('BEGIN');
  await first.query('INSERT INTO ledger VALUES (1)');
  const second = connect().then(async (client) => {
    const { rows } = await client.query('SELECT entry FROM ledger ORDER BY entry');
    await client.end();
    return rows;
  });
  const early = await Promise.race([second, sleep(200, 'waiting')]);
  expect(early).toBe('waiting');
  await first.query('INSERT INTO ledger VALUES (2)');
  await first.query('COMMIT');
  expect(await second).toEqual([{ entry: 1 }, { entry: 2 }]);
});

it('never answers one client with the rows of another that comes between', async () => {
  const slow = await RawClient.connect(port());
  slow.send('P', '\0', "SELECT 'mine' AS whose\0", '\0\0');
  await slow.received('1');
  // The unnamed statement now belongs to the slow client, which has not run it yet.
  const other = first.query('SELECT $1::text AS whose', ['other']);
  expect(await Promise.race([other, sleep(100, 'waiting')])).toBe('waiting');
  slow.send('B', '\0\0', '\0\0\0\0\0\0');
  slow.send('E', '\0', '\0\0\0\0');
  slow.send('S');
  expect(await slow.received('Z')).toContain('mine');
  expect((await other).rows).toEqual([{ whose: 'other' }]);
  slow.close();
});

it('rolls back what a vanished client had begun, and goes on', async () => {
  await first.query('CREATE TABLE half (id int)');
  const vanishing = await connect();
  await vanishing.query('BEGIN');
  await vanishing.query('INSERT INTO half VALUES (1)');
  (vanishing as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
  expect((await first.query('SELECT count(*)::int AS n FROM half')).rows).toEqual([{ n: 0 }]);

  const unsynced = await RawClient.connect(port());
  unsynced.send('P', '\0', 'SELECT nonsense\0', '\0\0');
  await unsynced.received('E');
  unsynced.close();
  expect((await first.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

it('holds the wall between workspaces: roles, forced row security, local settings', async () => {
  await first.query(`
    CREATE ROLE app NOLOGIN NOBYPASSRLS;
    CREATE TABLE walled (workspace text, id int, embedding vector(3), body jsonb);
    ALTER TABLE walled ENABLE ROW LEVEL SECURITY;
    ALTER TABLE walled FORCE ROW LEVEL SECURITY;
    CREATE POLICY own ON walled USING (workspace = current_setting('cairn.workspace', true));
    GRANT ALL ON walled TO app;
    INSERT INTO walled VALUES ('a', 1, '[1,0,0]', '{}'), ('a', 2, '[0,1,0]', '{}'),
                              ('b', 3, '[1,0,0]', '{}')`);
  await first.query('BEGIN');
  await first.query('SET LOCAL ROLE app');
  await first.query("SELECT set_config('cairn.workspace', $1, true)", ['a']);
  const near = await first.query('SELECT id FROM walled ORDER BY embedding <=> $1', ['[0,1,0]']);
  expect(near.rows).toEqual([{ id: 2 }, { id: 1 }]);
  await expect(first.query("INSERT INTO walled VALUES ('b', 4)")).rejects.toThrow(
    /row-level security/,
  );
  await first.query('ROLLBACK');
  const after = await first.query("SELECT current_user, current_setting('cairn.workspace') AS w");
  expect(after.rows).toEqual([{ current_user: 'postgres', w: '' }]);
});

it('keeps content out of its log', async () => {
  const planted = ['planted', 'words', Date.now()].join('-');
  await first.query('CREATE TABLE strict (body text UNIQUE)');
  await first.query('INSERT INTO strict VALUES ($1)', [planted]);
  await expect(first.query('INSERT INTO strict VALUES ($1)', [planted])).rejects.toThrow();
  await expect(first.query(`SELECT '${planted}'::int`)).rejects.toThrow();
  expect(logged.join('\n')).not.toContain(planted);
});

it('recycles no write-ahead log, where erased rows would live on', async () => {
  expect((await first.query('SHOW wal_recycle')).rows).toEqual([{ wal_recycle: 'off' }]);
  expect((await first.query('SHOW fsync')).rows).toEqual([{ fsync: 'on' }]);
});

it('vacuums and checkpoints without the processes Postgres has for it elsewhere', async () => {
  await first.query('CREATE TABLE churn (id int PRIMARY KEY, body text)');
  for (let round = 0; round < 4; round += 1) {
    await first.query(`INSERT INTO churn SELECT id, repeat('x', 600) FROM generate_series(1, 25000) id
      ON CONFLICT (id) DO UPDATE SET body = excluded.body`);
  }
  expect(await churn()).toMatchObject({ dead: expect.any(Number), vacuumed: false, due: true });
  await upkeep(port());
  expect(await churn()).toEqual({ dead: 0, vacuumed: true, due: false });
});

/** `due`: more write-ahead log than a crash should have to replay. */
async function churn(): Promise<{ dead: number; vacuumed: boolean; due: boolean } | undefined> {
  const { rows } = await first.query<{ dead: number; vacuumed: boolean; due: boolean }>(`
    SELECT n_dead_tup::int AS dead, last_vacuum IS NOT NULL AS vacuumed,
           pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn) > 64 * 1024 * 1024 AS due
      FROM pg_stat_user_tables, pg_control_checkpoint()
     WHERE relname = 'churn'`);
  return rows[0];
}

function port(): number {
  return Number(new URL(postgres.url).port);
}

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: postgres.url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** A client that says one protocol message at a time, as `pg` cannot. */
class RawClient {
  #answer = '';
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      this.#answer += chunk;
    });
  }

  static async connect(port: number): Promise<RawClient> {
    const client = new RawClient(connectSocket(port, '127.0.0.1'));
    const body = Buffer.from('\0\x03\0\0user\0postgres\0database\0postgres\0\0', 'latin1');
    client.#socket.write(Buffer.concat([length(body.length + 4), body]));
    await client.received('Z');
    return client;
  }

  send(type: string, ...parts: string[]): void {
    const body = Buffer.from(parts.join(''), 'latin1');
    this.#socket.write(Buffer.concat([Buffer.from(type), length(body.length + 4), body]));
  }

  /** Waits for a message of that type; answers everything received since the last one. */
  async received(type: string): Promise<string> {
    await until(`a message ${type} comes`, () => types(this.#answer).includes(type), {
      pause: 5,
      otherwise: () => types(this.#answer),
    });
    const answer = this.#answer;
    this.#answer = '';
    return answer;
  }

  close(): void {
    this.#socket.destroy();
  }
}

function types(answer: string): string {
  const bytes = Buffer.from(answer, 'latin1');
  let found = '';
  for (let at = 0; at + 5 <= bytes.length; at += 1 + bytes.readInt32BE(at + 1)) {
    found += String.fromCharCode(bytes[at] as number);
  }
  return found;
}

function length(bytes: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeInt32BE(bytes);
  return buffer;
}
