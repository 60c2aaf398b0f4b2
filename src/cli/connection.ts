import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Options } from '../config/options';
import { identify } from '../embedded/process-identity';
import { readRuntimeFile } from '../embedded/runtime-file';
import { Failed } from './failure';

/** Where a command finds the API, and the key it shows. */
export interface Found {
  url: string;
  key: string;
  /** Said when something is wrong with it. */
  from: string;
}

/**
 * `CAIRN_URL` and `CAIRN_KEY`, else what runs on the data directory with its owner key.
 *
 * @throws {Failed} nothing to connect to; the sentence says what to start or set
 */
export async function findConnection(options: Options): Promise<Found> {
  const runtime = await readRuntimeFile(options.dataDir);
  const url = options.url ?? (await runningUrl(options, runtime));
  if (options.key !== null) return { url, key: options.key, from: 'CAIRN_KEY' };
  // The owner key of this machine is shown to the Cairn of this machine, and to no other.
  const isOwn = options.url === null || (runtime !== undefined && sameUrl(url, runtime.url));
  if (!isOwn) {
    throw new Failed(`CAIRN_URL is ${url}, and there is no key for it: set CAIRN_KEY.`, 'no_key');
  }
  const owner = options.bootstrapKey ?? (await readOwnerKey(options.dataDir));
  if (owner === null) {
    throw new Failed(
      `${join(options.dataDir, 'owner.key')} cannot be read: set CAIRN_KEY to a key of this Cairn.`,
      'no_key',
    );
  }
  return {
    url,
    key: owner,
    from: options.bootstrapKey === null ? 'owner.key' : 'CAIRN_BOOTSTRAP_KEY',
  };
}

/** @returns null where there is none, or it is another user's */
export async function readOwnerKey(dataDir: string): Promise<string | null> {
  const text = await readFile(join(dataDir, 'owner.key'), 'utf8').catch(() => '');
  return text.trim() || null;
}

async function runningUrl(
  options: Options,
  runtime: Awaited<ReturnType<typeof readRuntimeFile>>,
): Promise<string> {
  const advice = 'start one with `npm start`, or set CAIRN_URL and CAIRN_KEY';
  // `cairn server` writes no runtime file: beside one, its own address is in the same environment.
  if (runtime === undefined && options.databaseUrl !== null) {
    return `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${options.port}`;
  }
  if (runtime === undefined) {
    throw new Failed(`No Cairn runs on ${options.dataDir}: ${advice}.`, 'not_running');
  }
  if (identify(runtime.pid) === undefined) {
    throw new Failed(
      `The Cairn of ${options.dataDir} (process ${runtime.pid}) has ended without a goodbye: ${advice}.`,
      'not_running',
    );
  }
  return runtime.url;
}

function sameUrl(one: string, other: string): boolean {
  return one.replace(/\/+$/, '') === other.replace(/\/+$/, '');
}
