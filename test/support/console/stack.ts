import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from '../program';
import { readRunRecord } from '../run-record';
import { until } from '../until';

/** A Cairn that runs as `npm start` runs it, with the console as it was built. */
export interface Stack {
  url: string;
  /** May make workspaces. */
  ownerKey: string;
  /** For what is planted in a number that the API would take minutes for. */
  databaseUrl?: string | undefined;
}

const MAIN = join(__dirname, '..', '..', '..', 'dist', 'cli', 'main.js');
/** A build, a first start, and both on a busy machine. */
const START_DEADLINE_MS = 240_000;

/**
 * One stack for all test files of a run: whoever comes first starts it, and it ends with the run. With
 * `CAIRN_CONSOLE_URL` and `CAIRN_CONSOLE_KEY_FILE` (of an owner of the installation) the files use one
 * that runs already, behind `npx vite console` too; `CAIRN_CONSOLE_DATABASE_URL` is then where it keeps things.
 */
export async function sharedStack(): Promise<Stack> {
  const { CAIRN_CONSOLE_URL: url, CAIRN_CONSOLE_KEY_FILE: keyFile } = process.env;
  if (url !== undefined && keyFile !== undefined) {
    return {
      url: url.replace(/\/$/, ''),
      ownerKey: readFileSync(keyFile, 'utf8').trim(),
      databaseUrl: process.env.CAIRN_CONSOLE_DATABASE_URL,
    };
  }
  const { dir, pid } = readRunRecord();
  const { folder, started, failed } = filesIn(dir);
  if (isFirst(folder)) {
    try {
      writeWhole(started, JSON.stringify(await start(folder, pid)));
    } catch (error) {
      writeWhole(failed, error instanceof Error ? error.message : String(error));
    }
  }
  await until('the stack of the console is up', () => existsSync(started) || existsSync(failed), {
    within: START_DEADLINE_MS,
    pause: 100,
  });
  if (existsSync(failed)) throw new Error(readFileSync(failed, 'utf8'));
  return JSON.parse(readFileSync(started, 'utf8')) as Stack;
}

/** Ends the stack of a run, where one was started; `dir` is the run's folder. */
export async function endSharedStack(dir: string): Promise<void> {
  const { keeper } = filesIn(dir);
  if (!existsSync(keeper)) return;
  const pid = Number(readFileSync(keeper, 'utf8'));
  if (!lives(pid)) return;
  process.kill(pid, 'SIGTERM');
  await until('the stack of the console ends', () => !lives(pid), { pause: 100 });
}

function filesIn(dir: string) {
  const folder = join(dir, 'console');
  const [started, failed] = [join(folder, 'stack.json'), join(folder, 'failed.txt')];
  return { folder, started, failed, keeper: join(folder, 'keeper.pid') };
}

/** Only one process can make a folder. */
function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

async function start(folder: string, watch: number): Promise<Stack> {
  build();
  const dataDir = join(folder, 'data');
  const logFile = join(folder, 'log.txt');
  const log = openSync(logFile, 'a');
  const keeper = spawn(
    process.execPath,
    [join(__dirname, 'keep.mjs'), JSON.stringify({ main: MAIN, dataDir, watch })],
    { detached: true, stdio: ['ignore', log, log] },
  );
  keeper.unref();
  if (keeper.pid === undefined) throw new Error('the stack of the console could not be started');
  writeFileSync(join(folder, 'keeper.pid'), String(keeper.pid));
  const said = () => readFileSync(logFile, 'utf8').slice(-2_000);
  return await until(
    'the console is served',
    async () => {
      if (keeper.exitCode !== null) throw new Error(`cairn start ended:\n${said()}`);
      return await answering(dataDir);
    },
    { within: START_DEADLINE_MS, pause: 100, otherwise: said },
  );
}

async function answering(dataDir: string): Promise<Stack | null> {
  try {
    const running = JSON.parse(readFileSync(join(dataDir, 'runtime.json'), 'utf8'));
    const { url, database_url: databaseUrl } = running;
    if (!(await fetch(`${url}/readyz`)).ok) return null;
    const ownerKey = readFileSync(join(dataDir, 'owner.key'), 'utf8').trim();
    return { url, ownerKey, databaseUrl };
  } catch {
    return null;
  }
}

/** Whoever looks sees all of it or none. */
function writeWhole(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
