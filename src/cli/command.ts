import type { Command } from 'commander';
import { CairnClient } from '../client/client';
import type { Options } from '../config/options';
import { type Found, findConnection } from './connection';
import type { ExitCode } from './failure';
import { Speech, type Terminal } from './terminal';

/** What every command gets. */
export interface CommandContext {
  /** Compiled when the first command needs them, so that `--help` works with a bad environment. */
  options(): Options;
  terminal: Terminal;
  /** What the shell will be told; 0 unless a command says otherwise. */
  exit: ExitCode;
}

/** Adds `--json`, which every command has. */
export function withJson(command: Command): Command {
  return command.option('--json', 'print one JSON document on stdout and nothing else there');
}

export function speech(context: CommandContext, flags: { json?: boolean }): Speech {
  return new Speech(context.terminal, flags.json === true);
}

/** @throws {Failed} nothing runs, or there is no key */
export async function connect(
  context: CommandContext,
): Promise<{ client: CairnClient; found: Found; options: Options }> {
  const options = context.options();
  const found = await findConnection(options);
  return { client: new CairnClient({ url: found.url, key: found.key }), found, options };
}
