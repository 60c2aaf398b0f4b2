import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebhookBody } from '../../src/contracts/webhook';

export interface Received {
  headers: IncomingMessage['headers'];
  /** As it came. */
  body: string;
  path: string;
}

export function bodyOf({ body }: Received): WebhookBody {
  return JSON.parse(body) as WebhookBody;
}

/** Checks the signature as the docs say it is made. */
export function expectSigned({ headers, body }: Received, secret: string): void {
  const timestamp = headers['cairn-webhook-timestamp'];
  const expected = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  expect(headers['cairn-webhook-signature']).toBe(`v1=${expected}`);
}

/** @throws where it does not come to be */
export async function until<T>(ask: () => Promise<T | null | undefined | false>): Promise<T> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > deadline) throw new Error('what the test waits for did not come');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** What a receiver does with a delivery; the request is read by then. */
export type Receive = (response: ServerResponse, received: Received) => void;

export interface WebhookReceiver {
  url: string;
  port: number;
  /** Every delivery, in order. */
  received: Received[];
  /** The same once there are so many. */
  arrived(count: number): Promise<Received[]>;
  /** One answer a delivery; the last one stays. */
  script(...answers: Receive[]): void;
  close(): Promise<void>;
}

export const answers =
  (status: number, headers: Record<string, string> = {}): Receive =>
  (response) => {
    response.writeHead(status, headers).end('thanks');
  };

/** Takes the delivery and never says anything. */
export const hangs: Receive = () => undefined;

/** Somebody's server on loopback; takes everything until told otherwise. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  let script: Receive[] = [answers(204)];
  const received: Received[] = [];
  let scripted = 0;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const one = { headers: request.headers, body, path: request.url ?? '' };
      received.push(one);
      const answer = script[Math.min(scripted, script.length - 1)];
      scripted += 1;
      answer?.(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    arrived: (count) => until(async () => received.length >= count && received),
    script: (...next) => {
      script = next;
      scripted = 0;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
