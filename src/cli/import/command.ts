import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { choiceOf } from '../arguments';
import { type CommandContext, connect, speech, withJson } from '../command';
import { EXIT, Failed, toldOf, WrongUse } from '../failure';
import { importExport } from './cairn';
import { ImportCounts, type LineProblem } from './counts';
import type { ForeignFile } from './foreign';
import { mcpMemoryEntries } from './mcp-memory';
import { mem0Entries } from './mem0';
import { ImportProgress } from './progress';
import { counted, type ImportOutcome, importEntries, importLines } from './run';
import { type Ended, summaryJson, summaryText } from './summary';
import { ORIGINS, type Origin, peeked } from './what-it-is';

interface ImportFlags {
  from?: Origin;
  omit: string[];
  agent?: string;
  acceptKey?: string;
  wait?: boolean;
  json?: boolean;
}

/** On stderr; the rest is counted. */
const SHOWN_PROBLEMS = 20;
/** Whose memories become those of other programs that name no agent. */
const AGENT = 'imported';

export function importCommand(program: Command, context: CommandContext): void {
  withJson(
    program
      .command('import')
      .argument('<file>', 'an export of Cairn, or events as JSON, one a line; - for standard input')
      .description(
        'take settled work, an export, or the memories of another program from a file; again is safe, and goes on where it stopped',
      )
      .option(
        '--from <program>',
        `what the file is: ${ORIGINS.join(', ')} (default: an export where it begins as one, else events)`,
        choiceOf(ORIGINS),
      )
      .option(
        '--omit <field>',
        'drop a field of events (repeatable, or a list with commas)',
        (value: string, before: string[]) => [...before, ...value.split(',')],
        [] as string[],
      )
      .option('--agent <id>', `whose memories become those that name no agent (default ${AGENT})`)
      .option('--accept-key <id>', 'take exports that this key of another installation signed')
      .option('--wait', 'wait until everything has come to rest (the default on a terminal)')
      .option('--no-wait', 'do not wait'),
  ).action(async (file: string, flags: ImportFlags) => {
    const source = await sourceOf(file, context);
    const { origin, chunks } = await peeked(source.chunks);
    const from = flags.from ?? origin;
    const wait = flags.wait ?? context.terminal.err.isTTY === true;
    if (from === 'cairn') {
      await importExport(context, { ...flags, wait, chunks, file });
      return;
    }
    await importEvents(context, { ...flags, from, wait, source: { ...source, chunks }, file });
  });
}

interface EventsFlags extends Omit<ImportFlags, 'from'> {
  from: Exclude<Origin, 'cairn'>;
  wait: boolean;
  source: Source;
  file: string;
}

async function importEvents(context: CommandContext, flags: EventsFlags): Promise<void> {
  const { wait, source, file } = flags;
  const say = speech(context, flags);
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
    const request = { client, wait, problem, note, counts };
    ended.unsettled = (await taken(request, flags)).unsettled;
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
}

async function taken(
  request: Parameters<typeof importEntries>[0],
  { from, omit, agent = AGENT, source }: EventsFlags,
): Promise<ImportOutcome> {
  if (from === 'events') {
    const dropped = new Set(omit.map((field) => field.trim()).filter((field) => field !== ''));
    return await importLines({ ...request, chunks: source.chunks, omit: dropped });
  }
  const foreign: ForeignFile = { agent, at: source.changedAt.toISOString() };
  const chunks = counted(source.chunks, request.counts);
  const entries =
    from === 'mem0' ? mem0Entries(chunks, foreign) : mcpMemoryEntries(chunks, foreign);
  return await importEntries({ ...request, idsAreContent: true }, entries);
}

interface Source {
  chunks: AsyncIterable<Uint8Array | string>;
  /** Null where the input has no known end. */
  bytes: number | null;
  changedAt: Date;
}

async function sourceOf(file: string, context: CommandContext): Promise<Source> {
  if (file === '-') return { chunks: context.terminal.input, bytes: null, changedAt: new Date() };
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new WrongUse(`There is no file ${file}.`);
    throw new Failed(`${file} cannot be read: ${error.message}`);
  });
  if (found.isDirectory()) throw new WrongUse(`${file} is a directory; name a file of JSON lines.`);
  const bytes = found.isFile() ? found.size : null;
  return { chunks: createReadStream(file), bytes, changedAt: found.mtime };
}
