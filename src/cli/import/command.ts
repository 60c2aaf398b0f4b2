import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { type CommandContext, connect, speech, withJson } from '../command';
import { EXIT, Failed, toldOf, WrongUse } from '../failure';
import { ImportCounts, type LineProblem } from './counts';
import { ImportProgress } from './progress';
import { importLines } from './run';
import { type Ended, summaryJson, summaryText } from './summary';

interface ImportFlags {
  omit: string[];
  wait?: boolean;
  json?: boolean;
}

/** On stderr; the rest is counted. */
const SHOWN_PROBLEMS = 20;

export function importCommand(program: Command, context: CommandContext): void {
  withJson(
    program
      .command('import')
      .argument('<file>', 'events as JSON, one a line; - for standard input')
      .description('take settled work from a file; again is safe, and goes on where it stopped')
      .option(
        '--omit <field>',
        'drop a field (repeatable, or a list with commas)',
        (value: string, before: string[]) => [...before, ...value.split(',')],
        [] as string[],
      )
      .option('--wait', 'wait until every event has its card (the default on a terminal)')
      .option('--no-wait', 'do not wait for the cards'),
  ).action(async (file: string, flags: ImportFlags) => {
    const say = speech(context, flags);
    const source = await sourceOf(file, context);
    const omit = new Set(flags.omit.map((field) => field.trim()).filter((field) => field !== ''));
    const wait = flags.wait ?? context.terminal.err.isTTY === true;
    const { client } = await connect(context);

    const counts = new ImportCounts();
    const progress = new ImportProgress(counts, context.terminal, source.bytes, wait);
    const problem = ({ line, code, reason }: LineProblem) => {
      if (counts.refused <= SHOWN_PROBLEMS) progress.note(`line ${line}: ${reason} (${code})`);
      if (counts.refused === SHOWN_PROBLEMS) progress.note('further ones are only counted');
    };
    const started = performance.now();
    const ended: Ended = {
      counts,
      waited: wait,
      unsettled: 0,
      tookMs: 0,
      file: file === '-' ? null : file,
      stopped: null,
    };
    try {
      const note = (line: string) => progress.note(line);
      const outcome = await importLines({
        client,
        chunks: source.chunks,
        omit,
        wait,
        problem,
        note,
        counts,
      });
      ended.unsettled = outcome.unsettled;
    } catch (error) {
      ended.stopped = toldOf(error).sentence ?? 'it failed';
    } finally {
      progress.end();
    }
    ended.tookMs = Math.round(performance.now() - started);
    say.emit(summaryJson(ended));
    say.print(summaryText(ended));
    const allTaken = ended.stopped === null && counts.refused === 0 && ended.unsettled === 0;
    const allSettled = (counts.dispositions.failed ?? 0) === 0;
    if (!allTaken || !allSettled) context.exit = EXIT.failed;
  });
}

async function sourceOf(
  file: string,
  context: CommandContext,
): Promise<{ chunks: AsyncIterable<Uint8Array | string>; bytes: number | null }> {
  if (file === '-') return { chunks: context.terminal.input, bytes: null };
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new WrongUse(`There is no file ${file}.`);
    throw new Failed(`${file} cannot be read: ${error.message}`);
  });
  if (found.isDirectory()) throw new WrongUse(`${file} is a directory; name a file of JSON lines.`);
  return { chunks: createReadStream(file), bytes: found.isFile() ? found.size : null };
}
