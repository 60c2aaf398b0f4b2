#!/usr/bin/env node
import { runCairn } from './run';

/** What was printed is out by then, and children have seen that their parent is going. */
const LINGER_MS = 3_000;

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
  // A start that failed may have left something half begun that keeps the process alive.
  setTimeout(() => process.exit(exit), LINGER_MS).unref();
});
