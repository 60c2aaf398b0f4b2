import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiDependencies, App } from '../app';
import { serverFor } from '../mcp/server';
import { requireOwnHost } from '../origin';
import { badRequest, Problem } from '../problem';

/** Of one message: the longest argument is a query of 20,000 characters, and filters beside it. */
const MESSAGE_LIMIT_BYTES = 256 * 1024;
const LOOPBACK = '127.0.0.1';

/**
 * MCP over streamable HTTP, without sessions: each message comes with its key and is judged by what
 * holds at that moment, so that a revoked key, a withdrawn grant or a restriction is seen by the very
 * next one, and any process of several can answer it. An answer is one JSON body and no stream is ever
 * open, so nothing waits for a slow client but its own socket.
 */
export function mcpRoutes(app: App, deps: ApiDependencies): void {
  const onRequest = async (request: FastifyRequest) => {
    requireOwnHost(request, deps.host ?? LOOPBACK, deps.knownNames);
  };

  app.post(
    '/mcp',
    {
      bodyLimit: MESSAGE_LIMIT_BYTES,
      onRequest,
      schema: {
        summary: 'MCP: one JSON-RPC message, answered with JSON',
        description: 'Streamable HTTP without sessions; docs/mcp.md has the tools.',
        tags: ['mcp'],
      },
    },
    async (request, reply) => await answerMessage(deps, request, reply),
  );

  for (const method of ['GET', 'DELETE'] as const) {
    app.route({
      method,
      url: '/mcp',
      onRequest,
      schema: { summary: 'Always 405: there are no streams and no sessions', tags: ['mcp'] },
      handler: () => {
        throw new Problem(
          405,
          'no_stream',
          'there are no streams and no sessions here; POST one message at a time',
          {},
          { allow: 'POST' },
        );
      },
    });
  }
}

async function answerMessage(
  deps: ApiDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (Array.isArray(request.body)) {
    throw badRequest('send one message a request; the protocol has no batches any more');
  }
  const { headers, method, url, body } = request;
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = serverFor(deps, {
    caller: { ...request.caller, channel: 'mcp' },
    headers,
    method,
    url,
    body,
  });
  await server.connect(transport);
  try {
    const answer = await transport.handleRequest(plainRequest(headers), {
      parsedBody: body ?? null,
    });
    const text = await answer.text();
    reply.status(answer.status);
    if (text !== '') reply.type('application/json');
    return reply.send(text);
  } finally {
    await server.close();
  }
}

/** The body was read and bounded before; of the headers only the protocol's version still counts. */
function plainRequest(headers: FastifyRequest['headers']): Request {
  const version = headers['mcp-protocol-version'];
  return new Request('http://cairn/mcp', {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(typeof version === 'string' ? { 'mcp-protocol-version': version } : {}),
    },
  });
}
