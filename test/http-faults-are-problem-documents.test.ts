import { request } from 'node:http';
import { buildApp } from '../src/api/app';
import { framesOf } from '../src/api/stack-frames';
import { createLogger } from '../src/telemetry/logger';
import { type Method, startApi, type TestApi } from './support/api';
import { unheardDecider, unheardFollower } from './support/unheard-decider';

let api: TestApi;
let key: string;
beforeAll(async () => {
  api = await startApi();
  key = await api.keyFor({ kind: 'runtime', id: 'r' });
});
afterAll(() => api.close());

const JSON_TYPE = { 'content-type': 'application/json' };

async function problem(
  method: Method,
  path: string,
  options: { key?: string; body?: unknown; headers?: Record<string, string> } = {},
) {
  const answer = await api.call(method, path, options);
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect(answer.body).toMatchObject({ status: answer.status, code: expect.any(String) });
  return answer.body;
}

it.each(['/v1/cards/%zz', '/v1/cards/%', '/v1/cards/%ff'])('%s is 400', async (path) => {
  expect(await problem('GET', path)).toMatchObject({ status: 400, code: 'invalid' });
});

it('an id longer than any is a problem too', async () => {
  expect((await problem('GET', `/v1/cards/${'x'.repeat(700)}`)).status).toBe(414);
});

it.each(['', '%20', '0x10', '1e3', '-1', '1.5', '30001', '%2B5', '5&wait_ms=6'])(
  'wait_ms=%s is 400',
  async (value) => {
    expect((await problem('POST', `/v1/events?wait_ms=${value}`, { key, body: {} })).status).toBe(
      400,
    );
  },
);

it.each(['0', '5'])('wait_ms=%s is taken', async (value) => {
  const { status } = await api.call('POST', `/v1/events?wait_ms=${value}`, {
    key,
    body: { events: [] },
  });
  expect(status).toBe(202);
});

describe('a body', () => {
  it('of text is 415', async () => {
    const headers = { 'content-type': 'text/plain' };
    for (const path of ['/v1/events', '/v1/recall']) {
      expect((await problem('POST', path, { key, body: '{}', headers })).status).toBe(415);
    }
  });

  it('that is no JSON is 400, whatever it holds', async () => {
    for (const body of ['{', ' ', "{'a':1}", '{"a":1}}']) {
      const { status, detail } = await problem('POST', '/v1/events', { key, body });
      expect([status, detail]).toEqual([400, 'the body is not JSON']);
    }
  });

  it('may start with a byte order mark', async () => {
    const { status } = await api.call('POST', '/v1/events', { key, body: '\uFEFF{"events":[]}' });
    expect(status).toBe(202);
  });

  it('over 32 MiB is 413', async () => {
    // Only its length is said: the answer comes before the body is read.
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(
        new URL('/v1/events', api.url),
        {
          method: 'POST',
          headers: {
            ...JSON_TYPE,
            authorization: `Bearer ${key}`,
            'content-length': 32 * 1024 * 1024 + 1,
          },
        },
        (answer) => {
          answer.resume();
          resolve(answer.statusCode);
          sent.destroy();
        },
      );
      sent.on('error', reject);
      sent.flushHeaders();
    });
    expect(status).toBe(413);
  });

  it('may be empty where none is needed, whatever its type says', async () => {
    const made = await api.call('POST', '/v1/cards', {
      body: { summary: 'A card.', scope: { type: 'workspace', id: 'default' } },
    });
    const path = `/v1/cards/${made.body.id}`;
    const call = (method: Method, at: string) => api.call(method, at, { headers: JSON_TYPE });
    expect((await call('DELETE', path)).status).toBe(204);
    expect((await call('POST', `${path}/restore`)).status).toBe(200);
  });

  it('that is needed and empty is 400', async () => {
    for (const [method, path] of [
      ['POST', '/v1/events'],
      ['POST', '/v1/recall'],
      ['POST', '/v1/keys'],
      ['PUT', '/v1/teams/a-team'],
    ] as const) {
      for (const headers of [JSON_TYPE, {}] as Record<string, string>[]) {
        expect((await problem(method, path, { headers })).status).toBe(400);
      }
    }
  });
});

describe('the trace of an unexpected error', () => {
  it('stands in the log, without the message', async () => {
    const lines: string[] = [];
    const app = await buildApp({
      database: api.database,
      clock: () => new Date(),
      log: createLogger('error', { write: (line: string) => void lines.push(line) }),
      secretKey: api.secretKey,
      intake: null as never,
      pseudonyms: null as never,
      embedder: () => null,
      decider: unheardDecider,
      follower: unheardFollower,
      pokeOutbox: () => undefined,
      readiness: async function failsHere() {
        throw new TypeError('content\n    at content.of (/the/message.ts:1:1)');
      },
    });
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const answer = await fetch(`${url}/readyz`);
    const { code } = (await answer.json()) as { code: string };
    await app.close();
    expect([answer.status, code]).toEqual([500, 'internal']);
    const logged = lines.map((line) => JSON.parse(line));
    expect(logged).toMatchObject([{ err: 'TypeError', route: '/readyz' }]);
    expect(logged[0].trace[0]).toMatch(/^at .*failsHere.*http-faults-are.*:\d+:\d+\)$/);
    expect(lines.join('')).not.toContain('content');
  });

  it.each([undefined, null, 'text', { stack: 1, message: 'm' }, { stack: 'at x:1:1' }])(
    'is empty where %p was thrown',
    (thrown) => {
      expect(framesOf(thrown)).toEqual([]);
    },
  );

  it('is empty where the message is not to be found in it', () => {
    const error = new Error('secret\n    at secret (/x.ts:1:1)');
    expect(error.stack).toContain('secret');
    error.message = 'another';
    expect(framesOf(error)).toEqual([]);
  });
});
