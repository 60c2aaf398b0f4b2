import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  type AnyObjectSchema,
  type SchemaOutput,
  safeParse,
} from '@modelcontextprotocol/sdk/server/zod-compat.js';
import { getMethodLiteral } from '@modelcontextprotocol/sdk/server/zod-json-schema-compat.js';
import { Protocol } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

type Handler = Parameters<Server['setRequestHandler']>[1];
type Extra = Parameters<Handler>[1];

/**
 * A server that answers parameters which are not a method's own with -32602 and one sentence. The SDK's
 * answers them with -32603, as if the fault were ours, and with what its validator printed.
 */
export class StrictServer extends Server {
  /** The constructor registers `initialize` by this as well. */
  override setRequestHandler<T extends AnyObjectSchema>(
    schema: T,
    handler: (request: SchemaOutput<T>, extra: Extra) => ReturnType<Handler>,
  ): void {
    const method = getMethodLiteral(schema);
    const anyParams = z.looseObject({ method: z.literal(method) });
    // Of the base class: what lies between checks a call once more, and prints what it finds.
    Protocol.prototype.setRequestHandler.call(this, anyParams, async (request, extra) => {
      const checked = safeParse(schema, request);
      if (checked.success) return await handler(checked.data as SchemaOutput<T>, extra as Extra);
      throw new McpError(ErrorCode.InvalidParams, sentenceOn(method, pathOf(checked.error)));
    });
  }
}

/** Where the first thing is that is wrong, from the parameters downwards. */
function pathOf(error: unknown): string {
  const { issues = [] } = error as { issues?: { path: PropertyKey[] }[] };
  return (issues[0]?.path ?? []).slice(1, 3).map(String).join('.');
}

const CALL: Readonly<Record<string, string>> = {
  '': 'params: must be {"name": the tool, "arguments": what it takes}; tools/list names the tools',
  name: 'name: must be the name of a tool, as text; tools/list names them',
  arguments:
    'arguments: must be one object, such as {"query": "…"}, or be left out; tools/list says what each tool takes',
};

/** A value that was given is never repeated. */
function sentenceOn(method: string, path: string): string {
  if (method === 'tools/call' && CALL[path] !== undefined) return CALL[path];
  return `params${path === '' ? '' : `.${path}`}: missing, or not what ${method} takes; send it as the protocol describes it`;
}
