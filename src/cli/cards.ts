import type { Command } from 'commander';
import { given } from '../client/given';
import {
  CARD_KINDS,
  CARD_STATUSES,
  type CardKind,
  type CardStatus,
  SIGNS,
  type Sign,
} from '../contracts/names';
import { choiceOf, timeOf } from './arguments';
import { cardsText, cardText } from './cards-text';
import { type CommandContext, connect, speech, withJson } from './command';
import { LIMIT, type PageFlags, withPage } from './page';

interface CardsFlags extends PageFlags {
  kind?: CardKind;
  sign?: Sign;
  status?: CardStatus;
  agent?: string;
  team?: string;
  subject?: string;
  service?: string;
  operation?: string;
  scope?: string;
  q?: string;
  since?: string;
  until?: string;
  as?: string;
}

export function cardsCommand(program: Command, context: CommandContext): void {
  const cards = withPage(
    program
      .command('cards')
      .description('list the cards that the key may see')
      .option('--kind <kind>', CARD_KINDS.join(', '), choiceOf(CARD_KINDS))
      .option('--sign <sign>', SIGNS.join(', '), choiceOf(SIGNS))
      .option('--status <status>', CARD_STATUSES.join(', '), choiceOf(CARD_STATUSES))
      .option('--agent <id>', 'of this agent')
      .option('--team <id>', 'of this team')
      .option('--subject <id>', 'about this subject')
      .option('--service <name>', 'of this service')
      .option('--operation <name>', 'of this operation')
      .option('--scope <type/id>', 'in this scope, such as team/support')
      .option('--q <words>', 'with these words')
      .option('--since <time>', 'from this time on', timeOf)
      .option('--until <time>', 'up to this time', timeOf)
      .option('--as <agent>', 'as this agent would see them'),
  ).action(async (flags: CardsFlags) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const { json: _json, as: agent, limit = LIMIT, ...filters } = flags;
    const page = await client.with(given({ agent })).cards.list({ ...filters, limit });
    say.emit(page);
    say.print(cardsText(page, say.width));
  });

  withJson(
    cards
      .command('show')
      .argument('<id>')
      .description('one card, whole, with its relations')
      .option('--as <agent>', 'as this agent would see it'),
  ).action(async (id: string, _flags: unknown, command: Command) => {
    // Both this command and its parent know --json and --as; either place is meant.
    const flags = command.optsWithGlobals<{ json?: boolean; as?: string }>();
    const say = speech(context, flags);
    const { client } = await connect(context);
    const reader = client.with(given({ agent: flags.as }));
    const card = await reader.cards.get(id);
    const { items: edges } = await reader.cards.edges(id, { limit: 100 });
    say.emit({ card, edges });
    say.print(cardText(card, edges, say.width));
  });
}
