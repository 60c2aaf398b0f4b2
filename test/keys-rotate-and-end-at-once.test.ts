import { type Answer, startApi, type TestApi } from './support/api';
import { runCommand } from './support/cli';
import { good } from './support/hostile-events';
import { McpSession } from './support/mcp';
import { until } from './support/until';

let api: TestApi;
let now: Date;
beforeEach(async () => {
  now = new Date('2026-06-01T12:00:00Z');
  api = await startApi({ clock: () => now });
});
afterEach(() => api.close());

const make = async (more: object = {}) =>
  (
    await api.call('POST', '/v1/keys', {
      body: { principal: { kind: 'runtime', id: 'ci' }, name: 'CI', ...more },
    })
  ).body;
const rotate = (id: string, body?: object, key?: string): Promise<Answer> =>
  api.call('POST', `/v1/keys/${id}/rotate`, {
    ...(body === undefined ? {} : { body }),
    ...(key === undefined ? {} : { key }),
  });
const status = async (key: string) => (await api.call('GET', '/v1/teams', { key })).status;
const listed = async (id: string) =>
  (await api.call('GET', '/v1/keys')).body.items.find((one: { id: string }) => one.id === id);
const later = (minutes: number) => {
  now = new Date(now.getTime() + minutes * 60_000);
};

describe('rotating', () => {
  it('gives a new key in the place of the old one, which is good no more', async () => {
    const old = await make({ requests_per_minute: 50, expires_at: '2026-07-01T00:00:00Z' });
    const { status: made, body } = await rotate(old.id);
    expect(made).toBe(201);
    expect(body).toMatchObject({
      principal: old.principal,
      ...{ name: 'CI', replaces: old.id, requests_per_minute: 50 },
      expires_at: '2026-07-01T00:00:00.000Z',
      revoked_at: null,
    });
    expect(body.key).toMatch(/^cairn_[a-z2-7]{52}$/);
    expect(body.key).not.toBe(old.key);
    expect([await status(old.key), await status(body.key)]).toEqual([401, 200]);
    expect((await listed(old.id)).revoked_at).toBe(now.toISOString());
    const audit = await api.call('GET', `/v1/audit?target=${old.id}`);
    expect(audit.body.items.map(({ action }: { action: string }) => action)).toEqual([
      'key.revoked',
      'key.created',
    ]);
    expect((await api.call('GET', '/v1/keys')).text).not.toContain(body.key);
  });

  it('with a grace leaves the old one good for that long, and no longer than it was', async () => {
    const [old, short] = [await make(), await make({ expires_at: '2026-06-01T12:10:00Z' })];
    const { body } = await rotate(old.id, { grace: 'PT1H' });
    await rotate(short.id, { grace: 'PT1H', expires_at: null });
    expect((await listed(short.id)).expires_at).toBe('2026-06-01T12:10:00.000Z');
    expect([await status(old.key), await status(body.key)]).toEqual([200, 200]);
    later(59);
    expect([await status(old.key), await status(short.key)]).toEqual([200, 401]);
    later(1);
    expect([await status(old.key), await status(body.key)]).toEqual([401, 200]);
  });

  it('takes what is to be other, and refuses what makes no sense', async () => {
    const old = await make({ requests_per_minute: 50 });
    const { body } = await rotate(old.id, {
      grace: 'PT0S',
      expires_at: '2026-08-01T00:00:00Z',
      requests_per_minute: null,
    });
    expect([body.expires_at, body.requests_per_minute]).toEqual(['2026-08-01T00:00:00.000Z', null]);
    for (const wrong of [{ grace: 'an hour' }, { grace: 'P31D' }, { grace: 1 }, { until: 'x' }]) {
      expect((await rotate(body.id, wrong)).status).toBe(400);
    }
    const past = { expires_at: '2026-05-01T00:00:00Z' };
    expect((await rotate(body.id, past)).body.pointer).toBe('/expires_at');
    expect(await status(body.key)).toBe(200);
  });

  it('is for keys that are good, and not for the one that the environment sets', async () => {
    const old = await make();
    await rotate(old.id);
    expect((await rotate(old.id)).body).toMatchObject({ status: 409, code: 'key_ended' });
    expect((await rotate('key_none')).status).toBe(404);
    const { items } = (await api.call('GET', '/v1/keys')).body;
    const own = items.find(({ name }: { name: string }) => name === 'bootstrap');
    expect((await rotate(own.id)).body).toMatchObject({ status: 409, code: 'set_elsewhere' });
  });

  it("of an owner's key is an owner's, and a key may put another in its own place", async () => {
    const operator = await api.keyOf('operator');
    const owners = (
      await api.call('POST', '/v1/keys', { body: { principal: { kind: 'person', id: 'owner' } } })
    ).body;
    expect((await rotate(owners.id, {}, operator)).status).toBe(403);
    const { body } = await rotate(owners.id, {}, owners.key);
    expect([await status(owners.key), await status(body.key)]).toEqual([401, 200]);
  });

  it('under one Idempotency-Key happens once, and shows the key once', async () => {
    const old = await make();
    const again = () =>
      api.call('POST', `/v1/keys/${old.id}/rotate`, { headers: { 'idempotency-key': 'r' } });
    const [first, second] = [await again(), await again()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.id).toBe(first.body.id);
    expect([typeof first.body.key, second.body.key]).toEqual(['string', undefined]);
    expect((await api.call('GET', '/v1/keys')).body.total).toBe(3);
  });
});

