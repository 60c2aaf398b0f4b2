// Runs one server and stops it when the test run goes away.
//
// Usage: node keeper.mjs '<JSON {command, args, uid?, gid?, signal, remove?}>'
//
// The parent holds our stdin open. However the parent ends, by itself or by SIGKILL, the kernel closes
// that pipe, and a closed pipe is the one sign of death that a test runner cannot forget to send.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';

const { command, args, uid, gid, signal, remove } = JSON.parse(process.argv[2]);
const GRACE_MS = 5000;

const server = spawn(command, args, {
  stdio: ['ignore', 'inherit', 'inherit'],
  ...(uid === undefined ? {} : { uid, gid }),
});
process.send?.({ pid: server.pid });

function finish(code) {
  if (remove) rmSync(remove, { recursive: true, force: true });
  process.exit(code);
}

server.on('error', (error) => {
  console.error(String(error));
  finish(1);
});
server.on('exit', (code) => finish(code ?? 1));

function stop() {
  server.kill(signal);
  setTimeout(() => server.kill('SIGKILL'), GRACE_MS).unref();
}
process.stdin.on('end', stop).on('close', stop).resume();
process.on('SIGTERM', stop);
