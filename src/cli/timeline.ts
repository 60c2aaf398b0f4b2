import type { Command } from 'commander';
import { given } from '../client/given';
import { type CommandContext, connect, speech, withJson } from './command';
import { timelineText } from './timeline-text';

/** From any card, run or proposal: what its workflow did, as Temporal keeps it. */
export function timelineCommand(program: Command, context: CommandContext): void {
  withJson(
    program
      .command('timeline')
      .argument('<workflow>', 'its id, as runs, cards and proposals name it')
      .description('what a workflow did and waits for, step by step')
      .option('--run <run>', 'this run of it; left out: the one that goes on, or was the last'),
  ).action(async (id: string, flags: { run?: string; json?: boolean }) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const timeline = await client.runs.timeline(id, given({ run_id: flags.run }));
    say.emit(timeline);
    say.print(timelineText(timeline));
  });
}
