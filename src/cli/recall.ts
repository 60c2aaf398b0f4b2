import type { Command } from 'commander';
import { given } from '../client/given';
import { INTENTS, type Intent } from '../contracts/names';
import type { RecallRequest } from '../contracts/recall';
import { choiceOf, countOf, timeOf } from './arguments';
import { type CommandContext, connect, speech, withJson } from './command';
import { recallText } from './recall-text';

interface RecallFlags {
  agent?: string;
  person?: string;
  session?: string;
  intent?: Intent;
  limit?: number;
  budget?: number;
  asOf?: string;
  knownAt?: string;
  service?: string;
  operation?: string;
  subject?: string;
  project?: string;
  explain?: boolean;
  json?: boolean;
}

export function recallCommand(program: Command, context: CommandContext): void {
  withJson(
    program
      .command('recall')
      .argument('<query>', 'what the agent is about to do, or wants to know')
      .description('the few cards that fit, as an agent would get them')
      .option('--agent <id>', 'as this agent (default: CAIRN_AGENT; without one, as a person)')
      .option('--person <id>', 'acting for this person')
      .option('--session <id>', 'the session that the recall belongs to')
      .option('--intent <intent>', INTENTS.join(', '), choiceOf(INTENTS))
      .option('--limit <n>', 'cards in the answer', countOf)
      .option('--budget <tokens>', 'tokens of the context', countOf)
      .option('--as-of <time>', 'as the world was then', timeOf)
      .option('--known-at <time>', 'as it was known then', timeOf)
      .option('--service <name>', 'cards of this service only')
      .option('--operation <name>', 'cards of this operation only')
      .option('--subject <id>', 'cards about this subject only')
      .option('--project <id>', 'cards of this project too, even when it is closed')
      .option('--explain', 'every term of every score, and what was left out and why'),
  ).action(async (query: string, flags: RecallFlags) => {
    const say = speech(context, flags);
    const { client, options } = await connect(context);
    const agent = flags.agent ?? options.agent ?? undefined;
    const { person, session, service, operation, subject } = flags;
    const filters = given({ service, operation, subject });
    const request: Omit<RecallRequest, 'if_context_version'> = {
      query,
      ...given({
        intent: flags.intent,
        limit: flags.limit,
        budget_tokens: flags.budget,
        as_of: flags.asOf,
        known_at: flags.knownAt,
        project: flags.project,
        explain: flags.explain,
      }),
      ...(Object.keys(filters).length > 0 && { filters }),
    };
    const speaking = given({ agent, person, session });
    const answer = await client
      .with({ ...speaking, ...(person !== undefined && { executionMode: 'interactive' as const }) })
      .recall(request);
    say.emit(answer);
    say.print(recallText(answer, say.width));
  });
}
