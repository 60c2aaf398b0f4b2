import type { Socket } from 'node:net';
import { type Answer, startApi, type TestApi } from './support/api';
import { good } from './support/hostile-events';
import { heard, openSocket, requestHead } from './support/hostile-stack';
import { until } from './support/until';

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

/** Sends one more and one more of what stays in hand, until the key has so many that a look is refused. */
const untilFull = (sendOne: () => unknown) =>
  // What comes while a look is in hand may be refused: how many it takes, nobody can say.
  until('the key is full', async () => {
    await sendOne();
    return (await read(busy)).status === 429;
  });
const untilFree = () =>
  until('the key is free again', async () => (await read(busy)).status === 200);

it('requests that wait are bounded by key, and the others are answered meanwhile', async () => {
  const waiting: Promise<Answer>[] = [];
  await untilFull(() => {
    const body = good(`waits-${waiting.length}`);
    waiting.push(api.call('POST', '/v1/events?wait_ms=3000', { key: busy, body }));
  });
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
  const sockets: Socket[] = [];
  // Each of these counts four times; two fit into eight, and with one of them the key is not full.
  await untilFull(async () => {
    const socket = await openSocket(api.url);
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.write(`${head(`Content-Length: ${3 * 1024 * 1024}`)}\r\n{"events":[`);
  });
  expect((await read(calm)).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  await untilFree();
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
  // All eight places are free at one time: what went away is counted no more.
  let round = 0;
  await until('eight wait at once', async () => {
    round += 1;
    const eight = Array.from({ length: 8 }, (_, at) => {
      const body = good(`full-${round}-${at}`);
      return api.call('POST', '/v1/events?wait_ms=2000', { key: busy, body });
    });
    return (await Promise.all(eight)).every(({ status }) => status === 202);
  });
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
