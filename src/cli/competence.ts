import type { Command } from 'commander';
import { given } from '../client/given';
import type { CompetenceRecord } from '../contracts/competence';
import type { Page } from '../contracts/run';
import { type CommandContext, connect, speech } from './command';
import { counted } from './inbox-text';
import { LIMIT, type PageFlags, withPage } from './page';
import { oneLine, table, thousands } from './terminal';

interface CompetenceFlags extends PageFlags {
  agent?: string;
  taskType?: string;
  team?: string;
}

/** Of a kind of task on its line. */
const TASK_TYPE = 40;
const NONE = '–';

/** Who is good at what, by evidence. */
export function competenceCommand(program: Command, context: CommandContext): void {
  withPage(
    program
      .command('competence')
      .description('who is good at what, best evidence first')
      .option('--agent <id>', 'of this agent')
      .option('--task-type <type>', 'at tasks of this type')
      .option('--team <id>', 'in this team'),
  ).action(async (flags: CompetenceFlags) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const { json: _json, taskType: task_type, limit = LIMIT, ...filters } = flags;
    const page = await client.competence({ ...filters, ...given({ task_type }), limit });
    say.emit(page);
    say.print(competenceText(page));
  });
}

const HEADS = [
  ...['agent', 'task type', 'completed', 'at least', 'as of now'],
  ...['mean cost', 'mean time', 'last', 'card'],
];

function competenceText(page: Page<CompetenceRecord>): string {
  if (page.items.length === 0) return 'Nothing is known of anybody yet, or not with these filters.';
  const rows = page.items.map((one) => [
    one.agent,
    oneLine(one.task_type, TASK_TYPE),
    `${one.completed}/${one.attempts}`,
    percent(one.lower_bound),
    percent(one.lower_bound_now),
    one.cost_mean === null ? NONE : one.cost_mean.toFixed(2),
    one.duration_ms_mean === null ? NONE : duration(one.duration_ms_mean),
    one.last_at.slice(0, 10),
    one.card_id ?? NONE,
  ]);
  return `${table([HEADS, ...rows])}\n\n${counted(page)}`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function duration(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${thousands(Math.round(ms / 1_000))} s`;
}
