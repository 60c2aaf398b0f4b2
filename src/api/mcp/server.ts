import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
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
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';
import type { ApiDependencies } from '../app';
import type { Asked } from '../idempotency';
import { answered, loggedProblem, sentenceOf } from './answering';
import { CAPABILITIES, INSTRUCTIONS, SERVER_INFO } from './introduction';
import { getPrompt, shownPrompts } from './prompts';
import { listResources, readResource, resourceTemplates } from './resources';
import { StrictServer } from './strict-server';
import { accessOf, requireShown, requireUse, shownTools, toolNamed } from './tools';
import { speaking } from './writer';

/** Shared, since making one takes a hundred times as long as the rest of a server does. */
const VALIDATOR = new AjvJsonSchemaValidator();

/** A server for one message of one caller: it knows nothing of any message before. */
export function serverFor(deps: ApiDependencies, request: Asked): Server {
  const { caller } = request;
  const server = new StrictServer(SERVER_INFO, {
    capabilities: CAPABILITIES,
    instructions: INSTRUCTIONS,
    jsonSchemaValidator: VALIDATOR,
  });
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    requireOnePage(params?.cursor);
    return { tools: shownTools(caller) };
  });
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    answerCall(deps, request, params.name, params.arguments ?? {}),
  );
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }) =>
    answered(deps, 'resources/list', () => listResources(deps, caller, params?.cursor)),
  );
  server.setRequestHandler(ListResourceTemplatesRequestSchema, ({ params }) => {
    requireOnePage(params?.cursor);
    return resourceTemplates();
  });
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) =>
    answered(deps, 'resources/read', () => readResource(deps, caller, params.uri)),
  );
  server.setRequestHandler(ListPromptsRequestSchema, ({ params }) => {
    requireOnePage(params?.cursor);
    return { prompts: shownPrompts(caller) };
  });
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) =>
    answered(deps, 'prompts/get', () =>
      getPrompt(deps, caller, params.name, params.arguments ?? {}),
    ),
  );
  return server;
}

/** @throws McpError: a list that is one page gives no cursor, so that any is a foreign one. */
function requireOnePage(cursor: string | undefined): void {
  if (cursor === undefined) return;
  throw new McpError(
    ErrorCode.InvalidParams,
    'cursor: not one of this list, which is one page; leave it out',
  );
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
    const speaker = await speaking(deps, caller, accessOf(rule));
    // The body and the path by which an Idempotency-Key knows its request again.
    const asked = { ...request, caller: speaker, url: `/mcp/${name}`, body: args };
    const { text, structured } = await run(deps, asked);
    return { content: [{ type: 'text', text }], structuredContent: structured };
  } catch (error) {
    const problem = loggedProblem(deps, name, error);
    const advice =
      problem.status === 404
        ? '; memory_search, search_memories and read_notes show what there is'
        : '';
    return { content: [{ type: 'text', text: sentenceOf(problem, advice) }], isError: true };
  }
}
