import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { PACKAGE_ROOT } from '../../telemetry/version';
import { type CommandContext, connect, speech, withJson } from '../command';
import { EXIT, Failed } from '../failure';
import { ImportCounts } from '../import/counts';
import { importLines } from '../import/run';
import { summaryJson, summaryText } from '../import/summary';
import { printable, wrapped } from '../terminal';
import { insightsSampleCommand } from './insights/command';
import { ensureSampleRule } from './policy';
import { tour } from './tour';

const FLEET = join(PACKAGE_ROOT, 'samples', 'fleet.jsonl');

export function sampleCommand(program: Command, context: CommandContext): void {
  const sample = program
    .command('sample')
    .description('load a small fleet of three desks and show what it learned; again is safe');
  insightsSampleCommand(sample, context);
  withJson(sample).action(async (flags: { json?: boolean }) => {
    const say = speech(context, flags);
    const { client, found } = await connect(context);

    const added = await ensureSampleRule(client);
    say.note(
      added
        ? 'Policy: the service "scratch" is transient from now on.'
        : 'Policy: as it should be.',
    );
    const counts = new ImportCounts();
    const started = performance.now();
    const { unsettled } = await importLines({
      client,
      chunks: createReadStream(FLEET),
      omit: new Set(),
      wait: true,
      problem: ({ line, reason }) => say.note(`line ${line}: ${reason}`),
      note: (line) => say.note(line),
      counts,
    });
    const tookMs = Math.round(performance.now() - started);
    const ended = { counts, waited: true, unsettled, tookMs, file: FLEET, stopped: null };
    if (unsettled > 0) throw new Failed(summaryText(ended), 'unsettled');

    const stops = await tour(client);
    say.emit({
      import: summaryJson(ended),
      tour: stops.map(({ name, data, repeat }) => ({ name, ...data, repeat })),
    });
    say.print(summaryText(ended));
    stops.forEach(({ title, says, repeat }, at) => {
      say.print(`\n${at + 1}. ${title}\n`);
      for (const line of says) say.print(wrapped(printable(line), say.width, '     '));
      say.print(`\n   $ ${repeat}`);
    });
    say.print(
      `\nFor curl:  export CAIRN_URL=${found.url} CAIRN_KEY=${keyHint(found.from, context)}`,
    );
    if (counts.refused > 0) context.exit = EXIT.failed;
  });
}

/** The key itself belongs on no screen but the first. */
function keyHint(from: string, context: CommandContext): string {
  return from === 'owner.key' ? `$(cat ${join(context.options().dataDir, 'owner.key')})` : '…';
}
