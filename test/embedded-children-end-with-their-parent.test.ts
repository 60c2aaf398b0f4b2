import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { locateTemporalCli } from '../src/embedded/fetch';
import { startPglite } from '../src/embedded/pglite-process';
import { isRunning, type ProcessIdentity } from '../src/embedded/process-identity';
import { startTemporal } from '../src/embedded/temporal-process';
import { entrySource } from '../src/models/entry-source';
import { fetchOptions } from './support/programs';
import { until } from './support/until';

const EMBEDDED = join(__dirname, '../src/embedded');

// A busy machine takes its time over the start of a server.
jest.setTimeout(180_000);

let dataDir: string;
let parent: ChildProcess | undefined;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'cairn-orphans-'));
});
afterEach(() => {
  parent?.kill('SIGKILL');
  rmSync(dataDir, { recursive: true });
});

it('leaves no database and no Temporal when it is killed, and starts again', async () => {
  const executable = await locateTemporalCli(fetchOptions(process.env.CAIRN_TEMPORAL_CLI));
  const log = () => undefined;
  const options = JSON.stringify({ executable, dataDir });
  const script = `
    { ${entrySource(EMBEDDED, 'pglite-process')} globalThis.pglite = entry; }
    { ${entrySource(EMBEDDED, 'temporal-process')} globalThis.temporal = entry; }
    const options = { ...${options}, log() {} };
    Promise.all([pglite.startPglite(options), temporal.startTemporal(options)]).then(
      () => console.log('ready'));`;
  parent = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(parent.stdout as NonNullable<typeof parent.stdout>, 'data');
  const children = [identityIn('pglite.pid'), identityIn('temporal.pid')];
  expect(children.map(isRunning)).toEqual([true, true]);

  parent.kill('SIGKILL');
  // Each ends in order, and how long that takes is not ours to say.
  await until('both have ended', () => !children.some(isRunning), {
    otherwise: () => children.map(isRunning),
  });

  // The database was closed, not cut off: it takes its own lock file away last.
  expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
  const again = await Promise.all([
    startPglite({ dataDir, log }),
    startTemporal({ executable, dataDir, log }),
  ]);
  await Promise.all(again.map((process) => process.stop()));
});

function identityIn(name: string): ProcessIdentity {
  return JSON.parse(readFileSync(join(dataDir, name), 'utf8')) as ProcessIdentity;
}
