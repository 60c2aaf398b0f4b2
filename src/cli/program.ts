import { Command } from 'commander';
import { auditCommand } from './audit';
import { cardsCommand } from './cards';
import type { CommandContext } from './command';
import { competenceCommand } from './competence';
import { conversationsCommand } from './conversations';
import { doctorCommand } from './doctor/command';
import { fixesCommand } from './fixes';
import { importCommand } from './import/command';
import { inboxCommands } from './inbox';
import { mcpCommand } from './mcp';
import { pendingCommand } from './pending';
import { policyCommand } from './policy';
import { promotionCommands } from './promotion';
import { recallCommand } from './recall';
import { runsCommand } from './runs';
import { sampleCommand } from './sample/command';
import { simulateCommand } from './simulate/command';
import { skillsCommand } from './skills';
import { serveCommands } from './start';
import { stopCommand } from './stop/command';
import { packageVersion } from './version';
import { webhookCommand } from './webhooks';
import { whyCommand } from './why';

/** Every command of `cairn`, a file each. */
export function buildProgram(context: CommandContext): Command {
  const program = new Command('cairn')
    .description('Durable memory for fleets of AI agents.')
    .version(packageVersion())
    // Its own --version stands before a command; behind one it is the command's.
    .enablePositionalOptions()
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
  inboxCommands(program, context);
  promotionCommands(program, context);
  fixesCommand(program, context);
  pendingCommand(program, context);
  stopCommand(program, context);
  whyCommand(program, context);
  competenceCommand(program, context);
  skillsCommand(program, context);
  conversationsCommand(program, context);
  runsCommand(program, context);
  auditCommand(program, context);
  policyCommand(program, context);
  mcpCommand(program, context);
  doctorCommand(program, context);
  webhookCommand(program, context);
  sampleCommand(program, context);
  simulateCommand(program, context);
  return program;
}
