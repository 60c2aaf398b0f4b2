import type { Command } from 'commander';
import { given } from '../client/given';
import type { KnownAction } from '../contracts/insight';
import type { Page } from '../contracts/run';
import { type CommandContext, connect, speech, withJson } from './command';
import { counted } from './inbox-text';
import { LIMIT, type PageFlags, withPage } from './page';
import { oneLine, printable, table } from './terminal';

/** Of a text on its line. */
const TEXT = 70;

/** What insights recommend, and what nobody is to be advised. */
export function actionsCommand(program: Command, context: CommandContext): void {
  const actions = program
    .command('actions')
    .description('actions that insights recommend: what came of them, and blocking them');

  withPage(
    actions
      .command('list', { isDefault: true })
      .description('actions, the newest first')
      .option('--blocked', 'those that are blocked'),
  ).action(async (flags: PageFlags & { blocked?: boolean }) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const { blocked, cursor, limit = LIMIT } = flags;
    const page = await client.actions.list({ limit, ...given({ blocked, cursor }) });
    say.emit(page);
    say.print(actionsText(page));
  });

  withJson(
    actions
      .command('block')
      .argument('<hash>')
      .description('take an action out of every insight, from the next read on')
      .option('--reason <text>', 'why; it is redacted'),
  ).action(async (hash: string, flags: { reason?: string; json?: boolean }) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const { reason } = flags;
    const action = await client.actions.block(hash, given({ reason }));
    say.emit(action);
    say.print(`Blocked: ${printable(action.text)}`);
  });

  withJson(
    actions.command('unblock').argument('<hash>').description('let an action be recommended again'),
  ).action(async (hash: string, flags: { json?: boolean }) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    await client.actions.unblock(hash);
    say.emit({ hash, blocked: null });
    say.print('It may be recommended again.');
  });
}

function actionsText(page: Page<KnownAction>): string {
  if (page.items.length === 0) return 'No actions.';
  const rows = page.items.map(({ hash, text, boost, evidence, blocked }) => [
    hash,
    blocked === null ? boost.toFixed(2) : 'blocked',
    `${evidence.improved}/${evidence.unchanged}/${evidence.worse}`,
    oneLine(text, TEXT),
  ]);
  const head = ['hash', 'boost', 'improved/unchanged/worse', 'action'];
  return `${table([head, ...rows])}\n\n${counted(page)}`;
}
