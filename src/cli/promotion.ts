import type { Command } from 'commander';
import { given } from '../client/given';
import type { Workspace } from '../contracts/principal';
import { cardText } from './cards-text';
import { type CommandContext, connect, speech, withJson } from './command';
import { WrongUse } from './failure';

interface PromoteFlags {
  team?: string;
  workspace?: boolean;
  reason?: string;
  expiresIn?: string;
  json?: boolean;
}

/** Proposing to show a card to more than its own agent, and taking that back. */
export function promotionCommands(program: Command, context: CommandContext): void {
  withJson(
    program
      .command('promote')
      .argument('<card>')
      .description('propose to show a card to a team or to the whole workspace')
      .option('--team <id>', 'to this team')
      .option('--workspace', 'to the whole workspace')
      .option('--reason <text>', 'why; it is redacted, and can be erased')
      .option('--expires-in <duration>', "how long it waits, such as P7D (default: the policy's)"),
  ).action(async (card: string, flags: PromoteFlags) => {
    const { team, workspace = false, reason, expiresIn: expires_in } = flags;
    if ((team === undefined) !== workspace) {
      throw new WrongUse('Say to whom: --team ID, or --workspace.');
    }
    const say = speech(context, flags);
    const { client } = await connect(context);
    const scope =
      team === undefined
        ? {
            type: 'workspace' as const,
            id: (await client.request<Workspace>('GET', '/v1/workspace')).id,
          }
        : { type: 'team' as const, id: team };
    const asked = await client.cards.promote(card, { scope, ...given({ reason, expires_in }) });
    say.emit(asked);
    say.print(
      `${asked.proposal_id} waits for a person other than you: cairn inbox ${asked.proposal_id}`,
    );
  });

  withJson(
    program
      .command('demote')
      .argument('<card>')
      .description('take a promotion back: the card is where it came from again')
      .option('--reason <text>', 'why; it is redacted, and can be erased'),
  ).action(async (id: string, flags: { reason?: string; json?: boolean }) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const card = await client.cards.demote(id, flags.reason);
    say.emit(card);
    say.print(cardText(card, [], say.width));
  });
}
