import type { Command } from 'commander';
import type { CairnClient } from '../../client/client';
import { given } from '../../client/given';
import type { Source } from '../../contracts/source';
import { timeOf } from '../arguments';
import { type CommandContext, connect, speech, withJson } from '../command';
import { EXIT, WrongUse } from '../failure';
import { LIMIT, type PageFlags, withPage } from '../page';
import { stopAll } from './find';
import { liftCard } from './lift';
import { cardStopText, countOf, liftedText, sourcesText, tallyText } from './text';
import { narrowed, type Where } from './where';

interface StopFlags extends PageFlags {
  find?: Where;
  service?: string;
  agent?: string;
  since?: string;
  until?: string;
  withDerived?: boolean;
  delete?: boolean;
  dryRun?: boolean;
  lift?: boolean;
  reason?: string;
}

/** Stopping cards, agents and sources, and lifting that. */
export function stopCommand(program: Command, context: CommandContext): void {
  const stop = withShared(
    program
      .command('stop')
      .description('stop a card, an agent or a source at once; find and stop what does harm')
      .option(
        '--find <where>',
        'stop every card from there: flag:instruction_like, event:ID, service:NAME, agent:ID, writer:KIND/ID; again narrows',
        narrowed,
      )
      .option('--service <name>', 'with --find: of this service only')
      .option('--agent <id>', 'with --find: of this agent only')
      .option('--since <time>', 'with --find: recorded from this time on', timeOf)
      .option('--until <time>', 'with --find: recorded up to this time', timeOf),
  );
  withCardFlags(stop).action(async (flags: StopFlags) => await find(context, flags));

  withCardFlags(
    withShared(
      stop
        .command('card')
        .argument('<id>')
        .description('quarantine a card, or delete it; with all that came of it'),
    ),
  ).action(async (id: string, _flags: StopFlags, command: Command) => {
    await card(context, id, flagsOf(command));
  });
  withShared(
    stop
      .command('agent')
      .argument('<id>')
      .description('take nothing more that this agent writes or that is reported of it'),
  ).action(async (id: string, _flags: StopFlags, command: Command) => {
    await source(context, `agent:${id}`, flagsOf(command));
  });
  withShared(
    stop
      .command('source')
      .argument('<id>', 'runtime:ID, agent:ID or service:NAME')
      .description('take nothing more that comes from there'),
  ).action(async (id: string, _flags: StopFlags, command: Command) => {
    await source(context, id, flagsOf(command));
  });
  withPage(stop.command('list').description('what is stopped')).action(
    async (_flags: StopFlags, command: Command) => await list(context, flagsOf(command)),
  );
}

/** The command and its parent know the same options; either place is meant. */
function flagsOf(command: Command): StopFlags {
  return command.optsWithGlobals<StopFlags>();
}

function withShared(command: Command): Command {
  return withJson(command)
    .option('--lift', 'the other way round: let it go on')
    .option('--reason <text>', 'why; it is redacted, and can be erased');
}

function withCardFlags(command: Command): Command {
  return command
    .option('--with-derived', 'with all that came of the card: derived from it, or in its place')
    .option('--delete', 'delete instead of quarantining; people may restore for a while')
    .option('--dry-run', 'show what would be stopped');
}

async function find(context: CommandContext, flags: StopFlags): Promise<void> {
  const { find: where, service, agent, since, until, reason, lift = false } = flags;
  if (where === undefined) {
    throw new WrongUse(
      'Say what to stop: card ID, agent ID, source ID, or --find WHERE. `list` shows what is.',
    );
  }
  if (lift)
    throw new WrongUse('--lift takes back one stop: --lift card ID, agent ID or source ID.');
  const say = speech(context, flags);
  const { client } = await connect(context);
  const filters = { ...given({ service, agent, since, until }), ...where };
  const tally = await stopAll({
    client,
    filters,
    derived: flags.withDerived === true,
    action: flags.delete === true ? 'delete' : 'quarantine',
    dryRun: flags.dryRun === true,
    reason,
    progress: ({ found, stopped }) => say.note(`  ${found} looked at, ${stopped} in all`),
  });
  say.emit(tally);
  say.print(tallyText(tally));
  if (tally.failed.length > 0) context.exit = EXIT.failed;
}

async function card(context: CommandContext, id: string, flags: StopFlags): Promise<void> {
  const { reason, withDerived: derived = false, dryRun: dry_run = false } = flags;
  const say = speech(context, flags);
  const { client } = await connect(context);
  if (flags.lift === true) {
    if (dry_run || flags.delete === true) {
      throw new WrongUse('--lift goes with neither --dry-run nor --delete.');
    }
    const lifted = await liftCard(client, id, derived, reason);
    say.emit(lifted);
    say.print(liftedText(lifted));
    if (lifted.failed.length > 0) context.exit = EXIT.failed;
    return;
  }
  const action = flags.delete === true ? 'delete' : 'quarantine';
  const stopped = await client.cards.stop(id, { derived, action, dry_run, ...given({ reason }) });
  say.emit(stopped);
  say.print(cardStopText(stopped));
}

async function source(context: CommandContext, id: string, flags: StopFlags): Promise<void> {
  const { reason, lift = false } = flags;
  const say = speech(context, flags);
  const { client } = await connect(context);
  const turned = lift
    ? await client.sources.lift(id, reason)
    : await client.sources.stop(id, reason);
  const left = lift ? null : await leftBy(client, turned);
  say.emit(left === null ? turned : { ...turned, cards: left.total });
  say.print(
    lift ? `${turned.id} goes on.` : `${turned.id} is stopped: nothing more is taken from it.`,
  );
  if (left !== null && left.total > 0) {
    say.print(
      `${countOf(left.total)} that it left in use: cairn stop --find ${left.where} --dry-run`,
    );
  }
}

/** What it wrote before goes on being recalled: that is another decision. */
async function leftBy(
  client: CairnClient,
  { kind, name }: Source,
): Promise<{ total: number; where: string }> {
  switch (kind) {
    case 'agent': {
      const { total } = await client.cards.list({ agent: name, limit: 1 });
      return { total, where: `agent:${name}` };
    }
    case 'runtime': {
      const { total } = await client.cards.list({ writer: `runtime/${name}`, limit: 1 });
      return { total, where: `writer:runtime/${name}` };
    }
    case 'service': {
      const { total } = await client.cards.list({ service: name, limit: 1 });
      return { total, where: `service:${name}` };
    }
    default:
      return kind satisfies never;
  }
}

async function list(context: CommandContext, flags: StopFlags): Promise<void> {
  const say = speech(context, flags);
  const { client } = await connect(context);
  const { limit = LIMIT, cursor } = flags;
  const page = await client.sources.list({ stopped: true, limit, ...given({ cursor }) });
  const { total: quarantined } = await client.cards.list({ status: 'quarantined', limit: 1 });
  say.emit({ ...page, quarantined_cards: quarantined });
  say.print(page.items.length === 0 ? 'No source is stopped.' : sourcesText(page.items));
  if (page.next_cursor !== null) say.print(`\nmore: --cursor ${page.next_cursor}`);
  if (quarantined > 0) {
    say.print(`\n${countOf(quarantined)} in quarantine: cairn cards --status quarantined`);
  }
}
