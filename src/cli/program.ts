import { Command } from 'commander';
import { cardsCommand } from './cards';
import type { CommandContext } from './command';
import { doctorCommand } from './doctor/command';
import { importCommand } from './import/command';
import { mcpCommand } from './mcp';
import { recallCommand } from './recall';
import { sampleCommand } from './sample/command';
import { serveCommands } from './start';
import { packageVersion } from './version';

/** Every command of `cairn`, a file each. */
export function buildProgram(context: CommandContext): Command {
  const program = new Command('cairn')
    .description('Durable memory for fleets of AI agents.')
    .version(packageVersion())
    .configureOutput({
      writeOut: (text) => context.terminal.out.write(text),
      writeErr: (text) => context.terminal.err.write(text),
    })
    // Thrown instead of exiting: main decides what a failure is to the shell. Subcommands inherit it.
    .exitOverride()
    .showHelpAfterError('(cairn --help lists the commands)');
  serveCommands(program, context);
  importCommand(program, context);
  recallCommand(program, context);
  cardsCommand(program, context);
  mcpCommand(program, context);
  doctorCommand(program, context);
  sampleCommand(program, context);
  return program;
}
