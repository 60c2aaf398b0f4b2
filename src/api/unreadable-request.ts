import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ANSWER_HEADERS } from './answer-headers';
import { Problem } from './problem';

/** Answers that a connection still owes, in their order. */
const owed = new WeakMap<Socket, Set<ServerResponse>>();

/** Keeps account of what is being answered, for `answerUnreadable`. */
export function watchAnswers(server: Server): void {
  server.on('request', ({ socket }, response) => {
    const answers = owed.get(socket) ?? new Set();
    owed.set(socket, answers.add(response));
    response.once('close', () => answers.delete(response));
  });
}

/**
 * Answers what is not HTTP, or not in time: nothing of it reaches a route, and Node alone would close
 * the connection with a line that says neither what was wrong nor what to do. Whole requests that came
 * before it get their answers first.
 */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const answers = [...(owed.get(socket) ?? [])];
  const before = answers.filter(({ req }) => req.complete);
  if (before.length > 0) {
    before.at(-1)?.once('close', () => answerUnreadable(error, socket));
    return;
  }
  // Behind an answer that has begun nothing more can be said.
  if (!socket.writable || answers.some(({ headersSent }) => headersSent)) {
    socket.destroy();
    return;
  }
  const problem = problemOf(error.code);
  const body = JSON.stringify(problem.body());
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${REASONS[problem.status]}`,
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...Object.entries(ANSWER_HEADERS).map(([name, value]) => `${name}: ${value}`),
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
    // A client that does not read its answer either is not waited for.
    () => socket.destroy(),
  );
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

function problemOf(code: string | undefined): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new Problem(408, 'too_slow', 'the request did not arrive in time; send it again');
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new Problem(431, 'too_large', 'the headers are too large; send fewer or shorter ones');
  }
  return new Problem(400, 'invalid', 'this is not HTTP/1.1; nothing of it was taken');
}
