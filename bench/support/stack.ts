import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventIn } from '../../src/cli/import/event-line';
import type { SettledEvent } from '../../src/contracts/event';
import { SEARCH_ATTRIBUTES } from '../../src/contracts/search-attributes';
import { locatePostgres, locateTemporalCli } from '../../src/embedded/fetch';
import { freePort } from '../../src/embedded/free-port';
import { type EmbeddedTemporal, startTemporal } from '../../src/embedded/temporal-process';
import { createDatabase } from '../../test/support/admin';
import { startPostgres, type TestPostgres } from '../../test/support/postgres';
import { fetchOptions } from '../../test/support/programs';

const ROOT = join(__dirname, '..', '..');

/** The production shape on one machine: native Postgres, Temporal on a file, `cairn server`, `cairn worker`. */
export interface Stack {
  dir: string;
  postgres: TestPostgres;
  temporal: EmbeddedTemporal;
  databaseUrl: string;
  url: string;
  key: string;
  server: ChildProcess;
  worker: ChildProcess;
  /** Milliseconds from each start to its readiness. */
  readyMs: { postgres: number; temporal: number; server: number; worker: number };
  stop(): Promise<void>;
}

export interface StackOptions {
  /** False: no vectors are made. */
  embedding: boolean;
  /** True: API and worker in one process, which hands each start to its own worker. */
  together?: boolean;
  /** An OpenAI-compatible endpoint for the worker and the server; absent: the rules stand in. */
  model?: { baseUrl: string; name: string };
}

export async function startStack({
  embedding,
  together = false,
  model,
}: StackOptions): Promise<Stack> {
  const built = spawnSync(process.execPath, [join(ROOT, 'scripts', 'build.mjs')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (built.status !== 0) throw new Error('the build failed');
  const dir = mkdtempSync(join(tmpdir(), 'cairn-bench-'));
  chmodSync(dir, 0o711);
  const stops: (() => Promise<unknown> | unknown)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of stops.reverse()) await end();
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    let from = Date.now();
    const lap = (): number => {
      const took = Date.now() - from;
      from = Date.now();
      return took;
    };
    const binDir = await locatePostgres(fetchOptions());
    const executable = await locateTemporalCli(fetchOptions(process.env.CAIRN_TEMPORAL_CLI));
    lap();
    const postgres = await startPostgres({ binDir, dir: join(dir, 'postgres'), durable: true });
    stops.push(() => postgres.stop());
    const databaseUrl = await createDatabase(postgres.url('postgres'), 'cairn');
    const postgresMs = lap();
    const temporal = await startTemporal({
      executable,
      dataDir: join(dir, 'temporal'),
      log: () => {},
      searchAttributes: Object.values(SEARCH_ATTRIBUTES),
    });
    stops.push(() => temporal.stop());
    const temporalMs = lap();
    const environment = {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: temporal.address,
      CAIRN_SECRET_KEY: randomBytes(24).toString('hex'),
      CAIRN_BOOTSTRAP_KEY: `bench_${randomBytes(24).toString('hex')}`,
      CAIRN_DATA_DIR: join(dir, 'cairn'),
      CAIRN_LOG_LEVEL: 'warn',
      CAIRN_PORT: String(await freePort()),
      // No vectors at all.
      ...(embedding ? {} : { CAIRN_EMBEDDING_MODEL: 'none' }),
      ...(model === undefined ? {} : { OPENAI_BASE_URL: model.baseUrl, CAIRN_MODEL: model.name }),
    };
    const url = `http://127.0.0.1:${environment.CAIRN_PORT}`;
    const server = cairn(together ? 'start' : 'server', environment);
    stops.push(() => end(server));
    await untilAnswers(`${url}/healthz`, server);
    const serverMs = lap();
    const worker = together ? server : cairn('worker', environment);
    if (!together) stops.push(() => end(worker));
    await untilAnswers(`${url}/readyz`, worker);
    const workerMs = lap();
    return {
      dir,
      postgres,
      temporal,
      databaseUrl,
      url,
      key: environment.CAIRN_BOOTSTRAP_KEY,
      server,
      worker,
      readyMs: { postgres: postgresMs, temporal: temporalMs, server: serverMs, worker: workerMs },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function cairn(command: 'start' | 'server' | 'worker', env: Record<string, string>): ChildProcess {
  const child = spawn(
    process.execPath,
    [
      '--max-semi-space-size=64',
      ...profiling(command),
      join(ROOT, 'dist', 'cli', 'main.js'),
      command,
    ],
    {
      env,
      stdio: ['ignore', 'inherit', 'inherit'].map((mode) =>
        mode === 'inherit' ? process.stderr : mode,
      ) as never,
    },
  );
  return child;
}

/** `CAIRN_BENCH_PROFILE=DIR` writes a CPU profile of each process there. */
function profiling(name: string): string[] {
  const dir = process.env.CAIRN_BENCH_PROFILE;
  return dir
    ? ['--cpu-prof', `--cpu-prof-dir=${dir}`, `--cpu-prof-name=${name}-${Date.now()}.cpuprofile`]
    : [];
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}

async function untilAnswers(url: string, child: ChildProcess): Promise<void> {
  for (const until = Date.now() + 60_000; Date.now() < until; await sleep(50)) {
    if (child.exitCode !== null)
      throw new Error('a process of the stack ended before it was ready');
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
  }
  throw new Error(`${url} did not answer in a minute`);
}

/** Real events of the test data, as `cairn import --omit labels` would send them. */
export function realEvents(count: number): SettledEvent[] {
  const folder = process.env.CAIRN_TEST_DATA;
  if (!folder) throw new Error('set CAIRN_TEST_DATA to the folder with fleet-dev.jsonl');
  const lines = readFileSync(join(folder, 'fleet-dev.jsonl'), 'utf8').split('\n').filter(Boolean);
  const omit = new Set(['labels']);
  return lines.slice(0, count).map((line) => {
    const read = eventIn(line, omit);
    if ('code' in read) throw new Error(`a line of the test data is no event: ${read.reason}`);
    return read.event;
  });
}
