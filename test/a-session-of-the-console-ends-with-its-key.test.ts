import { forgetEndedSessions } from '../src/store/console-sessions';
import { startApi, type TestApi } from './support/api';
import { Browser } from './support/browser';

const MINUTE = 60_000;

let api: TestApi;
let now: Date;
beforeEach(async () => {
  now = new Date('2026-03-02T08:00:00Z');
  api = await startApi({ clock: () => now });
});
afterEach(() => api.close());

const later = (minutes: number) => {
  now = new Date(now.getTime() + minutes * MINUTE);
};
const statusOf = async (browser: Browser) => (await browser.call('GET', '/v1/teams')).status;

/** A person's key with its id, and a browser that is signed in by it. */
async function signedIn(more: Record<string, unknown> = {}) {
  await api.call('PUT', '/v1/people/ann', { body: { name: 'Ann', role: 'operator' } });
  const body = { principal: { kind: 'person', id: 'ann' }, ...more };
  const { id, key } = (await api.call('POST', '/v1/keys', { body })).body;
  return { id, browser: await Browser.of(api, key) };
}

const kept = async () =>
  (
    await api.database.inWorkspace('default', (tx) =>
      tx.query<{ n: number }>('SELECT count(*) AS n FROM console_sessions'),
    )
  )[0]?.n;

it('that is revoked, at once', async () => {
  const { id, browser } = await signedIn();
  expect(await statusOf(browser)).toBe(200);
  expect((await api.call('DELETE', `/v1/keys/${id}`)).status).toBe(204);
  const after = await browser.call('GET', '/v1/teams');
  expect([after.status, after.body.code]).toEqual([401, 'unauthenticated']);
  expect(after.body.detail).toContain('sign in again');
});

it('that is rotated, at once, or when its grace is over', async () => {
  const { id, browser } = await signedIn();
  expect((await api.call('POST', `/v1/keys/${id}/rotate`, { body: {} })).status).toBe(201);
  expect(await statusOf(browser)).toBe(401);
  const other = await signedIn();
  await api.call('POST', `/v1/keys/${other.id}/rotate`, { body: { grace: 'PT10M' } });
  expect(await statusOf(other.browser)).toBe(200);
  later(11);
  expect(await statusOf(other.browser)).toBe(401);
});

it('that runs out, and says so beforehand', async () => {
  const { browser } = await signedIn({ expires_at: '2026-03-02T08:30:00Z' });
  const { expires_at } = (await browser.call('GET', '/v1/session')).body;
  expect(expires_at).toBe('2026-03-02T08:30:00.000Z');
  later(29);
  expect(await statusOf(browser)).toBe(200);
  later(2);
  expect(await statusOf(browser)).toBe(401);
});

it('whose person has another role now, in what it may do', async () => {
  const { browser } = await signedIn();
  const put = () => browser.call('PUT', '/v1/teams/moor', { body: { name: 'Moor' } });
  expect((await put()).status).toBe(201);
  await api.call('PUT', '/v1/people/ann', { body: { name: 'Ann', role: 'auditor' } });
  expect((await put()).body.code).toBe('not_allowed');
  expect((await browser.call('GET', '/v1/session')).body.allowed).not.toContain(
    'PUT /v1/teams/:id',
  );
});

it('or by itself: after twelve hours, after two without a request, and when somebody signs out', async () => {
  const busy = (await signedIn()).browser;
  const idle = (await signedIn()).browser;
  for (let hour = 0; hour < 11; hour += 1) {
    later(60);
    expect(await statusOf(busy)).toBe(200);
  }
  expect(await statusOf(idle)).toBe(401);
  later(59);
  expect(await statusOf(busy)).toBe(200);
  later(2);
  expect(await statusOf(busy)).toBe(401);

  const leaving = (await signedIn()).browser;
  const left = await leaving.call('DELETE', '/v1/session');
  expect(left.status).toBe(204);
  expect(left.headers.get('set-cookie')).toMatch(/^cairn_session=; Path=\/; Max-Age=0; HttpOnly/);
  expect(await statusOf(leaving)).toBe(401);
  expect((await api.call('DELETE', '/v1/session')).status).toBe(404);
});

it('and then leaves no row, once the sweep has come by', async () => {
  const revoked = await signedIn();
  const good = await signedIn();
  await api.call('DELETE', `/v1/keys/${revoked.id}`);
  const sweep = () => api.database.inWorkspace('default', (tx) => forgetEndedSessions(tx, now));
  expect([await kept(), await sweep(), await kept()]).toEqual([2, 1, 1]);
  expect(await statusOf(good.browser)).toBe(200);
  later(121);
  expect([await sweep(), await kept()]).toEqual([1, 0]);
});

it('that goes altogether, as an erasure of its person has it', async () => {
  const { browser } = await signedIn();
  await api.database.inWorkspace('default', (tx) =>
    tx.query(`DELETE FROM api_keys WHERE principal_id = 'ann'`),
  );
  expect([await statusOf(browser), await kept()]).toEqual([401, 0]);
});
