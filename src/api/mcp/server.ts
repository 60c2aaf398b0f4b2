import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';
import type { ApiDependencies } from '../app';
import type { Asked } from '../idempotency';
import type { Problem } from '../problem';
import { problemOf } from '../problem-of';
import { framesOf } from '../stack-frames';
import { INSTRUCTIONS, SERVER_INFO } from './introduction';
import { StrictServer } from './strict-server';
import { requireShown, requireUse, shownTools, toolNamed } from './tools';

/** Shared, since making one takes a hundred times as long as the rest of a server does. */
const VALIDATOR = new AjvJsonSchemaValidator();

/** A server for one message of one caller: it knows nothing of any message before. */
export function serverFor(deps: ApiDependencies, request: Asked): Server {
  const server = new StrictServer(SERVER_INFO, {
    capabilities: { tools: {} },
    instructions: INSTRUCTIONS,
    jsonSchemaValidator: VALIDATOR,
  });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: shownTools(request.caller) }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    answerCall(deps, request, params.name, params.arguments ?? {}),
  );
  return server;
}

/** @throws McpError for a name that is no tool; whatever else goes wrong is an answer of the tool. */
async function answerCall(
  deps: ApiDependencies,
  request: Asked,
  name: string,
  args: Record<string, unknown>,
): Promise<CallToolResult> {
  const tool = toolNamed(name);
  if (tool === undefined) {
    throw new McpError(ErrorCode.InvalidParams, 'there is no such tool; tools/list names them');
  }
  const { caller } = request;
  try {
    requireShown(tool, caller);
    const { rule, run } = tool.call(args);
    requireUse(rule, caller);
    // The body and the path by which an Idempotency-Key knows its request again.
    const { text, structured } = await run(deps, { ...request, url: `/mcp/${name}`, body: args });
    return { content: [{ type: 'text', text }], structuredContent: structured };
  } catch (error) {
    const problem = problemOf(error as Error);
    if (problem.status >= 500) {
      const { name: err } = error as Error;
      deps.log.error({ err, tool: name, trace: framesOf(error as Error) }, 'tool failed');
    }
    return { content: [{ type: 'text', text: sentenceOf(problem) }], isError: true };
  }
}

/** What went wrong and what to do about it, with the code that the routes answer. */
function sentenceOf({ detail, status, code }: Problem): string {
  const advice =
    status === 404 ? '; memory_search, search_memories and read_notes show what there is' : '';
  return `${detail}${advice} [${status} ${code}]`;
}
