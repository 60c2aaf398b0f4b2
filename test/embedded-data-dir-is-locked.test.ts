import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataDirInUseError, lockDataDir } from '../src/embedded/lock';
import { identify } from '../src/embedded/process-identity';
import { readRuntimeFile, removeRuntimeFile, writeRuntimeFile } from '../src/embedded/runtime-file';
import { entrySource } from '../src/models/entry-source';

let dataDir: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'cairn-lock-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(dataDir, { recursive: true });
});

it('refuses a second start and names the process and the URL of the first', async () => {
  const lock = await lockDataDir(dataDir);
  const early = lockDataDir(dataDir);
  await expect(early).rejects.toThrow(DataDirInUseError);
  await expect(early).rejects.toThrow(`process ${process.pid}, still starting`);

  await lock.announce('http://127.0.0.1:4747');
  await expect(lockDataDir(dataDir)).rejects.toThrow(
    `Cairn already runs on ${dataDir}: process ${process.pid}, at http://127.0.0.1:4747; ` +
      'stop it first, or give this one another CAIRN_DATA_DIR',
  );

  await lock.release();
  await (await lockDataDir(dataDir)).release();
  expect(readdirSync(dataDir)).toEqual([]);
});

it('refuses while another process has it, and takes over when that one was killed', async () => {
  const holder = await holdInAnotherProcess();
  await expect(lockDataDir(dataDir)).rejects.toThrow(`process ${holder.pid},`);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  await (await lockDataDir(dataDir)).release();
});

it('takes over when the pid belongs to another program now', async () => {
  const other = spawn('sleep', ['60']);
  children.push(other);
  await once(other, 'spawn');
  const started = `${identify(other.pid as number)?.started} before`;
  writeFileSync(join(dataDir, 'lock'), JSON.stringify({ pid: other.pid, started, url: 'x' }));
  const lock = await lockDataDir(dataDir);
  expect(readFileSync(join(dataDir, 'lock'), 'utf8')).toContain(`"pid":${process.pid}`);
  await lock.release();
  expect(other.exitCode).toBeNull();
});

it.each(['', '{', 'null', '{"pid":-1,"started":"x"}', '{"pid":"1"}'])(
  'takes over a lock that nobody can have written: %j',
  async (text) => {
    writeFileSync(join(dataDir, 'lock'), text);
    await (await lockDataDir(dataDir)).release();
  },
);

it('goes to one of many that start at once on a stale lock', async () => {
  writeFileSync(join(dataDir, 'lock'), JSON.stringify({ pid: 2 ** 22 + 1, started: 'gone' }));
  const starts = await Promise.allSettled(Array.from({ length: 10 }, () => lockDataDir(dataDir)));
  expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(readdirSync(dataDir)).toEqual(['lock']);
});

it('is not released by one that has lost it', async () => {
  const lock = await lockDataDir(dataDir);
  writeFileSync(join(dataDir, 'lock'), JSON.stringify({ pid: 1, started: 'another' }));
  await lock.release();
  expect(existsSync(join(dataDir, 'lock'))).toBe(true);
});

it('leaves a runtime file that only the owner reads, whole or not at all', async () => {
  const runtime = {
    pid: process.pid,
    url: 'http://127.0.0.1:4747',
    temporal_address: '127.0.0.1:7233',
    temporal_namespace: 'default',
    temporal_ui: null,
    database_url: 'postgres://postgres@127.0.0.1:5432/postgres',
  };
  expect(await readRuntimeFile(dataDir)).toBeUndefined();
  await writeRuntimeFile(dataDir, runtime);
  expect(await readRuntimeFile(dataDir)).toEqual(runtime);
  expect(statSync(join(dataDir, 'runtime.json')).mode & 0o777).toBe(0o600);
  writeFileSync(join(dataDir, 'runtime.json'), '{"pid":');
  expect(await readRuntimeFile(dataDir)).toBeUndefined();
  await removeRuntimeFile(dataDir);
  await removeRuntimeFile(dataDir);
  expect(readdirSync(dataDir)).toEqual([]);
});

async function holdInAnotherProcess(): Promise<ChildProcess> {
  const load = entrySource(join(__dirname, '../src/embedded'), 'lock');
  const script = `${load} entry.lockDataDir(${JSON.stringify(dataDir)}).then(() => {
    console.log('locked'); setInterval(() => {}, 1000);
  });`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  await once(child.stdout, 'data');
  return child;
}
