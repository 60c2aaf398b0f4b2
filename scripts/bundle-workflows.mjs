// The one way the workflow bundle is made: for dist, for tests, and so for replay of old histories.
//
// Run as a program it bundles into the cache, named by content, and prints the path: a test run whose
// workflows have not changed pays nothing.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(fileURLToPath(import.meta.url), '..', '..');
const ENTRY = join(ROOT, 'src', 'workflows', 'index.ts');
/** Everything a workflow may import from this project (design: zones). */
const SOURCES = ['contracts', 'domain', 'workflows'].map((zone) => join(ROOT, 'src', zone));

/** Names the bundle by what goes into it: our sources, the lock file, and this script. */
export function workflowSourceHash() {
  const hash = createHash('sha256');
  const files = SOURCES.filter((dir) => existsSync(dir)).flatMap(sourceFiles);
  for (const file of [...files, join(ROOT, 'package-lock.json'), fileURLToPath(import.meta.url)]) {
    hash
      .update(`${file.slice(ROOT.length)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}

function sourceFiles(dir) {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => join(dir, name));
}

/** Bundles the workflows into `file`. Throws with webpack's own words when an import is forbidden. */
export async function bundleWorkflows(file) {
  const require = createRequire(import.meta.url);
  const { bundleWorkflowCode, DefaultLogger } = require('@temporalio/worker');
  const { code } = await bundleWorkflowCode({
    workflowsPath: ENTRY,
    logger: new DefaultLogger('WARN', ({ level, message }) => console.error(`${level} ${message}`)),
  });
  mkdirSync(join(file, '..'), { recursive: true });
  // Two runs may bundle at once; a reader must find a whole file or none.
  const scratch = `${file}.${process.pid}`;
  writeFileSync(scratch, code);
  renameSync(scratch, file);
}

/** Another run may still read the last few; no run lasts a day. */
function removeOld(cache) {
  if (!existsSync(cache)) return;
  for (const name of readdirSync(cache)) {
    const file = join(cache, name);
    if (Date.now() - statSync(file).mtimeMs > 86_400_000) rmSync(file, { force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const cache = join(ROOT, 'node_modules', '.cache', 'cairn');
  const file = join(cache, `workflow-bundle-${workflowSourceHash()}.js`);
  if (!existsSync(file)) {
    removeOld(cache);
    await bundleWorkflows(file);
  }
  console.log(file);
}
