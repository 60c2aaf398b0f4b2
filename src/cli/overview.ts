import type { Command } from 'commander';
import { given } from '../client/given';
import type { CardShare, Models, Overview } from '../contracts/overview';
import { countOf } from './arguments';
import { type CommandContext, connect, speech, withJson } from './command';
import { oneLine, table, thousands } from './terminal';

const NONE = '–';
/** Of a model's name on its line. */
const NAME = 60;

/** How a workspace does, and by which models. */
export function overviewCommands(program: Command, context: CommandContext): void {
  withJson(
    program
      .command('overview')
      .description('what came in, what waits, how good memory is, what models cost')
      .option('--days <n>', 'over so many days, 7 by default', countOf),
  ).action(async (flags: { days?: number; json?: boolean }) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const overview = await client.overview(given({ days: flags.days }));
    say.emit(overview);
    say.print(overviewText(overview));
  });

  withJson(
    program.command('models').description('by which models cards are worded and found'),
  ).action(async (flags: { json?: boolean }) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const models = await client.models();
    say.emit(models);
    say.print(modelsText(models));
  });
}

function overviewText(overview: Overview): string {
  const { captures, backlog, proposals, contradictions, quality, recalls, cost } = overview;
  const since = captures.series[0]?.at ?? overview.at;
  const over = table([
    ['captures', countsOf(captures.totals)],
    ['recalls', thousands(recalls.total)],
    [
      'models',
      `${thousands(cost.totals.calls)} calls, ${thousands(cost.totals.input_tokens)} tokens in, ${thousands(cost.totals.output_tokens)} out`,
    ],
  ]);
  const now = table([
    ['waiting', `${thousands(backlog.pending)} captures${sinceText(backlog.oldest_pending_at)}`],
    ['to be worded by the model', thousands(backlog.needs_distill)],
    ['unsent starts', thousands(backlog.outbox)],
    ['open proposals', `${countsOf(proposals.by_type)}${sinceText(proposals.oldest_open_at)}`],
    ['contradictions', thousands(contradictions.open)],
    ['agents', `${overview.agents.known}, ${overview.agents.writes_stopped} of them stopped`],
    ['erasures under way', thousands(overview.erasures.open)],
  ]);
  const good = table([
    ['cards', thousands(quality.cards)],
    ['junk', shareText(quality.junk)],
    ['duplicates', shareText(quality.duplicates)],
    ['stale', shareText(quality.stale)],
    ['never recalled', shareText(quality.never_recalled)],
  ]);
  return `Since ${since}:\n${over}\n\nNow:\n${now}\n\nMemory:\n${good}`;
}

function countsOf(counts: Readonly<Record<string, number | undefined>>): string {
  const parts = Object.entries(counts).map(([name, n = 0]) => `${thousands(n)} ${name}`);
  return parts.length === 0 ? '0' : parts.join(', ');
}

function sinceText(at: string | null): string {
  return at === null ? '' : `, the oldest since ${at}`;
}

function shareText({ count, share }: CardShare): string {
  return `${thousands(count)} (${(share * 100).toFixed(1)} %)`;
}

function modelsText({ distiller, writer, embedder, vectors, reembedding }: Models): string {
  const rows = [
    ['cards are worded by', wordsText(distiller)],
    ['notes and skills by', wordsText(writer)],
    ['found by', embedderText(embedder)],
    ...vectors.map(({ embedder: id, cards }) => [
      'vectors',
      `${thousands(cards)} by ${oneLine(id, NAME)}`,
    ]),
    ['being replaced by run', reembedding ?? NONE],
  ];
  return table(rows);
}

function wordsText({ kind, model, endpoint }: Models['distiller']): string {
  if (kind === 'rules') return 'rules';
  return `${oneLine(model ?? NONE, NAME)} at ${endpoint ?? NONE}`;
}

function embedderText({ id, dimensions, state }: Models['embedder']): string {
  if (state === 'loading') return 'words; the embedder is loading';
  if (state === 'absent') return 'words';
  return `${oneLine(id ?? NONE, NAME)}, ${dimensions === null ? 'dimensions not known yet' : `${dimensions} dimensions`}`;
}
