// sources → dist: compile, copy the SQL, bundle the workflows, build the console. Does nothing when nothing
// has changed, so that `npm start` may always begin with it.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflows, workflowSourceHash } from './bundle-workflows.mjs';

const ROOT = join(fileURLToPath(import.meta.url), '..', '..');
const DIST = join(ROOT, 'dist');
const STAMP = join(DIST, '.stamp');
const BUNDLE = join(DIST, 'workflows', 'bundle.js');
const BUNDLE_STAMP = join(DIST, 'workflows', '.bundle-stamp');
const WORKFLOWS = join(ROOT, 'src', 'workflows', 'index.ts');
const CONSOLE_STAMP = join(DIST, '.console-stamp');
/** What a browser or Postgres reads as it is; everything else in src is compiled. */
const COPIED = /\.(sql|html|css|js|svg|json)$/;

function files(dir) {
  return readdirSync(join(ROOT, dir), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function sourceHash() {
  return hashOf([
    ...files('src'),
    ...files('scripts'),
    ...inRoot('package-lock.json', 'tsconfig.json', 'tsconfig.build.json'),
  ]);
}

/** The console knows the contracts, and nothing else of the server. */
function consoleHash() {
  return hashOf([
    ...files('console'),
    ...files(join('src', 'contracts')),
    ...inRoot('package-lock.json', 'tsconfig.json', join('scripts', 'build.mjs')),
  ]);
}

function inRoot(...names) {
  return names.map((name) => join(ROOT, name));
}

function hashOf(inputs) {
  const hash = createHash('sha256');
  for (const file of inputs) hash.update(`${file.slice(ROOT.length)}\0`).update(readFileSync(file));
  return hash.digest('hex');
}

function stamped(stamp, value) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === value;
}

function compile() {
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

function copyAssets() {
  for (const file of files('src').filter((name) => COPIED.test(name))) {
    const target = join(DIST, file.slice(join(ROOT, 'src').length));
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(file, target);
  }
}

async function bundle() {
  const hash = workflowSourceHash();
  const done = existsSync(BUNDLE) && stamped(BUNDLE_STAMP, hash);
  if (done || !existsSync(WORKFLOWS)) return;
  await bundleWorkflows(BUNDLE);
  writeFileSync(BUNDLE_STAMP, hash);
}

function buildConsole() {
  const wanted = consoleHash();
  if (stamped(CONSOLE_STAMP, wanted)) return;
  rmSync(CONSOLE_STAMP, { force: true });
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
  const arguments_ = [vite, 'build', 'console', '--logLevel', 'warn'];
  // Whoever builds within a test has another NODE_ENV, and would get React as it is for development.
  const env = { ...process.env, NODE_ENV: 'production' };
  const { status } = spawnSync(process.execPath, arguments_, { cwd: ROOT, env, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(CONSOLE_STAMP, wanted);
}

/** A file whose source is gone would still be loaded by name, a migration above all. */
function removeOrphans() {
  if (!existsSync(DIST)) return;
  for (const file of files('dist')) {
    if (file.startsWith(join(DIST, 'console'))) continue;
    const source = join(ROOT, 'src', file.slice(DIST.length)).replace(
      /(\.d\.ts|\.js\.map|\.js)$/,
      '.ts',
    );
    const kept = existsSync(source) || existsSync(source.replace(/\.ts$/, '.js'));
    if (!kept && !file.includes('/.') && file !== BUNDLE) rmSync(file);
  }
}

/** Two tests that find `dist` old at once would each write half of it: the second waits, and finds it new. */
function alone() {
  const lock = join(DIST, '.building');
  mkdirSync(DIST, { recursive: true });
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      process.on('exit', () => rmSync(lock, { force: true }));
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (!runs(lock)) rmSync(lock, { force: true });
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    }
  }
}

function runs(lock) {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')) || process.pid, 0);
    return true;
  } catch {
    return false;
  }
}

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
alone();
const wanted = sourceHash();
if (!stamped(STAMP, wanted)) {
  rmSync(STAMP, { force: true });
  compile();
  copyAssets();
  removeOrphans();
  await bundle();
  writeFileSync(STAMP, wanted);
}
buildConsole();
