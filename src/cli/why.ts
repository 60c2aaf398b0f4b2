import type { Command } from 'commander';
import { given } from '../client/given';
import { type CommandContext, connect, speech, withJson } from './command';
import { storyText } from './why-text';

/** From any card: why it is there, what it became, who saw it. */
export function whyCommand(program: Command, context: CommandContext): void {
  withJson(
    program
      .command('why')
      .argument('<card>')
      .description('why a card exists, what it became, who saw it, and where it was put to use')
      .option('--as <agent>', 'as this agent would see it'),
  ).action(async (id: string, flags: { as?: string; json?: boolean }) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const story = await client.with(given({ agent: flags.as })).cards.story(id);
    say.emit(story);
    say.print(storyText(story, say.width));
  });
}
