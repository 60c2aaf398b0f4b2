import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePort } from '../../src/embedded/free-port';

const run = promisify(execFile);

/** `nobody` on every Linux: Postgres refuses to run as root, and this account owns nothing. */
const NOBODY = 65534;
const START_DEADLINE_MS = 30_000;

/** A Postgres server that this run started and that dies with it. */
export interface TestPostgres {
  /** Connection string of a database on this server. */
  url(database: string): string;
  port: number;
  /** The programs it runs from: a copy when the account it runs as cannot reach the original. */
  binDir: string;
  /** The postmaster, for tests that kill it. */
  pid: number;
  /** Stops the server and waits until it is gone. */
  stop(): Promise<void>;
}

export interface TestPostgresOptions {
  /** Folder with `postgres` and `initdb`. */
  binDir: string;
  /** Data, socket and log go here. A folder that already holds a cluster is started as it is. */
  dir: string;
  /** Default: a free one. Name one to come back at the same address after a kill. */
  port?: number;
  /** Keep fsync on, for tests that kill the server and count rows afterwards. Default false. */
  durable?: boolean;
  /** Folder to remove once the server is gone, however its user ended. Default: nothing. */
  remove?: string;
}

/** Starts a Postgres server on 127.0.0.1 with superuser `postgres` and no password. */
export async function startPostgres(options: TestPostgresOptions): Promise<TestPostgres> {
  const account = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const data = join(options.dir, 'data');
  mkdirSync(options.dir, { recursive: true });
  if ('uid' in account) await run('chown', ['-R', `${NOBODY}:${NOBODY}`, options.dir]);
  const binDir = 'uid' in account ? reachableBinaries(options.binDir, options.dir) : options.binDir;

  if (!existsSync(join(data, 'PG_VERSION'))) {
    await run(
      join(binDir, 'initdb'),
      ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '--no-instructions'].concat(
        await localeFlags(binDir),
      ),
      { ...account, cwd: '/' },
    );
  }

  const port = options.port ?? (await freePort());
  const logFile = join(options.dir, 'postgres.log');
  const log = openSync(logFile, 'a');
  const settings = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: options.dir,
    max_connections: '200',
    // Names the tests rely on being the same everywhere.
    timezone: 'UTC',
    ...(options.durable
      ? {}
      : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  const keeper = spawn(
    process.execPath,
    [
      join(__dirname, 'keeper.mjs'),
      JSON.stringify({
        command: join(binDir, 'postgres'),
        args: ['-D', data].concat(
          Object.entries(settings).flatMap(([k, v]) => ['-c', `${k}=${v}`]),
        ),
        ...account,
        // Durable clusters are started again, so they get the shutdown that checkpoints.
        signal: options.durable ? 'SIGINT' : 'SIGQUIT',
        remove: options.remove,
      }),
    ],
    // Its own process group: an interrupt typed at the terminal reaches us first, then the pipe closes.
    { detached: true, cwd: '/', stdio: ['pipe', log, log, 'ipc'] },
  );
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  const pid = await serverPid(keeper);
  await untilReady(url('postgres'), keeper, logFile);
  keeper.disconnect();
  keeper.unref();
  return { url, port, binDir, pid, stop: () => stop(keeper) };
}

async function stop(keeper: ChildProcess): Promise<void> {
  if (keeper.exitCode !== null || keeper.signalCode !== null) return;
  const gone = new Promise((resolve) => keeper.once('exit', resolve));
  keeper.ref();
  keeper.stdin?.end();
  await gone;
}

function serverPid(keeper: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    keeper.once('message', (message: { pid: number }) => resolve(message.pid));
    keeper.once('error', reject);
    keeper.once('exit', () => reject(new Error('the keeper of Postgres ended before its server')));
  });
}

async function untilReady(url: string, keeper: ChildProcess, logFile: string): Promise<void> {
  const deadline = Date.now() + START_DEADLINE_MS;
  for (;;) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      return;
    } catch (cause) {
      if (keeper.exitCode !== null || Date.now() > deadline) {
        const tail = existsSync(logFile) ? readFileSync(logFile, 'utf8').slice(-2000) : '';
        throw new Error(`Postgres did not start.\n${tail}`, { cause });
      }
      await delay(50);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

/** A cache under a home folder that only root may enter is of no use to `nobody`: copy it out. */
function reachableBinaries(binDir: string, dir: string): string {
  if (readableByAll(binDir)) return binDir;
  // The wheel keeps its private libraries beside the package, three levels above the programs.
  const top = join(binDir, '..', '..', '..');
  const copy = join(dir, 'programs');
  if (!existsSync(copy)) cpSync(top, copy, { recursive: true });
  return join(copy, ...binDir.split('/').slice(-3));
}

function readableByAll(path: string): boolean {
  for (let at = path; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o005) !== 0o005) return false;
    if (at === dirname(at)) return true;
  }
}

/** Postgres 17 brought a locale that needs nothing of the system; before it, the C library's serves. */
async function localeFlags(binDir: string): Promise<string[]> {
  const { stdout } = await run(join(binDir, 'postgres'), ['--version']);
  const major = Number(/(\d+)/.exec(stdout)?.[1] ?? 0);
  return major >= 17
    ? ['-E', 'UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    : ['-E', 'UTF8', '--locale=C.UTF-8'];
}
