import { type Command, InvalidArgumentError } from 'commander';
import { given } from '../client/given';
import type { CardScope } from '../contracts/card';
import { RUN_TYPES, type RunType, SCOPE_TYPES } from '../contracts/names';
import { SCHEDULED_PASSES, type ScheduledPass } from '../contracts/passes';
import type { Run } from '../contracts/run';
import { choiceOf } from './arguments';
import { type CommandContext, connect, speech, withJson } from './command';
import { LIMIT, type PageFlags, withPage } from './page';
import { runsText, runText, undoneText } from './runs-text';

interface ListFlags extends PageFlags {
  type?: RunType;
  status?: Run['status'];
  of?: string;
  scope?: string;
}

interface StartFlags {
  scope?: CardScope;
  dryRun?: boolean;
  wait?: boolean;
  json?: boolean;
}

/** A pass over a large workspace with a model takes that long; it goes on without whoever waits. */
const WAIT_MS = 60 * 60_000;
const STATUSES = ['running', 'completed', 'partial', 'failed'] as const;

/** What changes memory on its own accord. */
export function runsCommand(program: Command, context: CommandContext): void {
  const runs = program.command('runs').description('passes over memory: watched, started, undone');
  listCommand(runs, context);
  showCommand(runs, context);
  startCommand(runs, context);
  rescanCommand(runs, context);
  orderCommands(runs, context);
  undoCommand(runs, context);
}

function listCommand(runs: Command, context: CommandContext): void {
  withPage(
    runs
      .command('list', { isDefault: true })
      .description('what ran, newest first')
      .option('--type <type>', RUN_TYPES.join(', '), choiceOf(RUN_TYPES))
      .option('--status <status>', STATUSES.join(', '), choiceOf(STATUSES))
      .option('--of <run>', 'the units of this run')
      .option('--scope <type:id>', 'over this scope'),
  ).action(async (flags: ListFlags) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const { json: _json, of: parent_id, limit = LIMIT, ...filters } = flags;
    const page = await client.runs.list({ ...filters, ...given({ parent_id }), limit });
    say.emit(page);
    say.print(runsText(page));
  });
}

function showCommand(runs: Command, context: CommandContext): void {
  withJson(
    runs.command('show').argument('<id>').description('one run, and what it did or would do'),
  ).action(async (id: string, flags: { json?: boolean }) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const run = await client.runs.get(id);
    say.emit(run);
    say.print(runText(run, say.width));
  });
}

function startCommand(runs: Command, context: CommandContext): void {
  withJson(
    runs
      .command('start')
      .argument('<type>', SCHEDULED_PASSES.join(', '), choiceOf(SCHEDULED_PASSES))
      .description('start a pass now')
      .option('--scope <type:id>', 'over this scope alone, such as team:support', scopeOf)
      .option('--dry-run', 'say what it would do, and do nothing')
      .option('--wait', 'until it has ended'),
  ).action(async (type: ScheduledPass, flags: StartFlags) => {
    const { client } = await connect(context);
    const asked = await client.runs.start(
      type,
      given({ scope: flags.scope, dry_run: flags.dryRun }),
    );
    await sayStarted(context, client, asked.operation_id, flags);
  });
}

function rescanCommand(runs: Command, context: CommandContext): void {
  withJson(
    runs
      .command('rescan')
      .description('redact everything durable as it would be redacted today')
      .option('--dry-run', 'say what is found where, and change nothing')
      .option('--wait', 'until it has ended'),
  ).action(async (flags: StartFlags) => {
    const { client } = await connect(context);
    const asked = await client.runs.rescan(given({ dry_run: flags.dryRun }));
    await sayStarted(context, client, asked.operation_id, flags);
  });
}

async function sayStarted(
  context: CommandContext,
  client: Awaited<ReturnType<typeof connect>>['client'],
  id: string,
  flags: StartFlags,
): Promise<void> {
  const say = speech(context, flags);
  if (flags.wait !== true) {
    say.emit({ operation_id: id });
    say.print(`Started: cairn runs show ${id}`);
    return;
  }
  say.note(`waiting for ${id}`);
  const { state } = await client.operations.wait(id, { deadlineMs: WAIT_MS });
  const run = await client.runs.get(id);
  say.emit(run);
  say.print(runText(run, say.width));
  if (state !== 'completed') context.exit = 1;
}

const ORDERS = [
  ['pause', 'have a pass wait, once it has done what it has in hand'],
  ['resume', 'have a paused pass go on'],
  ['cancel', 'end a pass; what it did by then stays'],
] as const;

function orderCommands(runs: Command, context: CommandContext): void {
  for (const [order, description] of ORDERS) {
    withJson(runs.command(order).argument('<id>').description(description)).action(
      async (id: string, flags: { json?: boolean }) => {
        const say = speech(context, flags);
        const { client } = await connect(context);
        const run = await client.runs[order](id);
        say.emit(run);
        say.print(`${id} is told to ${order}.`);
      },
    );
  }
}

function undoCommand(runs: Command, context: CommandContext): void {
  withJson(
    runs
      .command('undo')
      .argument('<id>')
      .description('take back what a pass did, where nothing else has changed it since'),
  ).action(async (id: string, flags: { json?: boolean }) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const undone = await client.runs.undo(id);
    say.emit(undone);
    say.print(undoneText(undone));
  });
}

function scopeOf(value: string): CardScope {
  const [name = '', ...id] = value.split(':');
  const type = SCOPE_TYPES.find((one) => one === name);
  if (type === undefined || id.join(':') === '') {
    throw new InvalidArgumentError(
      `It must be a type and an id, such as team:support (${SCOPE_TYPES.join(', ')}).`,
    );
  }
  return { type, id: id.join(':') };
}
