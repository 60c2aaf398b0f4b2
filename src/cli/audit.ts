import type { Command } from 'commander';
import type { AuditFilters } from '../client/audit';
import { given } from '../client/given';
import type { SealResult } from '../contracts/messages';
import { headOf, timeOf } from './arguments';
import { exportTo } from './audit-export';
import { verifyFile } from './audit-file';
import { auditText, exportedText, sealedText, verificationText } from './audit-text';
import { type CommandContext, connect, speech, withJson } from './command';
import { EXIT } from './failure';
import { LIMIT, type PageFlags, withPage } from './page';

interface ListFlags extends PageFlags {
  target?: string;
  targetType?: string;
  actor?: string;
  action?: string;
  since?: string;
  until?: string;
}

/** A pass waits for transactions that are open; one that takes longer goes on by itself. */
const SEAL_DEADLINE_MS = 120_000;

/** Who changed what, and whether that still stands as it was written. */
export function auditCommand(program: Command, context: CommandContext): void {
  const audit = program
    .command('audit')
    .description('who changed what, and whether that record holds');
  listCommand(audit, context);
  verifyCommand(audit, context);
  sealCommand(audit, context);
  exportCommand(audit, context);
}

function listCommand(audit: Command, context: CommandContext): void {
  withPage(
    audit
      .command('list')
      .description('the audit log, newest first')
      .option('--target <id>', 'about this')
      .option('--target-type <type>', 'about things of this type: card, agent, policy, …')
      .option('--actor <id>', 'by this person, agent or runtime')
      .option('--action <action>', 'this only, such as card.deleted')
      .option('--since <time>', 'from this time on', timeOf)
      .option('--until <time>', 'up to this time', timeOf),
  ).action(async (flags: ListFlags) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const { target, targetType: target_type, actor, action, since, until } = flags;
    const { limit = LIMIT, cursor } = flags;
    const filters: AuditFilters = given({ target, target_type, actor, action, since, until });
    const page = await client.audit.list({ ...filters, limit, ...given({ cursor }) });
    say.emit(page);
    say.print(auditText(page));
  });
}

function verifyCommand(audit: Command, context: CommandContext): void {
  withJson(
    audit
      .command('verify')
      .description(
        'compute the chain of seals anew: exits with 0 where everything stands as it was sealed, ' +
          'with 1 where it does not, and names the first row',
      )
      .option(
        '--anchor <head>',
        'a head that was known before, from Temporal or from paper: the chain has to go through it',
        headOf,
      )
      .option('--file <file>', 'of an export, with no server'),
  ).action(async (flags: { anchor?: string; file?: string; json?: boolean }) => {
    const say = speech(context, flags);
    const { anchor, file } = flags;
    const verified =
      file === undefined
        ? await (await connect(context)).client.audit.verify(anchor)
        : await verifyFile(file, anchor ?? null);
    say.emit(verified);
    say.print(verificationText(verified));
    if (!verified.ok) context.exit = EXIT.failed;
  });
}

function sealCommand(audit: Command, context: CommandContext): void {
  withJson(
    audit.command('seal').description('seal what is in the logs now, and print the head'),
  ).action(async (flags: { json?: boolean }) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const { operation_id } = await client.audit.seal();
    const result = await client.operations.result<SealResult>(operation_id, {
      deadlineMs: SEAL_DEADLINE_MS,
    });
    say.emit({ operation_id, ...result });
    say.print(sealedText(result));
  });
}

function exportCommand(audit: Command, context: CommandContext): void {
  withJson(
    audit
      .command('export')
      .argument('<file>', 'is made; one that is there is left alone')
      .description('both logs and their seals as JSON lines, to keep and to verify elsewhere'),
  ).action(async (file: string, flags: { json?: boolean }) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const { rows, seals, head } = await exportTo(file, client.audit.export());
    say.emit({ file, rows, seals, head });
    say.print(exportedText(file, { rows, seals, head }));
  });
}
