import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the provider does with one request. */
export type Answer =
  /** `usage` as the provider counts it, or says it does; without it there is none. */
  | { says: string; finish?: string; usage?: unknown }
  | { refusal: string }
  | { status: number; headers?: Record<string, string>; body?: unknown }
  | { page: string }
  /** These bytes with this status, whatever they are. */
  | { raw: string | Buffer; type?: string }
  /** A completion whose one message is this. */
  | { message: unknown }
  /** The connection ends in the middle of the body. */
  | { resets: 'in the body' | 'before the headers' }
  /** Takes the request and never answers. */
  | { hangs: 'before the headers' | 'in the body' };

export interface ProviderRequest {
  path: string;
  body: {
    model?: string;
    messages?: { role: string; content: string }[];
    response_format?: unknown;
  };
}

/** An OpenAI-compatible endpoint on loopback with scripted answers. */
export interface FakeProvider {
  baseUrl: string;
  /** Every request since the last script, in order. */
  requests: ProviderRequest[];
  /** Requests that the client gave up before they were answered. */
  givenUp(): number;
  /** One answer a request; the last one stays. */
  script(...answers: Answer[]): void;
  /** Answers each request by what it asks. */
  answering(by: (request: ProviderRequest) => Answer): void;
  close(): Promise<void>;
}

/**
 * A real server, so that what the client package makes of headers, broken bodies and silence is tested
 * and not assumed.
 */
export async function startFakeProvider(): Promise<FakeProvider> {
  let answers: Answer[] = [];
  let answerTo: ((request: ProviderRequest) => Answer) | null = null;
  let givenUp = 0;
  const requests: ProviderRequest[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const asked = { path: request.url ?? '', body: JSON.parse(body) };
      requests.push(asked);
      const answer = answerTo?.(asked) ?? answers[Math.min(requests.length, answers.length) - 1];
      response.on('close', () => {
        if (!response.writableEnded) givenUp += 1;
      });
      send(response, answer ?? { status: 500, body: { error: { message: 'no script' } } });
    });
  });
  await listening(server);
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    givenUp: () => givenUp,
    script: (...next) => {
      answers = next;
      answerTo = null;
      requests.length = 0;
      givenUp = 0;
    },
    answering: (by) => {
      answers = [];
      answerTo = by;
      requests.length = 0;
      givenUp = 0;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(response: ServerResponse, answer: Answer): void {
  if ('hangs' in answer) {
    if (answer.hangs === 'in the body') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"id":"cut-', 'utf8');
    }
  } else if ('resets' in answer) {
    if (answer.resets === 'in the body') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 9_000 });
      response.write('{"id":"cut-', 'utf8', () => response.socket?.resetAndDestroy());
    } else response.socket?.resetAndDestroy();
  } else if ('raw' in answer) {
    response.writeHead(200, { 'content-type': answer.type ?? 'application/json' }).end(answer.raw);
  } else if ('message' in answer) {
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ choices: [{ index: 0, message: answer.message }] }));
  } else if ('page' in answer) {
    response.writeHead(200, { 'content-type': 'text/html' }).end(answer.page);
  } else if ('status' in answer) {
    response
      .writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
      .end(JSON.stringify(answer.body ?? {}));
  } else {
    const refused = 'refusal' in answer;
    const message = refused
      ? { role: 'assistant', content: null, refusal: answer.refusal }
      : { role: 'assistant', content: answer.says };
    const finish = refused ? 'stop' : (answer.finish ?? 'stop');
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        id: 'completion-1',
        object: 'chat.completion',
        created: 0,
        model: 'scripted',
        choices: [{ index: 0, message, finish_reason: finish }],
        ...('usage' in answer ? { usage: answer.usage } : {}),
      }),
    );
  }
}

/** A whole answer of the model: what a good one says. */
export function cardAnswer(fields: Record<string, unknown> = {}): string {
  return JSON.stringify({
    summary:
      'Asked slack for the users in channel External. It failed because no such channel exists. Look the channel up before asking for its users.',
    topic: 'channel users',
    keywords: ['slack', 'channel', 'External'],
    importance: 6,
    used_warnings: [],
    ...fields,
  });
}

export const SAYS = {
  valid: { says: cardAnswer() },
  prose: { says: `Here is the card:\n\n\`\`\`json\n${cardAnswer()}\n\`\`\`\nLet me know.` },
  truncated: { says: cardAnswer().slice(0, 90), finish: 'length' },
  empty: { says: '' },
  wrongSchema: { says: JSON.stringify({ title: 'A card', score: 'high' }) },
  /** The escape of one half of a pair, as a model that is cut off writes it. */
  loneSurrogate: {
    says: cardAnswer({ summary: 'SUMMARY' }).replace(
      'SUMMARY',
      'Sent the report to the channel \\ud83d and it worked at the first try.',
    ),
  },
  hang: { hangs: 'before the headers' },
  stall: { hangs: 'in the body' },
} satisfies Record<string, Answer>;

/** The body repeats the request, as some providers do. */
export function refuses(
  status: number,
  headers: Record<string, string> = {},
  message = 'PROVIDER-TEXT about your prompt',
): Answer {
  return { status, headers, body: { error: { message, type: 'error', param: null, code: null } } };
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = '';
  request.setEncoding('utf8');
  for await (const chunk of request) body += chunk;
  return body;
}

async function listening(server: Server): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
}
