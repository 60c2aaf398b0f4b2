import type { Command } from 'commander';
import { given } from '../client/given';
import { CONVERSATION_STATUSES, type ConversationStatus } from '../contracts/conversation';
import { choiceOf, countOf } from './arguments';
import { type CommandContext, connect, speech, withJson } from './command';
import { contextText, conversationsText, conversationText } from './conversations-text';
import { LIMIT, type PageFlags, withPage } from './page';

interface ListFlags extends PageFlags {
  status?: ConversationStatus;
  subject?: string;
  project?: string;
  as?: string;
}

interface ShowFlags extends PageFlags {
  as?: string;
}

/** What agents say to whom, and what of it goes to a model. */
export function conversationsCommand(program: Command, context: CommandContext): void {
  const conversations = program
    .command('conversations')
    .description('conversations: list them, read one, and see what of it goes to a model');

  withPage(
    conversations
      .command('list', { isDefault: true })
      .description('conversations by id')
      .option(
        '--status <status>',
        CONVERSATION_STATUSES.join(', '),
        choiceOf(CONVERSATION_STATUSES),
      )
      .option('--subject <id>', 'about this subject')
      .option('--project <id>', 'of this project')
      .option('--as <agent>', 'as this agent would see them'),
  ).action(async (flags: ListFlags) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const { json: _json, as: agent, limit = LIMIT, ...filters } = flags;
    const page = await client.with(given({ agent })).conversations.list({ ...filters, limit });
    say.emit(page);
    say.print(conversationsText(page));
  });

  withPage(
    conversations
      .command('show')
      .argument('<id>')
      .description('one conversation and its messages as they were sent, oldest first')
      .option('--as <agent>', 'as this agent would see it'),
    'messages',
  ).action(async (id: string, flags: ShowFlags) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const { as: agent, limit = LIMIT, cursor } = flags;
    const reader = client.with(given({ agent })).conversations;
    const conversation = await reader.get(id);
    const messages = await reader.messages(id, { limit, ...given({ cursor }) });
    say.emit({ ...conversation, page: messages });
    say.print(conversationText(conversation, messages, say.width));
  });

  withJson(
    conversations
      .command('context')
      .argument('<id>')
      .description('the list of messages that would go to a model now')
      .option('--budget <tokens>', 'at most so many tokens, from 256 on', countOf)
      .option('--as <agent>', 'as this agent would get it'),
  ).action(async (id: string, flags: { budget?: number; as?: string; json?: boolean }) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const { as: agent, budget: budget_tokens } = flags;
    const reader = client.with(given({ agent })).conversations;
    const answer = await reader.context(id, given({ budget_tokens }));
    say.emit(answer);
    say.print(contextText(answer, say.width));
  });
}
