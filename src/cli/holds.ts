import type { Command } from 'commander';
import { given } from '../client/given';
import type { HoldSelector, LegalHold } from '../contracts/legal-hold';
import { type CommandContext, connect, speech, withJson } from './command';
import { WrongUse } from './failure';
import { LIMIT, type PageFlags, withPage } from './page';
import { oneLine, table } from './terminal';

interface SetFlags {
  subject?: string;
  person?: string;
  agent?: string;
  source?: string;
  project?: string;
  event?: string[];
  card?: string[];
  reason: string;
  json?: boolean;
}

/** What must not be lost: it wins over deletion, expiry, retention and erasure while it stands. */
export function holdsCommand(program: Command, context: CommandContext): void {
  const holds = program.command('holds').description('legal holds: what must not be lost');
  listCommand(holds, context);
  setCommand(holds, context);
  liftCommand(holds, context);
}

function listCommand(holds: Command, context: CommandContext): void {
  withPage(
    holds.command('list', { isDefault: true }).description('the holds that stand, by id'),
  ).action(async (flags: PageFlags) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const { limit = LIMIT, cursor } = flags;
    const page = await client.legalHolds.list({ limit, ...given({ cursor }) });
    say.emit(page);
    say.print(page.items.length === 0 ? 'No legal holds.' : holdsText(page.items));
    if (page.next_cursor !== null) say.print(`\nmore: --cursor ${page.next_cursor}`);
  });
}

function setCommand(holds: Command, context: CommandContext): void {
  const several = (value: string, before: string[] = []) => [...before, value];
  withJson(
    holds
      .command('set')
      .argument('<id>')
      .description('set a hold, or change what it keeps')
      .option('--subject <id>', 'what is about this subject')
      .option(
        '--person <id>',
        'what this person wrote, and what is about the subject that they are',
      )
      .option('--agent <id>', 'what is of this agent')
      .option('--source <service>', 'what is about this service')
      .option('--project <id>', 'what is of this project')
      .option('--event <id>', 'this event, as often as needed', several)
      .option('--card <id>', 'this card, as often as needed', several)
      .requiredOption('--reason <text>', 'why'),
  ).action(async (id: string, flags: SetFlags) => {
    const say = speech(context, flags);
    const { event, card, reason, json: _json, ...named } = flags;
    const selector: HoldSelector = { ...named, ...given({ event_ids: event, card_ids: card }) };
    if (Object.keys(selector).length === 0) {
      throw new WrongUse('name what is to be kept: --subject, --agent, --project, --card …');
    }
    const { client } = await connect(context);
    const hold = await client.legalHolds.put(id, { selector, reason });
    say.emit(hold);
    say.print(holdsText([hold]));
  });
}

function liftCommand(holds: Command, context: CommandContext): void {
  withJson(
    holds.command('lift').argument('<id>').description('lift a hold: what it kept may go again'),
  ).action(async (id: string, flags: { json?: boolean }) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    await client.legalHolds.lift(id);
    say.emit({ id, lifted: true });
    say.print(`${id} is lifted.`);
  });
}

function holdsText(holds: readonly LegalHold[]): string {
  return table(
    holds.map(({ id, selector, set_by, changed_at, reason }) => [
      id,
      keptText(selector),
      `by ${set_by}`,
      changed_at.slice(0, 10),
      oneLine(reason ?? '–', 60),
    ]),
  );
}

function keptText({ event_ids, card_ids, ...named }: HoldSelector): string {
  const parts = Object.entries(named).map(([field, value]) => `${field} ${oneLine(value, 40)}`);
  if (event_ids !== undefined) parts.push(`${event_ids.length} events`);
  if (card_ids !== undefined) parts.push(`${card_ids.length} cards`);
  return parts.join(', ');
}
