import type { ShownMessage, StoredMessage } from '../contracts/conversation';
import type { Page } from '../contracts/run';
import { listMessages, readMessage } from '../store/conversation-messages';
import { readConversation } from '../store/conversations';
import type { ApiDependencies } from './app';
import type { Caller } from './authentication';
import { readerOf } from './card-rights';
import { BY_NUMBER, pageOf, positionIn } from './paging';
import { notFound } from './problem';

/**
 * A page of the messages as they were sent; of memory that is off nothing is shown to its agent.
 * @throws Problem 404
 */
export async function messagesPage(
  deps: ApiDependencies,
  caller: Caller,
  id: string,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<Page<ShownMessage>> {
  const reader = readerOf(caller, deps.clock);
  const after = positionIn(cursor, BY_NUMBER)?.[0] ?? 0;
  return await deps.database.inWorkspace(reader[0], async (tx) => {
    if ((await readConversation(tx, reader, id)) === null) throw notFound('conversation');
    if (caller.memoryOff) return { items: [], next_cursor: null, total: 0 };
    const { rows, total } = await listMessages(tx, id, { after, limit });
    const page = pageOf(rows, limit, ({ n }) => [n], total);
    return { ...page, items: page.items.map(shown) };
  });
}

const NUMBER = /^[1-9]\d{0,8}$/;

/** @throws Problem 404 */
export async function oneMessage(
  deps: ApiDependencies,
  caller: Caller,
  id: string,
  number: string,
): Promise<ShownMessage> {
  const reader = readerOf(caller, deps.clock);
  if (!NUMBER.test(number) || caller.memoryOff) throw notFound('message');
  const n = Number(number);
  const found = await deps.database.inWorkspace(reader[0], (tx) => readMessage(tx, reader, id, n));
  if (found === null) throw notFound('message');
  return shown(found);
}

function shown(message: StoredMessage): ShownMessage {
  return { ...message, cleared: message.content === null };
}
