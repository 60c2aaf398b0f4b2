import { type Options, readOptions } from '../config/options';
import type { CommandContext } from './command';
import { EXIT, type ExitCode, toldOf, WrongUse } from './failure';
import { buildProgram } from './program';
import type { Terminal } from './terminal';

/**
 * Runs one command line.
 *
 * @param args what follows `cairn`
 * @param environment instead of the process's own
 * @returns what the shell is told; never throws
 */
export async function runCairn(
  args: readonly string[],
  terminal: Terminal,
  environment?: Readonly<Record<string, string | undefined>>,
): Promise<ExitCode> {
  let options: Options | undefined;
  const context: CommandContext = {
    terminal,
    exit: EXIT.ok,
    options: () => {
      options ??= optionsOf(environment);
      return options;
    },
  };
  try {
    await buildProgram(context).parseAsync([...args], { from: 'user' });
    return context.exit;
  } catch (error) {
    const { exit, code, sentence, detail } = toldOf(error);
    if (sentence !== null) terminal.err.write(`${sentence}\n`);
    if (detail !== null && args.includes('--json')) {
      terminal.out.write(`${JSON.stringify({ error: { code, detail } })}\n`);
    }
    return exit;
  }
}

function optionsOf(environment?: Readonly<Record<string, string | undefined>>): Options {
  try {
    return environment === undefined ? readOptions() : readOptions(environment);
  } catch (error) {
    throw new WrongUse(error instanceof Error ? error.message : String(error));
  }
}
