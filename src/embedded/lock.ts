/**
 * One Cairn a data directory.
 *
 * The lock is a file that holds who took it: pid, start time and, once known, the URL. It is
 * created whole or not at all (a link of a finished file), so nobody reads half of one. A lock
 * whose process is gone, or whose pid now belongs to another program, is taken over.
 */
import { randomUUID } from 'node:crypto';
import { chmod, link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { identify, isRunning, type ProcessIdentity, parseIdentity } from './process-identity';

/** The data directory is in use; the message names the pid and, if known, the URL. */
export class DataDirInUseError extends Error {
  override readonly name = 'DataDirInUseError';
  constructor(
    readonly dataDir: string,
    readonly pid: number,
    readonly url: string | undefined,
  ) {
    const where = url === undefined ? 'still starting' : `at ${url}`;
    super(
      `Cairn already runs on ${dataDir}: process ${pid}, ${where}; ` +
        'stop it first, or give this one another CAIRN_DATA_DIR',
    );
  }
}

export interface DataDirLock {
  /** Adds the URL to what a refused second start says. */
  announce(url: string): Promise<void>;
  release(): Promise<void>;
}

/**
 * Takes the data directory for this process; makes it (0700) if it is not there.
 *
 * @throws {DataDirInUseError} a running Cairn has it
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  // One that was made before keeps the mode it had, and what lies in it is nobody else's to read.
  await chmod(dataDir, 0o700);
  const file = join(dataDir, 'lock');
  const self = identify(process.pid);
  if (self === undefined) throw new Error('the start time of this process cannot be read');
  // Two starts may both find the same stale lock; the loser of the takeover meets the winner's.
  while (!(await place(file, JSON.stringify(self), link))) {
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text === undefined) continue;
    const holder = parseIdentity(text);
    if (holder !== undefined && isRunning(holder)) {
      throw new DataDirInUseError(dataDir, holder.pid, parseUrl(text));
    }
    await removeStale(file, text);
  }
  return {
    announce: async (url) => {
      await place(file, JSON.stringify({ ...self, url }), rename);
    },
    release: async () => {
      const text = await readFile(file, 'utf8').catch(() => '');
      if (same(parseIdentity(text), self)) await rm(file, { force: true });
    },
  };
}

/** @returns false where `file` exists and `how` does not replace */
async function place(
  file: string,
  text: string,
  how: (from: string, to: string) => Promise<void>,
): Promise<boolean> {
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, text, { mode: 0o600 });
    await how(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Moves the lock aside, and puts it back if it was not the stale one any more. */
async function removeStale(file: string, stale: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
    if ((await readFile(aside, 'utf8')) !== stale) await link(aside, file).catch(() => {});
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

function parseUrl(text: string): string | undefined {
  const { url } = JSON.parse(text) as { url?: unknown };
  return typeof url === 'string' ? url : undefined;
}

function same(left: ProcessIdentity | undefined, right: ProcessIdentity): boolean {
  return left?.pid === right.pid && left.started === right.started;
}
