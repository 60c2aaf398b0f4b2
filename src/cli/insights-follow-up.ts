import type { Command } from 'commander';
import { given } from '../client/given';
import { type FollowUpAnswer, OUTCOME_RESULTS, type OutcomeResult } from '../contracts/insight';
import { choiceOf, timeOf } from './arguments';
import { type CommandContext, connect, speech, withJson } from './command';
import { WrongUse } from './failure';
import { insightText } from './insights-text';

/** An action that was taken, until it is known what came of it. */
export function followUpCommands(insights: Command, context: CommandContext): void {
  const ofAction = (name: string, description: string): Command =>
    withJson(
      insights
        .command(name)
        .argument('<insight>')
        .argument('<action>', 'its id')
        .description(description),
    );

  ofAction('take', 'say that an action was taken: it is measured when its window is over')
    .option('--at <time>', 'when, if not now', timeOf)
    .option('--window <duration>', 'ISO 8601, such as P21D; that of the insight where left out')
    .action(
      async (
        id: string,
        action: string,
        flags: { at?: string; window?: string; json?: boolean },
      ) => {
        const say = speech(context, flags);
        const { client } = await connect(context);
        const { at, window } = flags;
        const taken = await client.insights.take(id, action, given({ at, window }));
        say.emit(taken);
        say.print(`Measured at ${taken.measure_at}; operation ${taken.operation_id}.`);
      },
    );

  ofAction('measure', 'measure an action now').action(
    async (id: string, action: string, flags: { json?: boolean }) => {
      const say = speech(context, flags);
      const { client } = await connect(context);
      const answer = await client.insights.measure(id, action);
      say.emit(answer);
      say.print(answerText(answer));
    },
  );

  ofAction('extend', 'wait longer before an action is measured')
    .option('--until <time>', 'until then', timeOf)
    .option('--window <duration>', 'so long from when it was taken, such as P30D')
    .action(
      async (
        id: string,
        action: string,
        flags: { until?: string; window?: string; json?: boolean },
      ) => {
        const say = speech(context, flags);
        const { until, window } = flags;
        if ((until === undefined) === (window === undefined)) {
          throw new WrongUse('Say how long: --until TIME or --window DURATION.');
        }
        const { client } = await connect(context);
        const to = until === undefined ? { window: window ?? '' } : { until };
        const answer = await client.insights.extend(id, action, to);
        say.emit(answer);
        say.print(answerText(answer));
      },
    );

  ofAction('cancel', 'end the follow-up of an action without an outcome')
    .option('--reason <text>', 'why; it is redacted')
    .action(async (id: string, action: string, flags: { reason?: string; json?: boolean }) => {
      const say = speech(context, flags);
      const { client } = await connect(context);
      const { reason } = flags;
      const answer = await client.insights.cancel(id, action, given({ reason }));
      say.emit(answer);
      say.print(answerText(answer));
    });

  ofAction('outcome', 'say yourself what an action came to')
    .argument('<result>', OUTCOME_RESULTS.join(', '), choiceOf(OUTCOME_RESULTS))
    .option('--size <change>', 'relative: -0.18 is 18 % less', changeOf)
    .option('--note <text>', 'how you know; it is redacted')
    .action(
      async (
        id: string,
        action_id: string,
        result: OutcomeResult,
        flags: { size?: number; note?: string; json?: boolean },
      ) => {
        const say = speech(context, flags);
        const { client } = await connect(context);
        const { size, note } = flags;
        const outcome = { action_id, result, ...given({ size, note }) };
        const insight = await client.insights.outcome(id, outcome);
        say.emit(insight);
        say.print(insightText(insight, say.width));
      },
    );
}

function changeOf(value: string): number {
  const change = Number(value);
  if (value.trim() === '' || !Number.isFinite(change)) {
    throw new WrongUse('--size must be a number, such as -0.18.');
  }
  return change;
}

function answerText({ action_id, status, result, measure_at, code }: FollowUpAnswer): string {
  const rest = [
    ...(result === null ? [] : [result]),
    ...(status === 'taken' && measure_at !== null ? [`measured at ${measure_at}`] : []),
    ...(code === null ? [] : [code]),
  ];
  return `${action_id}: ${[status ?? 'unknown', ...rest].join(', ')}.`;
}
