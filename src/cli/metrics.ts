import type { Command } from 'commander';
import type { NewMetric } from '../client/metrics';
import { timeOf } from './arguments';
import { type CommandContext, connect, speech, withJson } from './command';
import { metricsText } from './insights-text';
import { jsonIn } from './json-file';
import { LIMIT, type PageFlags, withPage } from './page';
import { thousands } from './terminal';

interface ListFlags extends PageFlags {
  name?: string;
  since?: string;
  until?: string;
}

/** Numbers of the business over time: what insights are scored and measured by. */
export function metricsCommand(program: Command, context: CommandContext): void {
  const metrics = program
    .command('metrics')
    .description('numbers that insights are scored and measured by: push and list them');

  withPage(
    metrics
      .command('list', { isDefault: true })
      .description('numbers, the newest first')
      .option('--name <metric>', 'of this metric')
      .option('--since <time>', 'from then on', timeOf)
      .option('--until <time>', 'before', timeOf),
  ).action(async (flags: ListFlags) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const { json: _json, limit = LIMIT, ...filters } = flags;
    const page = await client.metrics.list({ ...filters, limit });
    say.emit(page);
    say.print(metricsText(page));
  });

  withJson(
    metrics
      .command('push')
      .argument(
        '<file>',
        'JSON: one number, a list of them, or {"metrics": […]}; - reads standard input',
      )
      .description('push numbers: the same moment of a metric is one, and the later push stands'),
  ).action(async (file: string, flags: { json?: boolean }) => {
    const say = speech(context, flags);
    const numbers = numbersIn(await jsonIn(context, file));
    const { client } = await connect(context);
    const answer = await client.metrics.push(numbers);
    say.emit(answer);
    say.print(`Kept ${thousands(answer.accepted)}.`);
  });
}

function numbersIn(said: unknown): NewMetric[] {
  if (Array.isArray(said)) return said as NewMetric[];
  const { metrics } = (said ?? {}) as { metrics?: unknown };
  return (Array.isArray(metrics) ? metrics : [said]) as NewMetric[];
}
