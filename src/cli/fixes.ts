import type { Command } from 'commander';
import { given } from '../client/given';
import { CONFIG_FIX_STATUSES, type ConfigFixStatus } from '../contracts/proposal';
import { choiceOf } from './arguments';
import { type CommandContext, connect, speech, withJson } from './command';
import { fixesText, fixText } from './inbox-text';
import { LIMIT, type PageFlags, withPage } from './page';

interface FixesFlags extends PageFlags {
  status?: ConfigFixStatus;
  team?: string;
}

interface AppliedFlags {
  configVersion?: string;
  note?: string;
  json?: boolean;
}

/** The runtime's side of an approved fix, for whoever changes its configuration by hand. */
export function fixesCommand(program: Command, context: CommandContext): void {
  const fixes = program
    .command('fixes')
    .description('the configuration fixes that people approved, and saying that one is applied');

  withPage(
    fixes
      .command('list', { isDefault: true })
      .description('fixes, the last approved first')
      .option('--status <status>', CONFIG_FIX_STATUSES.join(', '), choiceOf(CONFIG_FIX_STATUSES))
      .option('--team <id>', 'of this team'),
  ).action(async (flags: FixesFlags) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const { json: _json, limit = LIMIT, ...filters } = flags;
    const page = await client.configFixes.list({ ...filters, limit });
    say.emit(page);
    say.print(fixesText(page, say.width));
  });

  withJson(
    fixes
      .command('applied')
      .argument('<id>', 'of the fix, or of its proposal')
      .description('say that a fix is in the configuration: its step is watched from now on')
      .option('--config-version <version>', 'the version of the configuration that has it')
      .option('--note <text>', 'what was done; it is redacted'),
  ).action(async (id: string, flags: AppliedFlags) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const { configVersion: config_version, note } = flags;
    const fix = await client.configFixes.applied(id, given({ config_version, note }));
    say.emit(fix);
    say.print(fixText(fix, say.width));
  });
}
