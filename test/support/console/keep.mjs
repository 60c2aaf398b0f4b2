// Runs `cairn start` on a folder for as long as a test run lasts, and removes the folder afterwards.
//
// Usage: node keep.mjs '<JSON {main, dataDir, watch}>'
//
// Several test files share it, each in a process of its own, so no pipe of one of them can say when the run
// is over: it ends with the process `watch`, which is the run itself, or by SIGTERM.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';

const { main, dataDir, watch } = JSON.parse(process.argv[2]);
const LOOK_MS = 500;
const GRACE_MS = 20_000;

const program = spawn(process.execPath, ['--max-semi-space-size=64', main, 'start'], {
  stdio: ['ignore', 'inherit', 'inherit'],
  env: { ...process.env, CAIRN_PORT: '', CAIRN_DATA_DIR: dataDir },
});
program.on('exit', (code) => {
  rmSync(dataDir, { recursive: true, force: true });
  process.exit(code ?? 1);
});

let ending = false;
function end() {
  if (ending) return;
  ending = true;
  program.kill('SIGTERM');
  setTimeout(() => program.kill('SIGKILL'), GRACE_MS).unref();
}
process.on('SIGTERM', end);
setInterval(() => {
  try {
    process.kill(watch, 0);
  } catch {
    end();
  }
}, LOOK_MS);
