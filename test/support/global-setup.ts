import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { locatePostgres, locateTemporalCli, locateTestServer } from '../../src/embedded/fetch';
import { startPglite } from '../../src/embedded/pglite-process';
import { migrate } from '../../src/store/migrate';
import { createDatabase, withDatabase } from './admin';
import { startPostgres, type TestPostgres } from './postgres';
import { fetchOptions, locate } from './programs';
import { type Located, type RunRecord, writeRunRecord } from './run-record';

const ROOT = join(__dirname, '..', '..');
/** Two runs on one given server must not meet. */
const TEMPLATE = `cairn_template_${process.pid}`;

/** What the teardown, which runs in this same process, has to end. */
export interface RunHandles {
  dir: string;
  postgres: TestPostgres | null;
  /** Set when the server is not ours and keeps running after us. */
  dropTemplate: (() => Promise<void>) | null;
}

declare global {
  // `var` is what puts a name on globalThis; setup and teardown share nothing else.
  var cairnTestRun: RunHandles | undefined;
}

type Database = Pick<
  RunRecord,
  'database' | 'nativeMissing' | 'databaseError' | 'adminUrl' | 'template' | 'postgresBinDir'
>;

export default async function globalSetup(): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'cairn-test-'));
  // Postgres may run as another account and has to pass through.
  chmodSync(dir, 0o711);
  const handles: RunHandles = { dir, postgres: null, dropTemplate: null };
  globalThis.cairnTestRun = handles;
  const [database, workflowBundle, temporalCli, temporalTestServer] = await Promise.all([
    prepareDatabase(handles),
    locate(bundleWorkflows),
    locate(() => locateTemporalCli(fetchOptions(process.env.CAIRN_TEMPORAL_CLI))),
    locate(() => locateTestServer(fetchOptions())),
  ]);
  writeRunRecord(join(dir, 'run.json'), {
    dir,
    pid: process.pid,
    ...database,
    workflowBundle,
    temporalCli: guarded(temporalCli, dir, 'temporal'),
    temporalTestServer: guarded(temporalTestServer, dir, 'temporal-test-server'),
  });
}

/**
 * The SDK starts these servers and cannot end them when it is killed itself. So what it starts is a
 * script that becomes the server and leaves a watch behind, which ends the server after its parent.
 */
function guarded(program: Located, dir: string, name: string): Located {
  if ('missing' in program) return program;
  const path = join(dir, name);
  const script = `#!/bin/sh
parent=$PPID
server=$$
(
  while kill -0 "$server"; do
    kill -0 "$parent" || { kill -9 "$server"; exit; }
    sleep 1
  done
) </dev/null >/dev/null 2>&1 &
exec '${program.path}' "$@" >/dev/null
`;
  writeFileSync(path, script, { mode: 0o755 });
  return { path };
}

async function prepareDatabase(handles: RunHandles): Promise<Database> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) {
    handles.dropTemplate = () => withDatabase(given, `DROP DATABASE IF EXISTS ${TEMPLATE}`);
    return native(given, null);
  }
  if (process.env.CAIRN_TEST_DATABASE === 'pglite') {
    return pglite(handles, 'CAIRN_TEST_DATABASE asks for PGlite');
  }
  const found = await locate(() => locatePostgres(fetchOptions()));
  if ('missing' in found) return pglite(handles, found.missing);
  const dir = join(handles.dir, 'postgres');
  const postgres = await startPostgres({ binDir: found.path, dir, remove: handles.dir });
  handles.postgres = postgres;
  return native(postgres.url('postgres'), postgres.binDir);
}

async function native(adminUrl: string, postgresBinDir: string | null): Promise<Database> {
  const migrated = await locate(async () => {
    await migrate(await createDatabase(adminUrl, TEMPLATE));
    return TEMPLATE;
  });
  return {
    database: 'native',
    nativeMissing: null,
    databaseError: 'missing' in migrated ? `The migrations fail: ${migrated.missing}` : null,
    adminUrl,
    template: TEMPLATE,
    postgresBinDir,
  };
}

/** A first start takes seconds, a start on a copied folder half of one: so one is made and copied. */
async function pglite(handles: RunHandles, nativeMissing: string): Promise<Database> {
  const template = join(handles.dir, 'pglite');
  const migrated = await locate(async () => {
    const server = await startPglite({ dataDir: template, log: () => undefined });
    try {
      await migrate(server.url);
    } finally {
      await server.stop();
    }
    return template;
  });
  return {
    database: 'pglite',
    nativeMissing,
    databaseError: 'missing' in migrated ? `The migrations fail: ${migrated.missing}` : null,
    adminUrl: null,
    template,
    postgresBinDir: null,
  };
}

/** In a process of its own: webpack's memory is given back, and Jest's loader stays out of it. */
async function bundleWorkflows(): Promise<string> {
  const script = join(ROOT, 'scripts', 'bundle-workflows.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [script], { cwd: ROOT });
  return stdout.trim();
}
