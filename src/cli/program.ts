import { Command } from 'commander';
import { packageVersion } from '../telemetry/version';
import { actionsCommand } from './actions';
import { auditCommand } from './audit';
import { cardsCommand } from './cards';
import type { CommandContext } from './command';
import { competenceCommand } from './competence';
import { conversationsCommand } from './conversations';
import { doctorCommand } from './doctor/command';
import { eraseCommand } from './erase';
import { erasureCommand } from './erasure';
import { verifyCommand as verifyErasureCommand } from './erasure-verify';
import { exportCommand } from './export';
import { fixesCommand } from './fixes';
import { holdsCommand } from './holds';
import { importCommand } from './import/command';
import { inboxCommands } from './inbox';
import { insightsCommand } from './insights';
import { keysCommand } from './keys';
import { mcpCommand } from './mcp';
import { metricsCommand } from './metrics';
import { overviewCommands } from './overview';
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
import { timelineCommand } from './timeline';
import { tombstonesCommand } from './tombstones';
import { webhookCommand } from './webhooks';
import { whoamiCommand } from './whoami';
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
  exportCommand(program, context);
  recallCommand(program, context);
  cardsCommand(program, context);
  inboxCommands(program, context);
  promotionCommands(program, context);
  fixesCommand(program, context);
  pendingCommand(program, context);
  stopCommand(program, context);
  whyCommand(program, context);
  competenceCommand(program, context);
  overviewCommands(program, context);
  skillsCommand(program, context);
  conversationsCommand(program, context);
  insightsCommand(program, context);
  actionsCommand(program, context);
  metricsCommand(program, context);
  runsCommand(program, context);
  timelineCommand(program, context);
  auditCommand(program, context);
  policyCommand(program, context);
  mcpCommand(program, context);
  doctorCommand(program, context);
  webhookCommand(program, context);
  holdsCommand(program, context);
  eraseCommand(program, context);
  verifyErasureCommand(erasureCommand(program, context), context);
  tombstonesCommand(program, context);
  keysCommand(program, context);
  whoamiCommand(program, context);
  sampleCommand(program, context);
  simulateCommand(program, context);
  return program;
}
