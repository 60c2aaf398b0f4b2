import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(__dirname, '..', '..');
/** What the bundle is made of and by, as `scripts/bundle-workflows.mjs` finds it beside itself. */
const PARTS = [
  'package-lock.json',
  'package.json',
  'scripts/bundle-workflows.mjs',
  ...['contracts', 'domain', 'workflows'].map((zone) => `src/${zone}`),
];

/**
 * The bundle of another state of the sources, made the way that ours is: in a process of its own, from a copy.
 *
 * @param file of the project, the only one that differs but for `also`
 * @param edit what it was like then
 * @param also further files that differ, each with its edit
 * @returns the path of the bundle
 * @throws where nothing would differ
 */
export async function olderBundle(
  file: string,
  edit: (text: string) => string,
  also: Readonly<Record<string, (text: string) => string>> = {},
): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'cairn-older-'));
  try {
    for (const part of PARTS) {
      mkdirSync(join(dir, part, '..'), { recursive: true });
      cpSync(join(ROOT, part), join(dir, part), { recursive: true });
    }
    symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
    for (const [name, change] of [[file, edit] as const, ...Object.entries(also)]) {
      const now = readFileSync(join(dir, name), 'utf8');
      const then = change(now);
      if (then === now) throw new Error(`${name} is as it was`);
      writeFileSync(join(dir, name), then);
    }
    const script = join(dir, 'scripts', 'bundle-workflows.mjs');
    const { stdout } = await promisify(execFile)(process.execPath, [script], { cwd: dir });
    return realpathSync(stdout.trim());
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
