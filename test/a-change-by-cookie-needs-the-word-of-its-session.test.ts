import { ROUTE_RULES } from '../src/api/roles';
import { type Method, startApi, type TestApi } from './support/api';
import { Browser } from './support/browser';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** Those of mem0's clients and of MCP take no cookie at all. */
const CHANGES = Object.keys(ROUTE_RULES).flatMap((route) => {
  const [method = '', url = ''] = route.split(' ');
  const path = url.replace(/:(\w+)/g, 'x');
  return method === 'GET' ? [] : [{ route, method: method as Method, path }];
});

it('whatever is no reading is refused without it', async () => {
  const browser = await Browser.of(api);
  const refusals = new Map<string, number>();
  for (const { route, method, path } of CHANGES) {
    const { status, body } = await browser.bare(method, path, { body: {} });
    const code = body?.code;
    // Without a key that is all that is said.
    expect([route, status, code]).toEqual(
      status === 401 ? [route, 401, 'unauthenticated'] : [route, 403, 'csrf'],
    );
    refusals.set(code, (refusals.get(code) ?? 0) + 1);
  }
  expect(refusals.get('csrf')).toBeGreaterThan(60);
  expect((await browser.call('GET', '/v1/session')).status).toBe(200);
});

it('no other word will do: none, another, one of another session, one of a session that is over', async () => {
  const browser = await Browser.of(api);
  const other = await Browser.of(api);
  const { csrf } = (await other.call('GET', '/v1/session')).body;
  const before = (await browser.call('GET', '/v1/session')).body.csrf;
  await browser.signIn(api.ownerKey);
  const own = (await browser.call('GET', '/v1/session')).body.csrf;
  for (const word of ['', 'x', csrf, before, `${own}x`, own.slice(1), own.toUpperCase()]) {
    const headers = { 'cairn-csrf': word };
    const put = await browser.bare('PUT', '/v1/teams/moor', { body: { name: 'Moor' }, headers });
    expect([word, put.status, put.body.code]).toEqual([word, 403, 'csrf']);
  }
  expect((await api.call('GET', '/v1/teams/moor')).status).toBe(404);
  const put = await browser.call('PUT', '/v1/teams/moor', { body: { name: 'Moor' } });
  expect(put.status).toBe(201);
});

it('a key needs none, with a cookie beside it too', async () => {
  const browser = await Browser.of(api);
  const options = { key: api.ownerKey, body: { name: 'Fen' } };
  expect((await browser.bare('PUT', '/v1/teams/fen', options)).status).toBe(201);
});

it('does not help a page of another origin', async () => {
  const browser = await Browser.of(api);
  const headers = { origin: 'https://evil.example' };
  for (const [method, path] of [
    ['PUT', '/v1/teams/bog'],
    ['GET', '/v1/teams'],
    ['POST', '/v1/session'],
  ] as const) {
    const body = method === 'GET' ? {} : { body: { name: 'Bog' } };
    const answer = await browser.call(method, path, { ...body, headers });
    expect([path, answer.status, answer.body.code]).toEqual([path, 403, 'host_not_allowed']);
  }
});
