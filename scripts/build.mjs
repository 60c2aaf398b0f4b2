// sources → dist: compile, copy the SQL, bundle the workflows. Does nothing when nothing has changed, so
// that `npm start` may always begin with it.
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
/** What a browser or Postgres reads as it is; everything else in src is compiled. */
const COPIED = /\.(sql|html|css|js|svg|json)$/;

function files(dir) {
  return readdirSync(join(ROOT, dir), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function sourceHash() {
  const hash = createHash('sha256');
  const settings = ['package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];
  const inputs = [
    ...files('src'),
    ...files('scripts'),
    ...settings.map((name) => join(ROOT, name)),
  ];
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

/** A file whose source is gone would still be loaded by name, a migration above all. */
function removeOrphans() {
  if (!existsSync(DIST)) return;
  for (const file of files('dist')) {
    const source = join(ROOT, 'src', file.slice(DIST.length)).replace(
      /(\.d\.ts|\.js\.map|\.js)$/,
      '.ts',
    );
    const kept = existsSync(source) || existsSync(source.replace(/\.ts$/, '.js'));
    if (!kept && !file.includes('/.') && file !== BUNDLE) rmSync(file);
  }
}

const wanted = sourceHash();
if (!stamped(STAMP, wanted)) {
  rmSync(STAMP, { force: true });
  compile();
  copyAssets();
  removeOrphans();
  await bundle();
  writeFileSync(STAMP, wanted);
}
