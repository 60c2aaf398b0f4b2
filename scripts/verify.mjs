// Everything that can be said about the code without running it, one line a check with its time. The
// output of a failed check follows at the end; the exit code is 1 when any failed.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const bin = (name) => join(ROOT, 'node_modules', '.bin', name);
const script = (name) => [process.execPath, join(ROOT, 'scripts', name)];

const CHECKS = [
  {
    name: 'format',
    command: [bin('biome'), 'check', '--linter-enabled=false', '--max-diagnostics=20'],
  },
  { name: 'lint', command: [bin('biome'), 'lint', '--error-on-warnings', '--max-diagnostics=50'] },
  { name: 'promises', command: [bin('oxlint'), '--deny-warnings'] },
  { name: 'types', command: [bin('tsc'), '--noEmit', '-p', 'tsconfig.json'] },
  {
    name: 'types: pages',
    command: [bin('tsc'), '--noEmit', '-p', join('console', 'tsconfig.json')],
  },
  { name: 'zones', command: script('zones.mjs') },
  { name: 'zones: pages', command: script('console-zones.mjs') },
  { name: 'house rules', command: script('house-rules.mjs') },
  { name: 'build', command: script('build.mjs') },
];

function run([program, ...args]) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: ROOT, env: { ...process.env, NO_COLOR: '1' } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk) => {
        output += chunk;
      });
    }
    child.on('error', (error) => resolve({ ok: false, output: String(error) }));
    child.on('close', (code) => resolve({ ok: code === 0, output }));
  });
}

const failures = [];
for (const { name, command } of CHECKS) {
  const start = performance.now();
  const { ok, output } = await run(command);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(13)}${seconds.padStart(6)} s`);
  if (!ok) failures.push(`\n${name}\n${output.trimEnd()}`);
}
for (const failure of failures) console.log(failure);
process.exitCode = failures.length === 0 ? 0 : 1;
