import { once } from 'node:events';
import type { Socket } from 'node:net';
import { ExportPlaces } from '../src/api/export-places';
import { ExportSink } from '../src/api/export-sink';
import { startApi, type TestApi } from './support/api';
import { eventText, good } from './support/hostile-events';
import { HostileStack, heard, openSocket, requestHead } from './support/hostile-stack';
import { until } from './support/until';

jest.setTimeout(120_000);

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.close());

const open = () => openSocket(api.url);
const head = (length: number, more?: string[]) => requestHead(api.ownerKey, length, more);
const post = (body: unknown) => api.call('POST', '/v1/events', { body });

/** What is waited for comes in its own time; a test that hangs is ended by its deadline. */
const rest = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const TAKEN = /^HTTP\/1.1 202 [\s\S]*"status":"accepted"/;

/** As production has it, but in less time than a minute: Node reads these at each look. */
async function withLimits<T>(
  limits: { headersTimeout?: number; requestTimeout?: number; timeout?: number },
  work: () => Promise<T>,
): Promise<T> {
  const { server } = api.app;
  const { headersTimeout, requestTimeout, timeout } = server;
  Object.assign(server, limits);
  try {
    return await work();
  } finally {
    Object.assign(server, { headersTimeout, requestTimeout, timeout });
  }
}

async function trickle(socket: Socket, text: string, pieces: number): Promise<void> {
  // By bytes: a piece may end within a character, and what comes together is whole again.
  const bytes = Buffer.from(text);
  const size = Math.ceil(bytes.length / pieces);
  for (let at = 0; at < bytes.length; at += size) {
    socket.write(bytes.subarray(at, at + size));
    await rest(5);
  }
}

it('has limits for headers, for whole requests and for connections on which nothing moves', () => {
  const { headersTimeout, requestTimeout, timeout, keepAliveTimeout } = api.app.server;
  expect(headersTimeout).toBeLessThanOrEqual(requestTimeout);
  for (const limit of [headersTimeout, requestTimeout, timeout, keepAliveTimeout]) {
    expect(limit).toBeGreaterThan(1_000);
    expect(limit).toBeLessThanOrEqual(120_000);
  }
  // A request may wait 30 s for its cards, on a connection where nothing moves meanwhile.
  expect(timeout).toBeGreaterThan(40_000);
});

it('an event that comes in a hundred pieces is taken', async () => {
  const body = eventText('trickled', ',"text":"a 😀 that is cut through"');
  const socket = await open();
  const answer = heard(socket);
  const length = Buffer.byteLength(body);
  await trickle(socket, `${head(length, ['Connection: close'])}${body}`, 100);
  expect(await answer).toMatch(TAKEN);
});

it('a body that never ends is answered 408 and closed, and holds up nobody', async () => {
  await withLimits({ requestTimeout: 300, headersTimeout: 300 }, async () => {
    const sockets = await Promise.all(Array.from({ length: 40 }, open));
    const answers = sockets.map((socket) => heard(socket));
    for (const socket of sockets) socket.write(`${head(1_000)}{"event_id":"half`);
    const meanwhile = await post(good('meanwhile'));
    expect(meanwhile.status).toBe(202);
    for (const answer of answers) {
      const text = await answer;
      expect(text).toMatch(/^HTTP\/1.1 408 [\s\S]*application\/problem\+json/);
      expect(JSON.parse(text.slice(text.indexOf('{')))).toMatchObject({ code: 'too_slow' });
    }
  });
});

it('headers that never end are answered 408 and closed', async () => {
  await withLimits({ requestTimeout: 300, headersTimeout: 300 }, async () => {
    const socket = await open();
    const answer = heard(socket);
    socket.write(`${head(10).trimEnd()}\r\nX-More: `);
    expect(await answer).toMatch(/^HTTP\/1.1 408 /);
  });
});

it('a client that does not read its answers is closed', async () => {
  for (let batch = 0; batch < 4; batch += 1) {
    const events = Array.from({ length: 500 }, (_, at) => ({
      ...good(`big-${batch}-${at}`),
      text: 'word '.repeat(100),
    }));
    expect((await post({ events })).status).toBe(202);
  }
  await withLimits({ timeout: 500 }, async () => {
    const socket = await open();
    socket.pause();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    const request = head(0).replace('POST /v1/events', 'GET /v1/events?limit=500');
    socket.write(request.repeat(30));
    await untilConnections(0);
    socket.resume();
    await closed;
  });
});

it('an export that nobody reads is ended, and one that is read slowly is not', async () => {
  const unread = new ExportSink(100);
  const closed = once(unread.stream, 'close');
  await expect(unread.write('word '.repeat(100_000))).rejects.toThrow();
  await closed.catch(() => undefined);
  // All of it is written, and nobody takes the rest.
  const rest = new ExportSink(100);
  await rest.write('word');
  rest.end();
  await once(rest.stream, 'close').catch(() => undefined);
  expect(rest.stream.destroyed).toBe(true);

  const text = 'a 😀 that is cut through '.repeat(20_000);
  const read = new ExportSink();
  const written = read.write(text).then(() => read.end());
  let heard = '';
  for await (const chunk of read.stream.setEncoding('utf8')) heard += chunk;
  await written;
  expect(heard).toBe(text);
});

it('exports of one key and of one workspace leave places for others', () => {
  const places = new ExportPlaces();
  const caller = (workspace: string, keyId: string) =>
    ({ keyId, context: { workspace } }) as Parameters<ExportPlaces['take']>[0];
  const full = (of: string) => expect.objectContaining({ detail: expect.stringContaining(of) });
  const leave = places.take(caller('big', 'one'));
  expect(() => places.take(caller('big', 'one'))).toThrow(full('with this key'));
  places.take(caller('big', 'two'));
  expect(() => places.take(caller('big', 'three'))).toThrow(full('of this workspace'));
  places.take(caller('default', 'owner'));
  places.take(caller('other', 'owner'));
  expect(() => places.take(caller('fifth', 'owner'))).toThrow(full('from this server'));
  leave();
  leave();
  places.take(caller('fifth', 'owner'));
  expect(() => places.take(caller('sixth', 'owner'))).toThrow(full('from this server'));
});

it('a client that goes away in the middle leaves nothing behind', async () => {
  const sockets = await Promise.all(Array.from({ length: 20 }, open));
  for (const socket of sockets) {
    socket.write(`${head(1_000)}{"event_id":"gone`);
    socket.resetAndDestroy();
  }
  await untilConnections(0);
  const { body } = await post(good('still-up'));
  expect(body.items[0].status).toBe('accepted');
});

it('the server ends although clients hold it: one that sends no more, one that does not read', async () => {
  const stack = await HostileStack.start();
  const half = await stack.open();
  half.on('error', () => undefined);
  half.write(`${stack.head(1_000)}{"event_id":"half`);
  const deaf = await stack.open();
  deaf.pause();
  deaf.on('error', () => undefined);
  const request = stack.head(0).replace('POST /v1/events', 'GET /docs/static/swagger-ui.css');
  deaf.write(request.repeat(100));
  await rest(200);
  await stack.stop();
  half.destroy();
  deaf.destroy();
});

/** Of clients other than the test's own, whose connections rest between its calls. */
async function untilConnections(most: number): Promise<void> {
  const open = () =>
    new Promise<number>((resolve) => api.app.server.getConnections((_, count) => resolve(count)));
  await until(
    `at most ${most} are open`,
    async () => {
      api.app.server.closeIdleConnections();
      return (await open()) <= most;
    },
    { pause: 100, otherwise: open },
  );
}
