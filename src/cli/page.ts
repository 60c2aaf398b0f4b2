import type { Command } from 'commander';
import { countOf } from './arguments';
import { withJson } from './command';

/** A screen: what a list shows unless it is told how many. */
export const LIMIT = 20;

export interface PageFlags {
  limit?: number;
  cursor?: string;
  json?: boolean;
}

/**
 * Adds `--limit`, `--cursor` and `--json`, which every list has.
 * @param what the limit counts
 */
export function withPage(command: Command, what = 'how many'): Command {
  return withJson(
    command
      .option('--limit <n>', `${what} (default: ${LIMIT})`, countOf)
      .option('--cursor <cursor>', 'the page after this one'),
  );
}
