import { startApi, type TestApi } from './support/api';
import { good } from './support/hostile-events';
import { heard, openSocket, requestHead } from './support/hostile-stack';

jest.setTimeout(120_000);

let api: TestApi;
let busy: string;
let calm: string;
beforeAll(async () => {
  api = await startApi();
  [busy, calm] = await Promise.all([
    api.keyFor({ kind: 'runtime', id: 'busy' }),
    api.keyFor({ kind: 'runtime', id: 'calm' }),
  ]);
  const headers = { 'if-match': '"0"' };
  const body = { limits: { key_requests_at_once: 8 } };
  expect((await api.call('PUT', '/v1/policy', { body, headers })).status).toBe(200);
});
afterAll(() => api.close());

const read = (key: string) => api.call('GET', '/v1/teams', { key });

/** Until this key has so many requests in hand that one more is refused. */
async function untilFull(): Promise<void> {
  while ((await read(busy)).status !== 429);
}

it('requests that wait are bounded by key, and the others are answered meanwhile', async () => {
  const waiting = Array.from({ length: 12 }, (_, at) =>
    api.call('POST', '/v1/events?wait_ms=3000', { key: busy, body: good(`waits-${at}`) }),
  );
  await untilFull();
  const refused = await read(busy);
  expect(refused.body).toMatchObject({ code: 'rate_limited', of: 'key_at_once', limit: 8 });
  expect(refused.headers.get('retry-after')).toBe('1');
  expect((await read(calm)).status).toBe(200);
  const statuses = (await Promise.all(waiting)).map(({ status }) => status).sort();
  expect(statuses.slice(0, 8)).toEqual(Array(8).fill(202));
  expect(statuses.slice(8).every((status) => status === 429 || status === 202)).toBe(true);
  // What is over is in hand no more.
  expect((await read(busy)).status).toBe(200);
});

it('a thousand requests in one breath over one connection cost that key alone', async () => {
  const socket = await openSocket(api.url);
  const answers = heard(socket);
  const one = requestHead(busy, 0).replace('POST /v1/events', 'GET /v1/teams');
  const last = requestHead(busy, 0, ['Connection: close']).replace(
    'POST /v1/events',
    'GET /v1/teams',
  );
  socket.write(one.repeat(999) + last);
  expect((await read(calm)).status).toBe(200);
  const lines = [...(await answers).matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);
  expect(lines).toHaveLength(1_000);
  expect(new Set(lines)).toEqual(new Set(['200', '429']));
});

it('bodies that never end weigh what they may come to, and are given back when their client goes', async () => {
  const head = (headers: string) =>
    requestHead(busy, 0)
      .replace('Content-Length: 0', headers)
      .replace(/\r\n\r\n$/, '\r\n');
  const sockets = await Promise.all(Array.from({ length: 4 }, () => openSocket(api.url)));
  // Each of these counts four times; two fit into eight.
  for (const socket of sockets) {
    socket.on('error', () => undefined);
    socket.write(`${head(`Content-Length: ${3 * 1024 * 1024}`)}\r\n{"events":[`);
  }
  await untilFull();
  expect((await read(calm)).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  while ((await read(busy)).status !== 200);
});

it('clients that go away at any moment leave nothing in hand', async () => {
  const ask = requestHead(busy, 0).replace('POST /v1/events', 'GET /v1/teams');
  for (let round = 0; round < 40; round += 1) {
    const sockets = await Promise.all(Array.from({ length: 5 }, () => openSocket(api.url)));
    for (const [at, socket] of sockets.entries()) {
      socket.on('error', () => undefined);
      socket.write(ask.repeat(3));
      setTimeout(() => socket.resetAndDestroy(), (round + at) % 6);
    }
    await Promise.all(sockets.map((socket) => new Promise((done) => socket.once('close', done))));
  }
  // Seven wait, and one more fits: what went away is counted no more.
  while ((await read(busy)).status !== 200);
  const waiting = Array.from({ length: 7 }, (_, at) =>
    api.call('POST', '/v1/events?wait_ms=2000', { key: busy, body: good(`full-${at}`) }),
  );
  while ((await api.call('GET', '/v1/events?limit=500')).text.split('"full-').length < 8);
  expect((await read(busy)).status).toBe(200);
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(7).fill(202));
});

it('many connections that say nothing leave room for the others', async () => {
  const silent = await Promise.all(Array.from({ length: 300 }, () => openSocket(api.url)));
  for (const [at, socket] of silent.entries()) {
    socket.on('error', () => undefined);
    if (at % 2 === 0) socket.write('GET /v1/teams HTTP/1.1\r\nHost: local');
  }
  for (let call = 0; call < 10; call += 1) expect((await read(calm)).status).toBe(200);
  for (const socket of silent) socket.destroy();
});

it('the server bounds connections, and requests on each', () => {
  const { maxConnections, maxRequestsPerSocket } = api.app.server;
  expect(maxConnections).toBe(10_000);
  expect(maxRequestsPerSocket).toBe(10_000);
});
