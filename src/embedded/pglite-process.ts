/**
 * Postgres for one machine: PGlite with pgvector, in a process of its own.
 *
 * Measured with PGlite 0.5.14 (Postgres 18.6, pgvector 0.8.7) on Node 20, two cores:
 *
 * - A first start takes 3.5 s (initdb) and about 500 MB while it lasts, a later one 0.5 s and
 *   300 MB; a committed one-row insert over the socket 0.9 ms with a real fsync, 0.5 ms without.
 * - It works as elsewhere: roles, `SET LOCAL ROLE`, `set_config(…, true)`, row-level security with
 *   FORCE, `vector` with `<=>` and HNSW, triggers, partial unique indexes, jsonb, text search,
 *   UNLOGGED tables, `pg_current_xact_id`, advisory locks, savepoints.
 * - All clients share **one session**. A second client's first word waits until the first client's
 *   transaction ends; a client that vanishes inside a transaction is rolled back. What is set for a
 *   session (SET, named statements, LISTEN, temporary tables, advisory session locks) is set for
 *   all clients: set nothing.
 * - `statement_timeout`, `lock_timeout` and query cancellation never fire, since nothing runs beside
 *   the statement: a client that must not wait needs a deadline of its own.
 * - After SIGKILL every acknowledged row is there at the next start; `postmaster.pid` that stays
 *   behind is no obstacle. Two processes on one directory would destroy it: `pglite.pid` and the
 *   lock of the data directory keep them apart.
 * - A statement nested too deep (JSON of about 8,000 levels) is refused as elsewhere. One that ends
 *   the WebAssembly stack all the same (100,000 levels, a function that calls itself for ever) ends
 *   the process, since PGlite by itself would answer no rows and no error; the rest is recovered.
 * - There is no background checkpoint and no autovacuum; `pglite-upkeep.ts` stands in.
 * - `wal_recycle = off` is accepted.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { entrySource } from '../models/entry-source';
import { freePort } from './free-port';
import type { PgliteMessage } from './pglite-main';
import { endLeftover, rememberProcess } from './process-identity';

export interface PgliteOptions {
  /** The directory that will hold `postgres/` and `pglite.pid`. */
  readonly dataDir: string;
  /** A free one by default. */
  readonly port?: number;
  readonly log: (line: string) => void;
}

export interface EmbeddedProcess {
  readonly pid: number;
  /** Settles when the process is gone, with the reason if nobody asked for it. */
  readonly exited: Promise<string | undefined>;
  /** Ends it in order; resolves when it is gone. Calling it twice is fine. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgres extends EmbeddedProcess {
  /** For `pg`: user and database `postgres`, no password, loopback only, no TLS. */
  readonly url: string;
}

/**
 * KB of V8's stack, four times the default and half of what Linux and macOS give a main thread: with
 * the default it ends before Postgres's own check of depth refuses.
 */
const STACK_KB = 3_900;
/** initdb takes 3.5 s of CPU; on a machine with a load of 17 a first start took 40 s. */
const START_DEADLINE_MS = 120_000;
/** Another program may take a free port before the database binds it. */
const PORT_TRIES = 3;
/** A shutdown checkpoint, and fsync of every file. */
const STOP_DEADLINE_MS = 20_000;

/**
 * Starts the database and waits until it answers.
 *
 * @throws when it is not ready within two minutes or ends before; the message holds its last words
 */
export async function startPglite(options: PgliteOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log } = options;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const pidFile = join(dataDir, 'pglite.pid');
  const ended = await endLeftover(pidFile, STOP_DEADLINE_MS);
  if (ended !== undefined) log(`ended process ${ended}, a database left by a start that died`);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOnce(options, pidFile);
    } catch (error) {
      const taken = /EADDRINUSE/.test(String(error));
      if (options.port !== undefined || !taken || attempt === PORT_TRIES) throw error;
      log('a port was taken in the meantime, starting the database on another');
    }
  }
}

async function startOnce(options: PgliteOptions, pidFile: string): Promise<EmbeddedPostgres> {
  const { dataDir, log } = options;
  const port = options.port ?? (await freePort());
  const code = entrySource(__dirname, 'pglite-main');
  const node = [`--stack-size=${STACK_KB}`, '-e', code];
  const child = spawn(process.execPath, [...node, '--', join(dataDir, 'postgres'), `${port}`], {
    // It needs no key and no setting of ours: what it does not have it cannot leak.
    env: {},
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const exited = exitOf(child);
  try {
    if (child.pid !== undefined) await rememberProcess(pidFile, child.pid);
    await ready(child, log, exited);
  } catch (error) {
    child.kill('SIGKILL');
    await exited;
    throw error;
  }

  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_DEADLINE_MS);
    await exited;
    clearTimeout(timer);
    await rm(pidFile, { force: true });
  };
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres?sslmode=disable`,
    pid: child.pid as number,
    exited: exited.then((reason) => (stopping === undefined ? reason : undefined)),
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

function ready(
  child: ChildProcess,
  log: (line: string) => void,
  exited: Promise<string>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`the embedded Postgres was not ready in ${START_DEADLINE_MS} ms`)),
      START_DEADLINE_MS,
    );
    child.on('message', (message: PgliteMessage) => {
      switch (message.type) {
        case 'ready':
          clearTimeout(timer);
          resolve();
          break;
        case 'log':
          log(message.line);
          break;
        default:
          message satisfies never;
      }
    });
    void exited.then((reason) => {
      clearTimeout(timer);
      reject(new Error(`the embedded Postgres ended before it was ready: ${reason}`));
    });
  });
}

/** Never rejects: a process that cannot be started has ended too. */
function exitOf(child: ChildProcess): Promise<string> {
  let words = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    words = (words + chunk).slice(-2_000);
  });
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => resolve(`${signal ?? `status ${code}`} ${words}`.trim()));
  });
}
