import type { Command } from 'commander';
import { given } from '../client/given';
import { PRINCIPAL_KINDS, type PrincipalKind } from '../contracts/names';
import type { ApiKey } from '../contracts/principal';
import { choiceOf, countOf, timeOf } from './arguments';
import { type CommandContext, connect, speech, withJson } from './command';
import { LIMIT, type PageFlags, withPage } from './page';
import { oneLine, table } from './terminal';

interface MakeFlags {
  name?: string;
  expires?: string;
  rate?: number;
  json?: boolean;
}

interface RotateFlags extends MakeFlags {
  grace?: string;
}

/** Keys: only their hashes are kept, so that each is shown once. */
export function keysCommand(program: Command, context: CommandContext): void {
  const keys = program.command('keys').description('keys: who may call Cairn, and as whom');
  listCommand(keys, context);
  createCommand(keys, context);
  rotateCommand(keys, context);
  revokeCommand(keys, context);
}

function listCommand(keys: Command, context: CommandContext): void {
  withPage(
    keys
      .command('list', { isDefault: true })
      .description('keys without their secret, newest first, ended ones included'),
  ).action(async (flags: PageFlags) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const { limit = LIMIT, cursor } = flags;
    const page = await client.keys.list({ limit, ...given({ cursor }) });
    say.emit(page);
    say.print(page.items.length === 0 ? 'No keys.' : keysText(page.items, new Date()));
    if (page.next_cursor !== null) say.print(`\nmore: --cursor ${page.next_cursor}`);
  });
}

function createCommand(keys: Command, context: CommandContext): void {
  withJson(
    keys
      .command('create')
      .argument('<kind>', PRINCIPAL_KINDS.join(', '), choiceOf(PRINCIPAL_KINDS))
      .argument('<id>', 'whose it is')
      .description('make a key; it is shown this once')
      .option('--name <name>', 'what it is for')
      .option('--expires <time>', 'when it runs out; a date, or a time with a zone', timeOf)
      .option('--rate <n>', 'requests a minute of this key alone', countOf),
  ).action(async (kind: PrincipalKind, id: string, flags: MakeFlags) => {
    const { client } = await connect(context);
    const { name, expires, rate } = flags;
    const more = given({ name, expires_at: expires, requests_per_minute: rate });
    shown(context, flags, await client.keys.create({ principal: { kind, id }, ...more }));
  });
}

function rotateCommand(keys: Command, context: CommandContext): void {
  withJson(
    keys
      .command('rotate')
      .argument('<id>', 'as `cairn keys list` shows it')
      .description('put a new key in the place of one; it is shown this once')
      .option(
        '--grace <duration>',
        'how long the old one stays good, such as PT1H; else not at all',
      )
      .option('--expires <time>', 'when the new one runs out; else as the old one', timeOf)
      .option('--rate <n>', 'requests a minute of the new one; else as the old one', countOf),
  ).action(async (id: string, flags: RotateFlags) => {
    const { client } = await connect(context);
    const { grace, expires, rate } = flags;
    const rotation = given({ grace, expires_at: expires, requests_per_minute: rate });
    shown(context, flags, await client.keys.rotate(id, rotation));
  });
}

function revokeCommand(keys: Command, context: CommandContext): void {
  withJson(
    keys
      .command('revoke')
      .argument('<id>', 'as `cairn keys list` shows it')
      .description('revoke a key: its very next call is refused'),
  ).action(async (id: string, flags: { json?: boolean }) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    await client.keys.revoke(id);
    say.emit({ id, revoked: true });
    say.print(`${id} is revoked.`);
  });
}

function shown(
  context: CommandContext,
  flags: { json?: boolean },
  made: ApiKey & { key: string },
): void {
  const say = speech(context, flags);
  say.emit(made);
  say.print(keysText([made], new Date()));
  say.print(`\n${made.key}  (shown this once)`);
}

function keysText(keys: readonly ApiKey[], now: Date): string {
  return table(
    keys.map((key) => [
      key.id,
      `${key.principal.kind} ${key.principal.id}`,
      oneLine(key.name ?? '', 30),
      standingOf(key, now),
      key.last_used_at === null ? 'never used' : `used ${key.last_used_at}`,
      key.requests_per_minute === null ? '' : `${key.requests_per_minute} a minute`,
      key.replaces === null ? '' : `for ${key.replaces}`,
    ]),
  );
}

function standingOf({ revoked_at, expires_at }: ApiKey, now: Date): string {
  if (revoked_at !== null) return `revoked ${revoked_at}`;
  if (expires_at === null) return 'good';
  return new Date(expires_at) <= now ? `ran out ${expires_at}` : `until ${expires_at}`;
}
