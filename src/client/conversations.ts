import type {
  AppendedMessages,
  ClosedConversation,
  Conversation,
  ConversationContext,
  ConversationStatus,
  NewMessage,
  ShownMessage,
} from '../contracts/conversation';
import type { Page } from '../contracts/run';
import { given } from './given';
import { itemsOf, type PageOptions } from './paging';
import type { CallOptions, Transport } from './transport';

export interface ConversationFilters {
  status?: ConversationStatus;
  subject?: string;
  project?: string;
}

export interface ContextOptions extends CallOptions {
  /** o200k tokens; without it the policy's ceiling and summary together. */
  budget_tokens?: number;
}

/** Conversations of an agent: what was said, and what of it goes to a model. */
export class Conversations {
  constructor(private readonly transport: Transport) {}

  /**
   * Starts a conversation, or says what it is about; the same again changes nothing.
   *
   * @throws {CairnError} 409 where it has messages and another subject, is closed or archived
   * @example
   * await client.with({ agent: 'herald' }).conversations.put('chat-42', { subject: 'ann' });
   */
  async put(
    id: string,
    about: { subject?: string | null; project?: string | null } = {},
    options: CallOptions = {},
  ): Promise<Conversation> {
    return await this.transport.call<Conversation>(path(id), {
      method: 'PUT',
      body: about,
      ...options,
    });
  }

  /**
   * Adds up to 500 messages, in order. When it answers they are durable; sent again by this client they are
   * taken once.
   *
   * @throws {CairnError} 404, 409 `conversation_closed` or `conversation_archived`, 413 for one over 256 KB
   * @example
   * await conversations.append('chat-42', [{ role: 'user', content: 'Hello', at: new Date().toISOString() }]);
   */
  async append(
    id: string,
    messages: readonly NewMessage[],
    options: CallOptions = {},
  ): Promise<AppendedMessages> {
    return await this.transport.call<AppendedMessages>(`${path(id)}/messages`, {
      method: 'POST',
      body: { messages },
      ...options,
    });
  }

  /**
   * The list of messages to send to a model. Ask anew before each call of it: what was revoked meanwhile is gone.
   *
   * @returns null where `if_context_version` is still the version: the list that one has holds
   * @example
   * const { messages } = await conversations.context('chat-42');
   */
  async context(
    id: string,
    options?: ContextOptions & { if_context_version?: never },
  ): Promise<ConversationContext>;
  async context(
    id: string,
    options: ContextOptions & { if_context_version?: string },
  ): Promise<ConversationContext | null>;
  async context(
    id: string,
    options: ContextOptions & { if_context_version?: string } = {},
  ): Promise<ConversationContext | null> {
    const { signal, timeoutMs, ...query } = options;
    return await this.transport.call<ConversationContext | null>(`${path(id)}/context`, {
      query,
      ...given({ signal, timeoutMs }),
    });
  }

  /**
   * Closes it; it is summed up a last time and stays readable.
   *
   * @example
   * const { operation_id } = await conversations.close('chat-42');
   */
  async close(id: string, options: CallOptions = {}): Promise<ClosedConversation> {
    return await this.transport.call<ClosedConversation>(`${path(id)}/close`, {
      method: 'POST',
      ...options,
    });
  }

  /** @throws {CairnError} 404 */
  async get(id: string, options: CallOptions = {}): Promise<Conversation> {
    return await this.transport.call<Conversation>(path(id), options);
  }

  /**
   * @example
   * const { items } = await conversations.list({ subject: 'ann', status: 'open' });
   */
  async list(
    options: ConversationFilters & PageOptions & CallOptions = {},
  ): Promise<Page<Conversation>> {
    const { signal, timeoutMs, ...query } = options;
    return await this.transport.call<Page<Conversation>>('/v1/conversations', {
      query,
      ...given({ signal, timeoutMs }),
    });
  }

  /**
   * A page of the messages as they were sent, redacted, oldest first.
   *
   * @example
   * const { items } = await conversations.messages('chat-42');
   */
  async messages(id: string, options: PageOptions & CallOptions = {}): Promise<Page<ShownMessage>> {
    const { signal, timeoutMs, ...query } = options;
    return await this.transport.call<Page<ShownMessage>>(`${path(id)}/messages`, {
      query,
      ...given({ signal, timeoutMs }),
    });
  }

  /**
   * All of them, a page at a time.
   *
   * @example
   * for await (const { n, content } of conversations.iterate('chat-42')) console.log(n, content);
   */
  iterate(
    id: string,
    options: { limit?: number } & CallOptions = {},
  ): AsyncGenerator<ShownMessage> {
    return itemsOf((cursor) => this.messages(id, { ...options, ...given({ cursor }) }));
  }

  /**
   * One message: of a tool the raw result, where the context shows what was taken of it. `content` is null once
   * its time is over.
   */
  async message(id: string, n: number, options: CallOptions = {}): Promise<ShownMessage> {
    return await this.transport.call<ShownMessage>(`${path(id)}/messages/${n}`, options);
  }
}

function path(id: string): string {
  return `/v1/conversations/${encodeURIComponent(id)}`;
}
