/**
 * Adversarial reads over generated organisations, each held against the independent model of who may see
 * what at that very moment. Exits 1 on any card that showed where it must not, or did not where it must.
 *
 *   npm run bench:leaks -- [--reads 10000] [--seed N]
 *
 * Several workspaces at a time have agents, people and cards of the same ids. Between the reads grants
 * come and go, groups, teams, spawn trees, households and roles change, cards are corrected, judged,
 * deleted and restored through the API, and the clock moves past what expires. Half of the reads are
 * recalls; the rest go to every other surface of the contract, the client and the command included. The
 * database is a native Postgres of its own. Prints one JSON document; what was wrong goes to stderr.
 */
import { randomBytes, randomInt } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { locatePostgres } from '../src/embedded/fetch';
import { Database } from '../src/store/database';
import { migrate } from '../src/store/migrate';
import { createDatabase } from '../test/support/admin';
import { runLeaks } from '../test/support/leaks/leak-run';
import type { LeakStage } from '../test/support/leaks/workspace';
import { startPostgres } from '../test/support/postgres';
import { fetchOptions } from '../test/support/programs';
import { buildQuietApp } from '../test/support/quiet-app';
import { machine, rounded } from './support/machine';

const { values } = parseArgs({
  options: {
    reads: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(randomInt(1_000_000)) },
  },
});

const START = Date.parse('2026-03-02T08:00:00Z');

async function main(): Promise<boolean> {
  const dir = mkdtempSync(join(tmpdir(), 'cairn-leaks-'));
  // Postgres may run as another account and has to pass through.
  chmodSync(dir, 0o711);
  const binDir = await locatePostgres(fetchOptions());
  const postgres = await startPostgres({ binDir, dir: join(dir, 'postgres') });
  try {
    const databaseUrl = await createDatabase(postgres.url('postgres'), 'cairn');
    await migrate(databaseUrl);
    return await measure(databaseUrl);
  } finally {
    await postgres.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function measure(databaseUrl: string): Promise<boolean> {
  const database = new Database({
    url: databaseUrl,
    connections: 4,
    acquireTimeoutMs: 30_000,
    onIdleError: () => undefined,
  });
  const { stage, close } = await serve(database);
  try {
    const from = performance.now();
    const result = await runLeaks(stage, {
      seed: Number(values.seed),
      reads: Number(values.reads),
      onWrong: (wrong) => console.error(JSON.stringify(wrong)),
    });
    const seconds = rounded((performance.now() - from) / 1_000, 1);
    const head = { bench: 'leaks', at: new Date().toISOString(), machine: machine(), seconds };
    console.log(JSON.stringify({ ...head, ...result }, null, 2));
    return result.leaks + result.missing === 0;
  } finally {
    await close();
    await database.close();
  }
}

/** The API in this process, on a clock that can be moved. */
async function serve(database: Database): Promise<{ stage: LeakStage; close(): Promise<void> }> {
  let at = START;
  const clock = () => new Date(at);
  const secretKey = randomBytes(32).toString('hex');
  const app = await buildQuietApp(database, secretKey, clock);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const call: LeakStage['door']['call'] = async (method, path, { key, body, headers } = {}) => {
    const answer = await fetch(new URL(path, url), {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const parsed = text === '' ? null : JSON.parse(text);
    return { status: answer.status, body: parsed, headers: answer.headers, text };
  };
  const stage = {
    door: { url, call },
    database,
    now: clock,
    advance: (milliseconds: number) => {
      at += milliseconds;
    },
  };
  return { stage, close: () => app.close() };
}

main().then(
  (ok) => process.exit(ok ? 0 : 1),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
