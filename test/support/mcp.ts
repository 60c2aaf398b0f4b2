import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { TestApi } from './api';

export interface ToolResult {
  text: string;
  isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer
  structured: any;
}

/** An open session of the official client: its transport stays, whatever changes behind it. */
export class McpSession {
  private constructor(
    readonly client: Client,
    readonly transport: Transport,
  ) {}

  static async over(transport: Transport): Promise<McpSession> {
    const client = new Client({ name: 'a-test', version: '1' });
    await client.connect(transport);
    return new McpSession(client, transport);
  }

  /** Over streamable HTTP. */
  static async http(
    api: Pick<TestApi, 'url'>,
    key: string,
    headers: Record<string, string> = {},
    send: typeof fetch = fetch,
  ): Promise<McpSession> {
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', api.url), {
      requestInit: { headers: { authorization: `Bearer ${key}`, ...headers } },
      fetch: async (url, init) => await send(url, init),
    });
    return await McpSession.over(transport as Transport);
  }

  async tools(): Promise<string[]> {
    return (await this.client.listTools()).tools.map((tool) => tool.name);
  }

  /** The client itself checks `structuredContent` against the tool's schema once the tools were listed. */
  async call(name: string, args: Record<string, unknown> = {}): Promise<ToolResult> {
    const result = await this.client.callTool({ name, arguments: args });
    const content = result.content as { type: string; text: string }[];
    return {
      text: content.map((block) => block.text).join('\n'),
      isError: result.isError === true,
      structured: result.structuredContent,
    };
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}
