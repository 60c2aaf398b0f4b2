import { request } from 'node:http';
import { requireOwnHost } from '../src/api/origin';
import { Problem } from '../src/api/problem';
import { startApi, type TestApi } from './support/api';
import { type Fleet, makeFleet } from './support/fleet';
import { openSocket } from './support/hostile-stack';
import { McpSession } from './support/mcp';
import { buildQuietApp } from './support/quiet-app';

let api: TestApi;
let fleet: Fleet;
beforeAll(async () => {
  api = await startApi();
  fleet = await makeFleet(api);
});
afterAll(() => api.close());

const message = (method: string, params: unknown = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params,
});
const post = (body: unknown, headers: Record<string, string> = {}) =>
  api.call('POST', '/mcp', { key: fleet.planner, body, headers });

/** With a Host of its own, which `fetch` does not let a caller choose. */
async function asHost(host: string): Promise<number | undefined> {
  const { hostname, port } = new URL(api.url);
  const headers = {
    authorization: `Bearer ${fleet.planner}`,
    'content-type': 'application/json',
    host,
  };
  return await new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path: '/mcp', method: 'POST', headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sent.on('error', reject).end(JSON.stringify(message('tools/list')));
  });
}

describe('a web page', () => {
  it('is refused by its Origin, whatever key it has got hold of', async () => {
    for (const origin of ['https://evil.example', 'http://localhost.evil.example', 'null']) {
      const answer = await post(message('tools/list'), { origin });
      expect([origin, answer.status, answer.body.code]).toEqual([origin, 403, 'host_not_allowed']);
    }
    for (const origin of ['http://localhost:6274', 'http://127.0.0.1:4747', 'http://[::1]:80']) {
      expect((await post(message('tools/list'), { origin })).status).toBe(200);
    }
  });

  it('is refused by the name that it lets point here', async () => {
    for (const host of [
      'evil.example',
      'evil.example:4747',
      '127.0.0.1.evil.example',
      '10.0.0.7',
    ]) {
      expect([host, await asHost(host)]).toEqual([host, 403]);
    }
    for (const host of ['localhost', 'LOCALHOST:4747', '127.0.0.1:1', '127.8.8.8', '[::1]:4747']) {
      expect([host, await asHost(host)]).toEqual([host, 200]);
    }
  });

  it('is refused on a host that was named too, and programs are let in by it', () => {
    const check = (listening: string, headers: Record<string, string>) => {
      try {
        requireOwnHost({ headers }, listening);
        return 'in';
      } catch (error) {
        return error instanceof Problem ? error.status : error;
      }
    };
    const named = { host: 'memory.internal:4747' };
    expect(check('memory.internal', named)).toBe('in');
    expect(check('memory.internal', { ...named, origin: 'http://memory.internal:4747' })).toBe(
      'in',
    );
    expect(check('memory.internal', { ...named, origin: 'http://other.internal' })).toBe(403);
    expect(check('memory.internal', { host: 'other.internal' })).toBe(403);
    expect(check('fe80::1', { host: '[fe80::1]:4747' })).toBe('in');
    // Bound to every address it cannot know its names; a browser still names itself.
    expect(check('0.0.0.0', { host: 'whatever.internal' })).toBe('in');
    expect(check('0.0.0.0', { host: 'a.example', origin: 'http://a.example' })).toBe(403);
    expect(check('127.0.0.1', {})).toBe(403);
  });
});

describe('a message', () => {
  it('needs a key', async () => {
    for (const key of [null, 'cairn_unknown']) {
      const answer = await api.call('POST', '/mcp', { key, body: message('tools/list') });
      expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated']);
    }
  });

  it('is answered with JSON, whatever else is accepted', async () => {
    for (const accept of ['application/json', 'application/json, text/event-stream', '*/*']) {
      const answer = await post(message('ping'), { accept });
      expect([answer.status, answer.body]).toEqual([200, { jsonrpc: '2.0', id: 1, result: {} }]);
    }
    const { status, text } = await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([status, text]).toEqual([202, '']);
  });

  it('has a bound, comes alone, and is refused in words where it is none', async () => {
    const long = message('tools/call', {
      name: 'add_memory',
      arguments: { text: 'x'.repeat(300_000) },
    });
    const large = await post(long);
    expect([large.status, large.body.code]).toEqual([413, 'too_large']);
    expect(large.body.detail).toContain('262144');
    const batch = await post([message('ping'), message('ping')]);
    expect([batch.status, batch.body.detail]).toEqual([
      400,
      expect.stringContaining('one message'),
    ]);
    for (const body of ['{', '"x"', '{}', undefined, '{"jsonrpc":"1.0","id":1,"method":"ping"}']) {
      const answer = await post(body);
      expect([body, answer.status]).toEqual([body, 400]);
    }
    const version = await post(message('ping'), { 'mcp-protocol-version': '1999-01-01' });
    expect(version.status).toBe(400);
  });

  it('opens no stream and no session', async () => {
    for (const method of ['GET', 'DELETE'] as const) {
      const headers = { accept: 'text/event-stream' };
      const answer = await api.call(method, '/mcp', { key: fleet.planner, headers });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    }
    const started = await post(
      message('initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'a-test', version: '1' },
      }),
    );
    expect(started.body.result).toMatchObject({
      serverInfo: { name: 'cairn' },
      capabilities: { tools: {} },
      instructions: expect.stringContaining('memory_search'),
    });
    expect(started.headers.get('mcp-session-id')).toBeNull();
  });
});

it('one session goes on wherever its messages arrive', async () => {
  const { database, secretKey } = api;
  const second = await buildQuietApp(database, secretKey, () => new Date());
  const other = await second.listen({ host: '127.0.0.1', port: 0 });
  let sent = 0;
  const session = await McpSession.http(api, fleet.planner, {}, async (url, init) => {
    sent += 1;
    return await fetch(sent % 2 === 0 ? new URL('/mcp', other) : url, init);
  });
  for (const value of ['one', 'two', 'three']) {
    await session.call('note', { key: 'where', value });
    expect((await session.call('note', { key: 'where' })).structured.note.value).toBe(value);
  }
  expect(sent).toBeGreaterThan(6);
  await session.close();
  await second.close();
});

it('clients that never read their answers hold up nobody', async () => {
  const body = JSON.stringify(
    message('tools/call', { name: 'memory_search', arguments: { query: 'anything' } }),
  );
  const text = [
    'POST /mcp HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${fleet.planner}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
  // More of them than there are connections to the database.
  const sockets = await Promise.all(Array.from({ length: 30 }, () => openSocket(api.url)));
  for (const socket of sockets) {
    socket.pause();
    socket.write(text.repeat(5));
  }
  const session = await McpSession.http(api, fleet.planner);
  expect((await session.call('read_notes')).isError).toBe(false);
  await session.close();
  for (const socket of sockets) socket.destroy();
});
