import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { getMethodLiteral } from '@modelcontextprotocol/sdk/server/zod-json-schema-compat.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type ServerResult,
} from '@modelcontextprotocol/sdk/types.js';
import { INSTRUCTIONS, SERVER_INFO } from '../api/mcp/introduction';
import { StrictServer } from '../api/mcp/strict-server';
import { CairnClient, type Speaking } from '../client/client';
import type { Options } from '../config/options';
import { findConnection } from './connection';
import { Failed, toldOf } from './failure';
import { Away, STDIO_CAPABILITIES } from './mcp-away';
import type { Terminal } from './terminal';

/** Four times what `/mcp` takes, since several messages may come in one piece. */
const BUFFER_BYTES = 1024 * 1024;
/** A client that has gone waits for nothing; what it wrote last is still carried out. */
const GRACE_MS = 5_000;

/** Everything that is asked of `/mcp` as it comes; a call of a tool has answers of its own. */
const FORWARDED = [
  ListToolsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ReadResourceRequestSchema,
  ListPromptsRequestSchema,
  GetPromptRequestSchema,
] as const;

export interface Stdio {
  terminal: Terminal;
  options: Options;
  speaking: Speaking;
}

type Served = Stdio & { away: Away };

/**
 * Serves one client until it closes stdin, or a signal comes; what is in hand is answered first. Every
 * request goes to the `/mcp` of the Cairn that runs at that moment and is judged there, so
 * nothing is known here but which tools there are, and Cairn may be started later or again meanwhile.
 *
 * @throws {Failed} a message was longer than any can be
 */
export async function serveStdio(stdio: Stdio): Promise<void> {
  const { input, out, err } = stdio.terminal;
  const inHand = new Set<Promise<unknown>>();
  const held = async <T>(work: Promise<T>): Promise<T> => {
    inHand.add(work);
    try {
      return await work;
    } finally {
      inHand.delete(work);
    }
  };
  const server = new StrictServer(SERVER_INFO, {
    capabilities: STDIO_CAPABILITIES,
    instructions: INSTRUCTIONS,
  });
  const served = { ...stdio, away: new Away(server) };
  for (const schema of FORWARDED) {
    const method = getMethodLiteral(schema);
    server.setRequestHandler(schema, ({ params = {} }, { signal }) =>
      held(asked(served, method, params, signal)),
    );
  }
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) => {
    const { name, arguments: args } = params;
    return held(called(served, { name, arguments: args ?? {} }, signal));
  });
  const transport = new StdioServerTransport(input as Readable, out as Writable, {
    maxBufferSize: BUFFER_BYTES,
  });
  const closed = new Promise<'closed'>((resolve) => {
    server.onclose = () => resolve('closed');
  });
  server.onerror = () => err.write('a line that is no message of the protocol was passed over\n');
  await server.connect(transport);
  const why = await Promise.race([closed, ended(input)]);
  if (why === 'closed') {
    throw new Failed(`a message is longer than ${BUFFER_BYTES} bytes: send less at a time`);
  }
  const waited = new AbortController();
  const overdue = sleep(GRACE_MS, undefined, { signal: waited.signal }).catch(() => undefined);
  await Promise.race([Promise.allSettled(inHand), overdue]);
  waited.abort();
  // An answer is written a moment after its work is done.
  await new Promise((resolve) => setImmediate(resolve));
  await server.close();
}

/** What keeps it from being asked is an error of the protocol, in words, but for lists that need no Cairn. */
async function asked(
  served: Served,
  method: string,
  params: Record<string, unknown>,
  signal: AbortSignal,
): Promise<ServerResult> {
  try {
    return await forwarded<ServerResult>(served, method, params, signal);
  } catch (error) {
    if (error instanceof McpError) throw error;
    const list = served.away.listFor(method, params, error);
    if (list !== null) return list;
    throw new McpError(ErrorCode.InternalError, sentenceOf(error));
  }
}

/** What keeps a call from being made is the tool's answer, so that the model reads what to do. */
async function called(
  served: Served,
  params: { name: string; arguments: Record<string, unknown> },
  signal: AbortSignal,
): Promise<CallToolResult> {
  try {
    return await forwarded<CallToolResult>(served, 'tools/call', params, signal);
  } catch (error) {
    if (error instanceof McpError) throw error;
    return { content: [{ type: 'text', text: sentenceOf(error) }], isError: true };
  }
}

/**
 * One message to `/mcp`. It may be sent again while Cairn is away: each carries an `Idempotency-Key`.
 * @throws McpError what the protocol there answered, CairnError or Failed where nothing did
 */
async function forwarded<T>(
  { options, speaking, away }: Served,
  method: string,
  params: Record<string, unknown>,
  signal: AbortSignal,
): Promise<T> {
  const { url, key } = await findConnection(options);
  const client = new CairnClient({ url, key, ...speaking });
  const message = { jsonrpc: '2.0', id: 1, method, params };
  const answer = await client.request<
    { result: T } | { error: { code: number; message: string; data?: unknown } }
  >('POST', '/mcp', { body: message, signal });
  await away.ended(method);
  if ('result' in answer) return answer.result;
  const { code, message: said, data } = answer.error;
  throw new McpError(code, said.replace(/^MCP error -?\d+: /, ''), data);
}

function sentenceOf(error: unknown): string {
  return toldOf(error).detail ?? 'Cairn could not be asked';
}

async function ended(input: NodeJS.ReadableStream): Promise<'ended'> {
  return await new Promise((resolve) => {
    const end = () => resolve('ended');
    input.once('end', end);
    input.once('close', end);
    process.once('SIGINT', end);
    process.once('SIGTERM', end);
  });
}
