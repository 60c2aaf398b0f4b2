import type { Command } from 'commander';
import { given } from '../client/given';
import type { Erasure, ErasureCounts } from '../contracts/erasure';
import { type CommandContext, connect, speech, withJson } from './command';
import { LIMIT, type PageFlags, withPage } from './page';
import { table } from './terminal';

/** What was erased, and what proves it. */
export function erasureCommand(program: Command, context: CommandContext): Command {
  const erasure = program.command('erasure').description('erasures and their receipts');
  listCommand(erasure, context);
  showCommand(erasure, context);
  return erasure;
}

function listCommand(erasure: Command, context: CommandContext): void {
  withPage(
    erasure.command('list', { isDefault: true }).description('erasures, the newest first'),
  ).action(async (flags: PageFlags) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const { limit = LIMIT, cursor } = flags;
    const page = await client.erasures.list({ limit, ...given({ cursor }) });
    say.emit(page);
    const rows = page.items.map((one) => [
      one.id,
      `${one.status}${one.dry_run ? ' (dry run)' : ''}`,
      namedText(one),
      one.requested_at.slice(0, 16).replace('T', ' '),
    ]);
    say.print(rows.length === 0 ? 'No erasures.' : table(rows));
    if (page.next_cursor !== null) say.print(`\nmore: --cursor ${page.next_cursor}`);
  });
}

function showCommand(erasure: Command, context: CommandContext): void {
  withJson(
    erasure
      .command('show')
      .argument('<id>')
      .description('one erasure; with --json its receipt, to be kept'),
  ).action(async (id: string, flags: { json?: boolean }) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const found = await client.erasures.get(id);
    say.emit(found);
    say.print(erasureText(found));
  });
}

export function erasureText(erasure: Erasure): string {
  const { id, status, dry_run, counts, receipt, legal_basis, completed_at } = erasure;
  const lines = [
    ['erasure', `${id}${dry_run ? ' (dry run)' : ''}`],
    ['status', `${status}${completed_at === null ? '' : `, ${completed_at}`}`],
    ['named', namedText(erasure)],
    ...(legal_basis === null ? [] : [['legal basis', legal_basis]]),
    ['gone', countsText(counts)],
  ];
  if (receipt !== null) {
    const found = receipt.places.filter((place) => place.found > 0);
    const places = `${receipt.places.length} places searched`;
    const where = found.map(({ place, found: n }) => `${place} (${n})`).join(', ');
    lines.push(['found again', where === '' ? `nowhere, ${places}` : `${where}, of ${places}`]);
    lines.push([
      'receipt',
      `signed by ${receipt.key_id}; keep it: cairn erasure show ${id} --json`,
    ]);
  }
  return table(lines);
}

export function countsText({ purged, rederived, kept, held }: ErasureCounts): string {
  const rows = Object.entries(purged)
    .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .map(([name, n]) => `${n} ${name.replaceAll('_', ' ')}`);
  const parts = [
    rows.length === 0 ? 'nothing' : rows.join(', '),
    ...(rederived > 0 ? [`${rederived} cards written again without it`] : []),
    ...(kept > 0 ? [`${kept} cards left as they are`] : []),
    ...(held > 0 ? [`${held} kept by a legal hold`] : []),
  ];
  return parts.join('; ');
}

function namedText({ selector }: Pick<Erasure, 'selector'>): string {
  return Object.entries(selector)
    .map(([kind, n]) => (n === 1 ? kind.replace(/_ids$/, '') : `${n} ${kind.replace(/_id/, '')}`))
    .join(', ');
}
