import { request } from 'node:http';
import { type App, buildApp } from '../src/api/app';
import { readOptions } from '../src/config/options';
import { Intake } from '../src/intake/intake';
import { Pseudonyms } from '../src/intake/pseudonyms';
import { createLogger } from '../src/telemetry/logger';
import { startApi, type TestApi } from './support/api';
import { heard, openSocket } from './support/hostile-stack';
import { unheardDecider, unheardFollower } from './support/unheard-decider';

const CONSOLE = 'https://console.example.com';

let api: TestApi;
/** The same on another port, as it is where an operator lists a page and a name. */
let listed: App;
let listedUrl: string;
beforeAll(async () => {
  api = await startApi();
  const { database, secretKey } = api;
  const clock = () => new Date();
  listed = await buildApp({
    ...{ database, clock, secretKey, decider: unheardDecider, follower: unheardFollower },
    log: createLogger('silent'),
    intake: new Intake({ database, clock, secretKey }),
    pseudonyms: new Pseudonyms(secretKey),
    embedder: () => null,
    pokeOutbox: () => undefined,
    readiness: async () => ({ postgres: null, temporal: null, workers: null }),
    knownNames: { origins: [CONSOLE], hosts: ['memory.example.com'] },
  });
  listedUrl = await listed.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await listed.close();
  await api.close();
});

interface Seen {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** With headers that `fetch` lets no caller choose. */
function ask(
  base: string,
  method: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<Seen> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers }, (answer) => {
      let body = '';
      answer.setEncoding('utf8').on('data', (chunk) => (body += chunk));
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }),
      );
    });
    sent.on('error', reject).end();
  });
}
const withKey = (more: Record<string, string> = {}) => ({
  authorization: `Bearer ${api.ownerKey}`,
  ...more,
});

/** What no answer may be without. */
function expectClosed(headers: Record<string, unknown>): void {
  expect(headers).toMatchObject({
    'content-security-policy': expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
  });
  for (const name of ['x-powered-by', 'server', 'access-control-allow-origin', 'set-cookie']) {
    expect([name, headers[name]]).toEqual([name, undefined]);
  }
}

describe('every answer', () => {
  it.each([
    ['GET', '/healthz', 200, {}],
    ['GET', '/openapi.json', 200, {}],
    ['GET', '/docs/', 200, {}],
    ['GET', '/docs/static/swagger-ui.css', 200, {}],
    ['GET', '/v1/teams', 401, {}],
    ['GET', '/v1/teams', 200, { key: 'owner' }],
    ['GET', '/v1/cards/card_none', 404, { key: 'owner' }],
    ['POST', '/v1/cards', 400, { key: 'owner' }],
    ['GET', '/nothing', 404, {}],
    ['GET', '/v1/events/%c0%ae', 400, { key: 'owner' }],
    ['OPTIONS', '/v1/cards', 404, {}],
    ['GET', '/mcp', 405, { key: 'owner' }],
  ] as const)('to %s %s (%s) says that no page may use it', async (method, path, status, how) => {
    const seen = await ask(api.url, method, path, 'key' in how ? withKey() : {});
    expect(seen.status).toBe(status);
    expectClosed(seen.headers);
    expect(seen.headers['strict-transport-security']).toBeUndefined();
  });

  it('to what is no HTTP says it too', async () => {
    const socket = await openSocket(api.url);
    const text = heard(socket);
    socket.write('EHLO example.org\r\n\r\n');
    const [head = ''] = (await text).split('\r\n\r\n');
    const lines = head.split('\r\n').slice(1);
    expectClosed(
      Object.fromEntries(
        lines.map((line) => [line.split(': ')[0]?.toLowerCase(), line.split(': ')[1]]),
      ),
    );
  });

  it('to a key is kept by no cache, and behind TLS keeps browsers there', async () => {
    const seen = await ask(api.url, 'GET', '/v1/teams', withKey({ 'x-forwarded-proto': 'https' }));
    expect(seen.headers['cache-control']).toBe('no-store');
    expect(seen.headers['strict-transport-security']).toMatch(/^max-age=\d{8}/);
  });
});

it('the docs page runs and styles by files of its own alone', async () => {
  const { body, headers } = await ask(api.url, 'GET', '/docs/');
  expect(headers['content-security-policy']).not.toMatch(/unsafe|https:|\*/);
  expect(body).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>/);
  expect(body).not.toMatch(/<style|\son\w+=/);
  expect(body).not.toMatch(/(?:src|href)="https?:/);
});