describe('a key that is revoked', () => {
  const revoke = (id: string) => api.call('DELETE', `/v1/keys/${id}`);

  it('ends an open MCP session with the next message', async () => {
    const key = await make({ principal: { kind: 'agent', id: 'talker' } });
    const session = await McpSession.http(api, key.key);
    expect((await session.call('read_notes')).isError).toBe(false);
    await revoke(key.id);
    await expect(session.call('read_notes')).rejects.toThrow(/401|unauthenticated/);
    await session.close();
  });

  it('is told nothing more by a request that waits, which then ends', async () => {
    const key = await make();
    const waiting = api.call('POST', '/v1/events?wait_ms=30000', {
      key: key.key,
      body: { events: [good('waits')] },
    });
    // What it waits for never comes here: it ends for the revoke alone.
    await until('it is recorded', async () => {
      const { body } = await api.call('GET', '/v1/events');
      return body.total > 0;
    });
    await revoke(key.id);
    const { status: answered, body } = await waiting;
    expect(answered).toBe(202);
    expect(body.items).toMatchObject([{ event_id: 'waits', status: 'accepted' }]);
    expect(body.items[0].card_id).toBeUndefined();
  });

  it('is refused on a connection that it has kept open', async () => {
    const key = await make();
    expect([await status(key.key), await status(key.key)]).toEqual([200, 200]);
    await revoke(key.id);
    expect([await status(key.key), await status(key.key)]).toEqual([401, 401]);
  });
});

it('the list says when each key was used last, to the minute, and keeps those that ended', async () => {
  const key = await make();
  expect((await listed(key.id)).last_used_at).toBeNull();
  await status(key.key);
  const first = now.toISOString();
  expect((await listed(key.id)).last_used_at).toBe(first);
  now = new Date(now.getTime() + 30_000);
  await status(key.key);
  expect((await listed(key.id)).last_used_at).toBe(first);
  later(1);
  await status(key.key);
  expect((await listed(key.id)).last_used_at).toBe(now.toISOString());
  await api.call('DELETE', `/v1/keys/${key.id}`);
  later(5);
  expect(await status(key.key)).toBe(401);
  expect(await listed(key.id)).toMatchObject({ revoked_at: expect.any(String) });
});

it('the command makes, lists, rotates and revokes', async () => {
  const cairn = (...args: string[]) =>
    runCommand(args, { CAIRN_URL: api.url, CAIRN_KEY: api.ownerKey, CAIRN_DATA_DIR: '/nowhere' });
  const made = JSON.parse(
    (await cairn('keys', 'create', 'runtime', 'deploy', '--name', 'deploys', '--json')).out,
  );
  expect(await status(made.key)).toBe(200);
  const text = (await cairn('keys')).out;
  expect(text).toContain(made.id);
  expect(text).not.toContain(made.key);
  const rotated = await cairn('keys', 'rotate', made.id, '--grace', 'PT1H');
  expect(rotated.out).toMatch(/cairn_[a-z2-7]{52} {2}\(shown this once\)/);
  expect((await cairn('keys', 'revoke', made.id)).out).toBe(`${made.id} is revoked.\n`);
  expect(await status(made.key)).toBe(401);
});
