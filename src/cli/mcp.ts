import type { Command } from 'commander';
import { given } from '../client/given';
import { EXECUTION_MODES, type ExecutionMode } from '../contracts/names';
import { choiceOf } from './arguments';
import type { CommandContext } from './command';

interface McpFlags {
  agent?: string;
  person?: string;
  session?: string;
  executionMode?: ExecutionMode;
}

/** No `--json` here: stdout carries the protocol and nothing else. */
export function mcpCommand(program: Command, context: CommandContext): void {
  program
    .command('mcp')
    .description('serve the memory tools over stdio, for an MCP client on this machine')
    .option('--agent <id>', 'whose memory it is (default: CAIRN_AGENT)')
    .option('--person <id>', 'acting for this person; needs --execution-mode interactive')
    .option('--session <id>', 'the session that recalls belong to')
    .option(
      '--execution-mode <mode>',
      `${EXECUTION_MODES.join(', ')} (default: headless)`,
      choiceOf(EXECUTION_MODES),
    )
    .action(async (flags: McpFlags) => {
      const options = context.options();
      const agent = flags.agent ?? options.agent ?? undefined;
      const { person, session, executionMode } = flags;
      // Loaded only here: the other commands need no protocol, and start in a blink.
      const { serveStdio } = require('./mcp-stdio') as typeof import('./mcp-stdio');
      await serveStdio({
        terminal: context.terminal,
        options,
        speaking: given({ agent, person, session, executionMode }),
      });
    });
}
