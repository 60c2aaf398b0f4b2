import { createHash } from 'node:crypto';
import { cookieOf } from '../src/api/console/cookie';
import { ROUTE_RULES } from '../src/api/roles';
import { startApi, type TestApi } from './support/api';
import { Browser } from './support/browser';
import { dumped } from './support/others-rows';

const TEMPORAL = { ui: 'http://127.0.0.1:8233', namespace: 'default' };

let api: TestApi;
beforeEach(async () => {
  api = await startApi({ temporal: TEMPORAL });
});
afterEach(() => api.close());

const inPostgres = <Row>(statement: string) =>
  api.database.inWorkspace('default', (tx) => tx.query<Row>(statement));

it('is told who it is and what it may do, and the same again by its cookie alone', async () => {
  const browser = new Browser(api);
  const { status, body, headers } = await browser.signIn(api.ownerKey);
  expect(status).toBe(200);
  expect(headers.get('set-cookie')).toMatch(
    /^cairn_session=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
  );
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toMatchObject({
    workspace: { id: 'default', name: 'Default', memory_mode: 'automatic' },
    principal: { kind: 'person', id: 'owner', name: 'Owner', role: 'owner', installation: true },
    temporal: TEMPORAL,
    timezone: 'UTC',
    csrf: expect.stringMatching(/^[\w-]{43}$/),
  });
  expect((await browser.call('GET', '/v1/session')).body).toEqual(body);
});

it('is shown the routes of its role, and no other', async () => {
  const browser = await Browser.of(api, await api.keyOf('reviewer'));
  const { allowed } = (await browser.call('GET', '/v1/session')).body;
  const expected = Object.entries(ROUTE_RULES)
    .filter(([, { who }]) => who.includes('reviewer'))
    .map(([route]) => route);
  expect(allowed.sort()).toEqual(expected.sort());
  expect(allowed).not.toContain('PUT /v1/policy');
});

it('is exactly the caller that its key would make', async () => {
  await api.call('PUT', '/v1/agents/scout', { body: {} });
  const browser = await Browser.of(api);
  const headers = { 'cairn-agent': 'scout', 'cairn-execution-mode': 'interactive' };
  const body = { value: 'by the door' };
  expect((await browser.call('PUT', '/v1/notes/where', { body, headers })).status).toBe(201);
  const mine = await api.call('GET', '/v1/notes/where', { headers });
  expect((await browser.call('GET', '/v1/notes/where', { headers })).body).toEqual(mine.body);
  const nobody = await browser.call('GET', '/v1/cards', { headers: { 'cairn-agent': 'a b' } });
  expect(nobody.status).toBe(400);
  const auditor = await Browser.of(api, await api.keyOf('auditor'));
  expect((await auditor.call('PUT', '/v1/teams/t', { body: { name: 'T' } })).body.code).toBe(
    'not_allowed',
  );
});

it('keeps neither the key nor the cookie', async () => {
  const key = await api.keyOf('operator');
  const browser = await Browser.of(api, key);
  const token = browser.cookie?.split('=')[1] ?? '';
  const rows = await inPostgres<{ hash: Buffer }>(
    'SELECT token_hash AS hash FROM console_sessions',
  );
  expect(rows.map(({ hash }) => hash)).toEqual([createHash('sha256').update(token).digest()]);
  const all = [...(await dumped(inPostgres)).values()].flat().join('\n');
  expect(all).toContain('key.signed_in');
  for (const secret of [key, token]) {
    expect(all).not.toContain(secret);
    expect(all).not.toContain(Buffer.from(secret).toString('hex'));
  }
});

it.each(['agent', 'runtime'] as const)(
  "an %s's key opens no session, and the answer says which does",
  async (kind) => {
    const answer = await new Browser(api).signIn(await api.keyFor({ kind, id: 'robot' }));
    expect([answer.status, answer.body.code]).toEqual([403, 'not_allowed']);
    expect(answer.body.detail).toContain('cairn keys create person');
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(await inPostgres('SELECT 1 FROM console_sessions')).toEqual([]);
  },
);

