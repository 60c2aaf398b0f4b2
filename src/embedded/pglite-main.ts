/**
 * The child process that is the embedded Postgres: PGlite with pgvector behind a socket.
 *
 * It takes its data directory and port as arguments, tells its parent `ready` over IPC, and ends,
 * after closing the database, on SIGTERM and when its parent is gone.
 *
 * It runs as `node -e`, so it knows nothing of Cairn but this file and its neighbours.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { wholeBatches } from './pglite-batches';
import { startUpkeep } from './pglite-upkeep';

/** What the child says to its parent. */
export type PgliteMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'log'; readonly line: string };

/** Far more than one machine's tools open; all share the one session anyway. */
const MAX_CLIENTS = 100;

const SETTINGS = [
  // Postgres's own check must refuse a statement before the WebAssembly stack ends; see `noTraps`.
  'max_stack_depth=500kB',
  // An erased row must not live on in the recycled tail of an old segment.
  'wal_recycle=off',
  'wal_init_zero=off',
  // The only method that reaches the file system here; see `syncForReal`.
  'wal_sync_method=fsync',
  // Statements and row values are content: an error goes to the client, never to a log.
  'log_min_messages=log',
  'log_min_error_statement=panic',
  'log_error_verbosity=terse',
];

/** How PGlite marks an exception that is an error of Postgres's, on its way to the client. */
const LONGJMP = 100;
/** Written when the first start is done: without it initdb was cut short, and nothing was stored. */
const INITIALIZED = 'cairn-initialized';

async function main(dataDir: string, port: number): Promise<void> {
  const marker = join(dataDir, INITIALIZED);
  const fresh = !existsSync(marker);
  if (fresh) rmSync(dataDir, { recursive: true, force: true });
  const db = await PGlite.create({
    dataDir,
    extensions: { vector },
    startParams: [
      ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
      ...SETTINGS.flatMap((setting) => ['-c', setting]),
    ],
    onStderr: (line) => {
      tell({ type: 'log', line });
      return false;
    },
  });
  syncForReal(db);
  noTraps(db);
  if (fresh) {
    writeFileSync(marker, '');
    syncTree(dataDir);
  }
  const server = new PGLiteSocketServer({
    db: wholeBatches(db, crash),
    host: '127.0.0.1',
    port,
    maxConnections: MAX_CLIENTS,
  });
  await server.start();
  const upkeep = startUpkeep(port, (line) => tell({ type: 'log', line }));

  let ending = false;
  const end = async (): Promise<void> => {
    if (ending) return;
    ending = true;
    await upkeep.stop();
    await server.stop();
    await db.close();
    syncTree(dataDir);
    process.exit(0);
  };
  process.on('SIGTERM', () => void end().catch(crash));
  process.on('disconnect', () => void end().catch(crash));
  // Ctrl-C reaches the whole terminal group; the parent decides when the database ends.
  process.on('SIGINT', () => {});
  if (!process.connected) return end();
  tell({ type: 'ready' });
}

/**
 * Gives Postgres a real fsync.
 *
 * Emscripten's file system over Node has none: without this, `fsync = on` changes nothing, and an
 * acknowledged commit sits in the page cache. A kill does not hurt it there, a power cut does.
 */
function syncForReal(db: PGlite): void {
  const operations = db.Module.FS.filesystems.NODEFS?.stream_ops as
    | { fsync?: (stream: { nfd: number }) => number }
    | undefined;
  if (operations === undefined) {
    tell({ type: 'log', line: 'fsync cannot be had: commits survive a kill, not a power cut' });
    return;
  }
  operations.fsync = ({ nfd }) => {
    fsyncSync(nfd);
    return 0;
  };
}

/**
 * Ends the process when WebAssembly traps, above all when its stack ends.
 *
 * PGlite catches everything a statement throws and goes on, also what is no error of Postgres's: the
 * statement then answers no rows and no error, or spins for ever, and locks and memory are left as
 * the trap found them. Only the `longjmp` of an ordinary error (status 100) may pass.
 */
function noTraps(db: PGlite): void {
  const module = db.Module as unknown as { _PostgresMainLoopOnce: () => void };
  const loop = module._PostgresMainLoopOnce;
  module._PostgresMainLoopOnce = () => {
    try {
      loop();
    } catch (error) {
      if ((error as { status?: unknown } | null)?.status !== LONGJMP) crash(error);
      throw error;
    }
  };
}

/** What was closed just now is on the disk when this returns, names included. */
function syncTree(directory: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) syncTree(path);
    else if (entry.isFile()) sync(path);
  }
  sync(directory);
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function tell(message: PgliteMessage): void {
  if (process.connected) process.send?.(message);
}

/** A database that threw cannot be trusted with another statement; a restart recovers it. */
function crash(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(70);
}

const [dataDir, port] = process.argv.slice(-2);
if (dataDir === undefined || port === undefined) throw new Error('usage: <data dir> <port>');
main(dataDir, Number(port)).catch(crash);
