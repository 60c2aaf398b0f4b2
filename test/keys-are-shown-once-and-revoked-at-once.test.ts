import { Client } from 'pg';
import { startApi, type TestApi } from './support/api';

let api: TestApi;
let now = new Date('2026-06-01T00:00:00Z');
beforeAll(async () => {
  api = await startApi({ clock: () => now });
});
afterAll(() => api.close());

const make = (body: object, key?: string) =>
  api.call('POST', '/v1/keys', key === undefined ? { body } : { body, key });

describe('a key', () => {
  it('is shown once, and works', async () => {
    const made = await make({ principal: { kind: 'runtime', id: 'ci' }, name: 'CI' });
    expect(made).toMatchObject({
      status: 201,
      body: {
        principal: { kind: 'runtime', id: 'ci' },
        name: 'CI',
        expires_at: null,
        revoked_at: null,
      },
    });
    expect(made.body.key).toMatch(/^cairn_[a-z2-7]{52}$/);
    expect((await api.call('GET', '/v1/teams', { key: made.body.key })).status).toBe(200);
    const { key, ...record } = made.body;
    const list = await api.call('GET', '/v1/keys');
    expect(record.last_used_at).toBeNull();
    expect(list.body.items).toContainEqual({ ...record, last_used_at: now.toISOString() });
    expect(list.text).not.toContain(key);
  });

  it('is nowhere in the database', async () => {
    const { body } = await make({ principal: { kind: 'runtime', id: 'hidden' } });
    const client = new Client({ connectionString: api.testDatabase.url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      for (const table of ['api_keys', 'audit_log', 'idempotency', 'surrogates']) {
        const { rows } = await client.query<{ text: string }>(
          `SELECT t::text AS text FROM ${table} t`,
        );
        expect(rows.map((row) => row.text).join()).not.toContain(body.key.slice(10));
      }
    } finally {
      await client.end();
    }
  });

  it('is revoked at once, for good, and without a word about it twice', async () => {
    const { body } = await make({ principal: { kind: 'runtime', id: 'gone' } });
    expect((await api.call('DELETE', `/v1/keys/${body.id}`)).status).toBe(204);
    const after = await api.call('GET', '/v1/teams', { key: body.key });
    expect(after).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    expect((await api.call('DELETE', `/v1/keys/${body.id}`)).status).toBe(204);
    const audit = await api.call('GET', `/v1/audit?target=${body.id}`);
    expect(audit.body.items.map((row: { action: string }) => row.action)).toEqual([
      'key.revoked',
      'key.created',
    ]);
    expect((await api.call('DELETE', '/v1/keys/key_never')).status).toBe(404);
  });

  it('does not revoke itself', async () => {
    const { items } = (await api.call('GET', '/v1/keys?limit=500')).body;
    const own = items.find((one: { name: string }) => one.name === 'bootstrap');
    expect(await api.call('DELETE', `/v1/keys/${own.id}`)).toMatchObject({
      status: 409,
      body: { code: 'own_key' },
    });
  });

  it('runs out when it was said to', async () => {
    const { body } = await make({
      principal: { kind: 'runtime', id: 'short' },
      expires_at: '2026-06-01T01:00:00Z',
    });
    expect((await api.call('GET', '/v1/teams', { key: body.key })).status).toBe(200);
    now = new Date('2026-06-01T01:00:00Z');
    expect((await api.call('GET', '/v1/teams', { key: body.key })).status).toBe(401);
    const past = {
      principal: { kind: 'runtime', id: 'short' },
      expires_at: '2026-06-01T00:59:00Z',
    };
    expect((await make(past)).status).toBe(400);
  });
});

describe('a key for', () => {
  it('an agent that was never seen registers it', async () => {
    expect((await make({ principal: { kind: 'agent', id: 'newcomer' } })).status).toBe(201);
    expect((await api.call('GET', '/v1/agents/newcomer')).status).toBe(200);
    const audit = await api.call('GET', '/v1/audit?target=newcomer');
    expect(audit.body.items).toMatchObject([{ action: 'agent.registered' }]);
  });

  it('a person who is not known is refused', async () => {
    expect(await make({ principal: { kind: 'person', id: 'stranger' } })).toMatchObject({
      status: 400,
      body: { pointer: '/principal/id' },
    });
  });

  it('an owner is made and revoked by owners only', async () => {
    const operator = await api.keyOf('operator');
    const forOwner = { principal: { kind: 'person', id: 'owner' } };
    expect((await make(forOwner, operator)).status).toBe(403);
    expect((await make({ principal: { kind: 'runtime', id: 'x' } }, operator)).status).toBe(201);
    const made = await make(forOwner);
    expect(made.status).toBe(201);
    const path = `/v1/keys/${made.body.id}`;
    expect((await api.call('DELETE', path, { key: operator })).status).toBe(403);
    expect((await api.call('GET', '/v1/teams', { key: made.body.key })).status).toBe(200);
    expect((await api.call('DELETE', path)).status).toBe(204);
  });
});

describe('the last owner', () => {
  it('stays one, and is not made by an operator', async () => {
    const operator = await api.keyOf('operator');
    const put = (id: string, role: string, key: string) =>
      api.call('PUT', `/v1/people/${id}`, { key, body: { name: 'X', role } });
    expect((await put('owner', 'member', api.ownerKey)).body).toMatchObject({ code: 'last_owner' });
    expect((await put('owner', 'member', operator)).status).toBe(403);
    expect((await put('the-operator', 'owner', operator)).status).toBe(403);
    expect((await put('second', 'owner', api.ownerKey)).status).toBe(201);
    expect((await put('second', 'member', api.ownerKey)).status).toBe(200);
  });
});
