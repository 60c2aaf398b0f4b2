import { homedir } from 'node:os';
import { join } from 'node:path';
import type { FetchOptions } from '../../src/embedded/fetch';
import type { Located } from './run-record';

/** Where the programs of a test run come from: the same cache and the same fetching as `npm start`. */
export function fetchOptions(explicit?: string): FetchOptions {
  const { CAIRN_CACHE_DIR, XDG_CACHE_HOME, CAIRN_OFFLINE, PATH } = process.env;
  return {
    cacheDir: CAIRN_CACHE_DIR ?? join(XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'cairn'),
    offline: CAIRN_OFFLINE !== undefined && CAIRN_OFFLINE !== '' && CAIRN_OFFLINE !== 'false',
    ...(PATH === undefined ? {} : { searchPath: PATH }),
    ...(explicit === undefined ? {} : { explicit }),
    onProgress: (line) => process.stderr.write(`${line}\n`),
  };
}

/** The reason for a failure is kept for the tests that need what was to be found. */
export async function locate(find: () => Promise<string>): Promise<Located> {
  try {
    return { path: await find() };
  } catch (error) {
    return { missing: error instanceof Error ? error.message : String(error) };
  }
}
