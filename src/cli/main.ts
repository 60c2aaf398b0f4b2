#!/usr/bin/env node
import { runCairn } from './run';

// `cairn cards | head` closes our stdout; that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

void runCairn(process.argv.slice(2), {
  out: process.stdout,
  err: process.stderr,
  input: process.stdin,
}).then((exit) => {
  process.exitCode = exit;
});
