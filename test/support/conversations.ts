import type {
  ConversationContext,
  MessageRole,
  NewMessage,
  ShownMessage,
} from '../../src/contracts/conversation';
import type { Answer, TestApi } from './api';

/** A message without the time, which is a minute after the one before. */
export type Words = Omit<NewMessage, 'at'> & { at?: string };

export interface Talking {
  id: string;
  agent: string;
  /** Default: the owner's, who acts as a runtime. */
  key?: string;
  workspace?: string;
  session?: string;
}

const START = Date.parse('2026-03-02T08:00:00Z');

/** One conversation of one agent over HTTP, as a runtime has it. */
export class Talk {
  private said = 0;

  constructor(
    private readonly api: TestApi,
    readonly who: Talking,
  ) {}

  get path(): string {
    return `/v1/conversations/${encodeURIComponent(this.who.id)}`;
  }

  async call(
    method: 'GET' | 'PUT' | 'POST',
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    return await this.api.call(method, path, {
      ...(this.who.key === undefined ? {} : { key: this.who.key }),
      ...(body === undefined ? {} : { body }),
      headers: {
        'cairn-agent': this.who.agent,
        ...(this.who.session === undefined ? {} : { 'cairn-session': this.who.session }),
        ...headers,
      },
    });
  }

  async put(body: Record<string, unknown> = {}): Promise<Answer> {
    return await this.call('PUT', this.path, body);
  }

  /** @throws where it is refused */
  async start(body: Record<string, unknown> = {}): Promise<this> {
    good(await this.put(body));
    return this;
  }

  async send(messages: readonly Words[], headers: Record<string, string> = {}): Promise<Answer> {
    const timed = messages.map((message) => {
      this.said += 1;
      return { at: new Date(START + this.said * 60_000).toISOString(), ...message };
    });
    return await this.call('POST', `${this.path}/messages`, { messages: timed }, headers);
  }

  /** @throws where it is refused */
  async say(...messages: [role: MessageRole, content: string][]): Promise<Answer> {
    return good(await this.send(messages.map(([role, content]) => ({ role, content }))));
  }

  async context(query: Record<string, string | number> = {}): Promise<ConversationContext> {
    return good(await this.call('GET', this.contextPath(query))).body;
  }

  contextPath(query: Record<string, string | number> = {}): string {
    const text = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    );
    return `${this.path}/context${text.size === 0 ? '' : `?${text}`}`;
  }

  async message(n: number): Promise<ShownMessage> {
    return good(await this.call('GET', `${this.path}/messages/${n}`)).body;
  }

  /** Leaves the conversation as a compaction would: a summary of the messages up to this one. */
  async summarise(text: string, through: number): Promise<void> {
    await this.api.database.inWorkspace(this.who.workspace ?? 'default', (tx) =>
      tx.query(
        `UPDATE conversations
            SET summary = $3, summarized_through = $4, summary_version = summary_version + 1,
                summary_by = 'fallback', facts_through = messages, compacting = NULL
          WHERE workspace_id = $1 AND id = $2`,
        [tx.workspace, this.who.id, text, through],
      ),
    );
  }
}

/** @throws for any answer that is no success */
export function good(answer: Answer): Answer {
  if (answer.status >= 300) throw new Error(`answered ${answer.status}: ${answer.text}`);
  return answer;
}
