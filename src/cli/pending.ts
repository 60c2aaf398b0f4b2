import type { Command } from 'commander';
import { given } from '../client/given';
import { type CommandContext, connect, speech, withJson } from './command';
import { LIMIT, type PageFlags, withPage } from './page';
import { pendingText, pendingWriteText } from './pending-text';

interface ListFlags extends PageFlags {
  all?: boolean;
  agent?: string;
}

interface VerdictFlags {
  reason?: string;
  json?: boolean;
}

/** What restricted agents posted, for whoever accepts it in the place of their parent. */
export function pendingCommand(program: Command, context: CommandContext): void {
  const pending = program
    .command('pending')
    .description('what restricted agents posted and nobody decided, and deciding it');

  withPage(
    pending
      .command('list', { isDefault: true })
      .description('what waits, the last posted first')
      .option('--all', 'what was decided too')
      .option('--agent <id>', 'posted by this agent'),
  ).action(async (flags: ListFlags) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const { json: _json, all = false, limit = LIMIT, ...filters } = flags;
    const page = await client.pendingWrites.list({
      ...filters,
      ...(all ? {} : { status: 'waiting' as const }),
      limit,
    });
    say.emit(page);
    say.print(pendingText(page, Date.now(), all));
  });

  withJson(
    pending.command('show').argument('<id>').description('one of them, with all of its text'),
  ).action(async (id: string, flags: { json?: boolean }) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const one = await client.pendingWrites.get(id);
    say.emit(one);
    say.print(pendingWriteText(one, say.width));
  });

  const accept = pending.command('accept').argument('<id>');
  decides(accept.description('make a card of it, of the agent above'), context, 'accept');
  const reject = pending.command('reject').argument('<id>');
  decides(reject.description('drop its text, and keep why'), context, 'reject');
}

function decides(command: Command, context: CommandContext, verdict: 'accept' | 'reject'): void {
  withJson(command.option('--reason <text>', 'why; it is redacted, and can be erased')).action(
    async (id: string, flags: VerdictFlags) => {
      const say = speech(context, flags);
      const { client } = await connect(context);
      const { reason } = flags;
      const decided = await client.pendingWrites[verdict](id, given({ reason }));
      say.emit(decided);
      say.print(pendingWriteText(decided, say.width));
    },
  );
}