it('wrong keys use up the tries of their address, and right ones do not', async () => {
  const tries = async (many: number, key: string) => {
    const seen: number[] = [];
    for (let made = 0; made < many; made += 1) {
      seen.push((await new Browser(api).signIn(key)).status);
    }
    return seen;
  };
  expect(new Set(await tries(30, api.ownerKey))).toEqual(new Set([200]));
  expect(await tries(22, 'cairn_wrong')).toEqual([...Array(20).fill(401), 429, 429]);
  const refused = await new Browser(api).signIn(api.ownerKey);
  expect([refused.status, refused.body.of]).toEqual([429, 'sign_in']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  // Whoever is in, and whoever has a key, is not held up.
  expect((await api.call('GET', '/v1/teams')).status).toBe(200);
});

it('signing in counts as a request of its key', async () => {
  const principal = { kind: 'person', id: 'owner' };
  const body = { principal, requests_per_minute: 2 };
  const { key } = (await api.call('POST', '/v1/keys', { body })).body;
  const seen = [];
  for (let made = 0; made < 3; made += 1) seen.push((await new Browser(api).signIn(key)).status);
  expect(seen).toEqual([200, 200, 429]);
});

it('signing in again puts the new session in the place of the old one', async () => {
  const browser = await Browser.of(api);
  const before = browser.cookie;
  await browser.signIn(await api.keyOf('reviewer'));
  expect((await browser.call('GET', '/v1/session')).body.principal.role).toBe('reviewer');
  const old = await api.call('GET', '/v1/session', {
    key: null,
    headers: { cookie: before ?? '' },
  });
  expect(old.status).toBe(401);
  const made = await api.call('POST', '/v1/workspaces', { body: { id: 'other', name: 'Other' } });
  await browser.signIn(made.body.owner_key);
  expect((await browser.call('GET', '/v1/session')).body.workspace.id).toBe('other');
  expect(await inPostgres('SELECT 1 FROM console_sessions')).toEqual([]);
});

it('of one key the newest sessions stay, as many as anybody has browsers', async () => {
  const oldest = await Browser.of(api);
  const second = await Browser.of(api);
  for (let made = 0; made < 19; made += 1) await Browser.of(api);
  expect((await oldest.call('GET', '/v1/session')).status).toBe(401);
  expect((await second.call('GET', '/v1/session')).status).toBe(200);
});

it('a key that is sent wins over the cookie', async () => {
  const browser = await Browser.of(api);
  const key = await api.keyFor({ kind: 'runtime', id: 'ci' });
  const asked = await browser.bare('GET', '/v1/session', { key });
  expect(asked.body).toMatchObject({ principal: { kind: 'runtime', id: 'ci' }, csrf: null });
  expect((await browser.bare('GET', '/v1/session', { key: 'cairn_wrong' })).status).toBe(401);
});

it('the cookie opens nothing that is made for programs', async () => {
  const browser = await Browser.of(api);
  for (const [method, path] of [
    ['GET', '/v1/ping/'],
    ['POST', '/v3/memories/'],
    ['POST', '/mcp'],
  ] as const) {
    const body = method === 'GET' ? {} : { body: {} };
    expect([path, (await browser.call(method, path, body)).status]).toEqual([path, 401]);
  }
});

it('leaves this machine over TLS alone, or is marked as if it did', () => {
  const headers = {};
  const tls = { 'x-forwarded-proto': 'https' };
  for (const host of ['127.0.0.1', 'localhost', '::1']) {
    expect(cookieOf('t', { host, headers })).not.toContain('Secure');
    expect(cookieOf('t', { host, headers: tls })).toMatch(/; Secure$/);
  }
  for (const host of ['0.0.0.0', '10.0.0.7', 'memory.example.com', '127.0.0.1.example.com']) {
    expect(cookieOf('t', { host, headers })).toMatch(/; Secure$/);
  }
});
