import type { Conversation, ConversationContext, ShownMessage } from '../contracts/conversation';
import type { Page } from '../contracts/run';
import { counted } from './inbox-text';
import { printable, table, thousands, wrapped } from './terminal';

const NONE = '–';

export function conversationsText(page: Page<Conversation>): string {
  if (page.items.length === 0) return 'No conversations.';
  const head = ['id', 'status', 'agent', 'subject', 'project', 'messages', 'tokens', 'updated'];
  const rows = page.items.map((one) => [
    printable(one.id),
    one.status,
    printable(one.agent),
    printable(one.subject ?? NONE),
    printable(one.project ?? NONE),
    thousands(one.messages),
    thousands(one.tokens),
    one.updated_at,
  ]);
  return `${table([head, ...rows])}\n\n${counted(page)}`;
}

/** Where it stands, and a page of what was said. */
export function conversationText(
  conversation: Conversation,
  messages: Page<ShownMessage>,
  width: number,
): string {
  const { messages: count, tokens, summarized_through: through } = conversation;
  const told = through === 0 ? 'no summary yet' : `the first ${thousands(through)} are summed up`;
  const fields: string[][] = [
    ['  status', conversation.status],
    ['  agent', printable(conversation.agent)],
    ['  subject', printable(conversation.subject ?? NONE)],
    ['  project', printable(conversation.project ?? NONE)],
    ['  messages', `${thousands(count)}, ${thousands(tokens)} tokens; ${told}`],
  ];
  return [
    printable(conversation.id),
    '',
    table(fields),
    '',
    ...messages.items.map((message) => messageText(message, width)),
    '',
    counted(messages),
  ].join('\n');
}

function messageText(message: ShownMessage, width: number): string {
  const { n, role, name, at, content, extracted } = message;
  const who = name === null ? role : `${role} ${printable(name)}`;
  const words = content ?? `(dropped; what was taken of it: ${extracted ?? ''})`;
  return [`${n}  ${at}  ${who}`, wrapped(printable(words), width, '  ')].join('\n');
}

export function contextText(context: ConversationContext, width: number): string {
  const { messages, tokens, facts } = context;
  const counts = [
    `${thousands(messages.length)} messages`,
    `${thousands(tokens)} tokens`,
    `${facts.length} facts`,
  ].join(', ');
  const lines = messages.flatMap(({ role, name, content }) => [
    name === undefined ? role : `${role} ${printable(name)}`,
    ...content.split('\n').map((line) => wrapped(printable(line), width, '  ').trimEnd()),
  ]);
  const off = context.degraded?.includes('memory_off')
    ? ['Memory is switched off for this agent; a person may switch it on.']
    : [];
  return [...off, ...lines, '', `${counts}.`].join('\n');
}
