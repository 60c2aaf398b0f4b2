import type { Command } from 'commander';
import { given } from '../client/given';
import type { InsightFilters, NewInsight } from '../client/insights';
import {
  ACTION_STATUSES,
  type ActionStatus,
  INSIGHT_ORIGINS,
  type InsightOrigin,
  SEVERITIES,
  type Severity,
} from '../contracts/insight';
import { choiceOf, scoreOf, timeOf } from './arguments';
import { type CommandContext, connect, speech, withJson } from './command';
import { followUpCommands } from './insights-follow-up';
import { insightsText, insightText } from './insights-text';
import { jsonIn } from './json-file';
import { LIMIT, type PageFlags, withPage } from './page';

interface ListFlags extends PageFlags {
  origin?: InsightOrigin;
  severity?: Severity;
  status?: ActionStatus;
  domain?: string;
  minScore?: number;
  subject?: string;
  query?: string;
  since?: string;
  until?: string;
  order?: 'score' | 'created';
  as?: string;
}

/** Findings with a number, an owner and a follow-up. */
export function insightsCommand(program: Command, context: CommandContext): void {
  const insights = program
    .command('insights')
    .description('insights: list, show and save them, say what was done, and what came of it');

  withPage(
    insights
      .command('list', { isDefault: true })
      .description('insights, the newest or the most urgent first')
      .option('--order <order>', 'created or score', choiceOf(['created', 'score'] as const))
      .option('--origin <origin>', INSIGHT_ORIGINS.join(', '), choiceOf(INSIGHT_ORIGINS))
      .option('--severity <severity>', SEVERITIES.join(', '), choiceOf(SEVERITIES))
      .option(
        '--status <status>',
        `of an action: ${ACTION_STATUSES.join(', ')}`,
        choiceOf(ACTION_STATUSES),
      )
      .option('--domain <domain>', 'such as labor')
      .option('--min-score <score>', 'at least so urgent, 0 to 100', scoreOf)
      .option('--subject <id>', 'about this subject')
      .option('--query <words>', 'whose card holds all of these words')
      .option('--since <time>', 'saved from then on', timeOf)
      .option('--until <time>', 'saved before', timeOf)
      .option('--as <agent>', 'as this agent would see them'),
  ).action(async (flags: ListFlags) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const {
      json: _json,
      as: agent,
      limit = LIMIT,
      minScore: min_score,
      query: q,
      ...filters
    } = flags;
    const asked: InsightFilters = { ...filters, ...given({ min_score, q }) };
    const page = await client.with(given({ agent })).insights.list({ ...asked, limit });
    say.emit(page);
    say.print(insightsText(page));
  });

  withJson(
    insights
      .command('show')
      .argument('<id>')
      .description('one insight: why it is urgent, where it stood, and what is recommended now')
      .option('--as <agent>', 'as this agent would see it'),
  ).action(async (id: string, flags: { as?: string; json?: boolean }) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const insight = await client.with(given({ agent: flags.as })).insights.get(id);
    say.emit(insight);
    say.print(insightText(insight, say.width));
  });

  withJson(
    insights
      .command('save')
      .argument('<file>', 'JSON, as POST /v1/insights takes it; - reads standard input')
      .description('save a finding with its numbers and actions')
      .option('--as <agent>', 'in the scope of this agent'),
  ).action(async (file: string, flags: { as?: string; json?: boolean }) => {
    const say = speech(context, flags);
    const body = (await jsonIn(context, file)) as NewInsight;
    const { client } = await connect(context);
    const insight = await client.with(given({ agent: flags.as })).insights.save(body);
    say.emit(insight);
    say.print(insightText(insight, say.width));
  });

  followUpCommands(insights, context);
}
