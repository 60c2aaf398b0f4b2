import type { Command } from 'commander';
import type { ConsoleSession } from '../contracts/console';
import { type CommandContext, connect, speech, withJson } from './command';
import { oneLine } from './terminal';

/** Of a name on its line. */
const NAME = 60;

/** Whose key it is that is used, and what it opens. */
export function whoamiCommand(program: Command, context: CommandContext): void {
  withJson(
    program.command('whoami').description('whose key is used, in which workspace, and until when'),
  ).action(async (flags: { json?: boolean }) => {
    const say = speech(context, flags);
    const { client, found } = await connect(context);
    const me = await client.whoAmI();
    say.emit(me);
    say.print(whoText(me, found.url));
  });
}

function whoText(
  { principal, workspace, expires_at, allowed, version }: ConsoleSession,
  url: string,
) {
  const { kind, id, name, role, installation } = principal;
  const called = name === null || name === id ? '' : ` (${oneLine(name, NAME)})`;
  const as = [...(role === null ? [] : [role]), ...(installation ? ['of the installation'] : [])];
  return [
    `${kind} ${id}${called}${as.length === 0 ? '' : `: ${as.join(' ')}`}`,
    `workspace ${workspace.id} (${oneLine(workspace.name, NAME)}), memory ${workspace.memory_mode}`,
    `${allowed.length} routes of Cairn ${version} at ${url}`,
    expires_at === null ? 'the key has no end' : `the key is good until ${expires_at}`,
  ].join('\n');
}