describe('a web page', () => {
  const origins = ['https://evil.example', 'http://127.0.0.1.evil.example', 'null', CONSOLE];

  it('of another origin may use nothing, with whatever key it has got hold of', async () => {
    for (const origin of origins) {
      for (const path of ['/v1/teams', '/metrics', '/healthz', '/docs/', '/mcp']) {
        const seen = await ask(api.url, 'GET', path, withKey({ origin }));
        expect([origin, path, seen.status]).toEqual([origin, path, 403]);
        expect(JSON.parse(seen.body).code).toBe('host_not_allowed');
        expectClosed(seen.headers);
      }
      const preflight = await ask(api.url, 'OPTIONS', '/v1/teams', {
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      });
      expect(preflight.status).toBe(403);
      expectClosed(preflight.headers);
    }
  });

  it('of Cairn itself may use it, and is told nothing that another could read', async () => {
    const { host, origin } = new URL(api.url);
    const seen = await ask(api.url, 'GET', '/v1/teams', withKey({ origin, host }));
    expect(seen.status).toBe(200);
    expect(seen.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('cannot reach it by a name that it lets point here', async () => {
    for (const host of [
      'evil.example',
      'evil.example:4747',
      '10.0.0.7',
      'localhost.evil.example',
    ]) {
      for (const path of ['/v1/teams', '/metrics', '/openapi.json']) {
        const seen = await ask(api.url, 'GET', path, withKey({ host }));
        expect([host, path, seen.status]).toEqual([host, path, 403]);
      }
      // Its own page is of the same name.
      const own = withKey({ host, origin: `http://${host}` });
      expect((await ask(api.url, 'GET', '/v1/teams', own)).status).toBe(403);
    }
    for (const host of ['localhost', 'LOCALHOST:80', '127.0.0.1:4747', '[::1]:4747']) {
      expect((await ask(api.url, 'GET', '/v1/teams', withKey({ host }))).status).toBe(200);
    }
  });
});

describe('a page that is listed', () => {
  it('is let in, with no cookie and by its own name', async () => {
    const preflight = await ask(listedUrl, 'OPTIONS', '/v1/cards/card_1', {
      origin: CONSOLE,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization, if-match',
    });
    expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([
      204,
      CONSOLE,
    ]);
    expect(preflight.headers['access-control-allow-methods']).toContain('PATCH');
    expect(preflight.headers['access-control-allow-headers']).toContain('if-match');
    for (const path of ['/v1/teams', '/v1/cards/card_none']) {
      const { headers } = await ask(listedUrl, 'GET', path, withKey({ origin: CONSOLE }));
      expect(headers['access-control-allow-origin']).toBe(CONSOLE);
      expect(headers['access-control-allow-credentials']).toBeUndefined();
      expect(headers.vary).toContain('Origin');
    }
  });

  it('needs a key all the same', async () => {
    expect((await ask(listedUrl, 'GET', '/v1/teams', { origin: CONSOLE })).status).toBe(401);
  });

  it('opens the door to no other, nor to one that looks like it', async () => {
    for (const origin of [
      ...['https://evil.example', `${CONSOLE}.evil.example`, 'http://console.example.com'],
      ...[`${CONSOLE}:8443`, CONSOLE.toUpperCase(), 'null'],
    ]) {
      const asked = { origin, 'access-control-request-method': 'GET' };
      const seen = [
        await ask(listedUrl, 'GET', '/v1/teams', withKey({ origin })),
        await ask(listedUrl, 'OPTIONS', '/v1/teams', asked),
      ];
      for (const { status, headers } of seen) {
        expect([origin, status]).toEqual([origin, 403]);
        expect(headers['access-control-allow-origin']).toBeUndefined();
      }
    }
  });

  it('and a name that is listed are all that is added', async () => {
    const named = (host: string) => ask(listedUrl, 'GET', '/v1/teams', withKey({ host }));
    expect((await named('memory.example.com')).status).toBe(200);
    expect((await named('other.example.com')).status).toBe(403);
  });
});

describe('the environment', () => {
  const options = (more: Record<string, string>) => readOptions({ HOME: '/', ...more });

  it('lists pages and names exactly, and none by itself', () => {
    expect(options({})).toMatchObject({ corsOrigins: [], allowedHosts: [] });
    const listing = {
      CAIRN_CORS_ORIGINS: ` ${CONSOLE} , http://localhost:5173,`,
      CAIRN_ALLOWED_HOSTS: 'Memory.example.com',
    };
    expect(options(listing)).toMatchObject({
      corsOrigins: [CONSOLE, 'http://localhost:5173'],
      allowedHosts: ['memory.example.com'],
    });
  });

  it.each(['*', 'https://*.example.com', `${CONSOLE}/`, 'console.example.com', 'null', 'file://x'])(
    'takes no %s for an origin',
    (wrong) => {
      expect(() => options({ CAIRN_CORS_ORIGINS: wrong })).toThrow(/CAIRN_CORS_ORIGINS: .*origin/);
    },
  );

  it.each(['*', 'http://memory.example.com', 'memory.example.com:443', 'a b'])(
    'takes no %s for a name',
    (wrong) => {
      expect(() => options({ CAIRN_ALLOWED_HOSTS: wrong })).toThrow(/CAIRN_ALLOWED_HOSTS/);
    },
  );
});
