import { Client } from 'pg';
import { type Answer, type Method, startApi, type TestApi } from './support/api';
import { describeNative } from './support/database';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const write = (key: string, method: Method, path: string, body?: object): Promise<Answer> =>
  api.call(method, path, {
    headers: { 'idempotency-key': key },
    ...(body === undefined ? {} : { body }),
  });

describe('the same key with the same request', () => {
  it.each([
    ['PUT', '/v1/teams/t1', { name: 'One' }],
    ['PUT', '/v1/people/p1', { name: 'One', role: 'reviewer' }],
    ['PUT', '/v1/agents/a1', { team: 't1' }],
    ['PUT', '/v1/agent-groups/g1', { members: ['a1'] }],
    ['PUT', '/v1/subjects/s1', { name: 'One' }],
    ['PUT', '/v1/projects/j1', { name: 'One' }],
    ['POST', '/v1/projects/j1/close', undefined],
    ['PUT', '/v1/workspace', { name: 'Ours' }],
  ] as const)('%s %s answers the same status and the same thing', async (method, path, body) => {
    const first = await write(`same ${path}`, method, path, body);
    expect(first.status).toBeLessThan(300);
    const again = await write(`same ${path}`, method, path, body);
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    const { items } = (await api.call('GET', '/v1/audit?limit=500')).body;
    const target = path.split('/')[3] ?? 'default';
    const rows = items.filter(
      (row: { target: { id: string }; action: string }) => row.target.id === target,
    );
    const actions = rows.map((row: { action: string }) => row.action);
    expect(actions).toHaveLength(new Set(actions).size);
  });

  it('answers from what is stored now, with the status of then', async () => {
    await write('then', 'PUT', '/v1/teams/moved', { name: 'Before' });
    await api.call('PUT', '/v1/teams/moved', { body: { name: 'After' } });
    expect(await write('then', 'PUT', '/v1/teams/moved', { name: 'Before' })).toMatchObject({
      status: 201,
      body: { id: 'moved', name: 'After' },
    });
  });

  it('of a new key answers its record, and never the key again', async () => {
    const body = { principal: { kind: 'runtime', id: 'r' } };
    const first = await write('key', 'POST', '/v1/keys', body);
    const { key, ...record } = first.body;
    expect(key).toMatch(/^cairn_/);
    const again = await write('key', 'POST', '/v1/keys', body);
    expect([again.status, again.body]).toEqual([201, record]);
    const { items } = (await api.call('GET', '/v1/keys?limit=500')).body;
    const made = items.filter((one: { principal: { id: string } }) => one.principal.id === 'r');
    expect(made).toHaveLength(1);
  });

  it('of a new workspace answers its id, and never the key again', async () => {
    const first = await write('ws', 'POST', '/v1/workspaces', { id: 'twice', name: 'Twice' });
    expect(first.body.owner_key).toMatch(/^cairn_/);
    const again = await write('ws', 'POST', '/v1/workspaces', { id: 'twice', name: 'Twice' });
    expect([again.status, again.body]).toEqual([201, { id: 'twice' }]);
  });

  it('of a revocation answers 204 again', async () => {
    const { body } = await write('rev-make', 'POST', '/v1/keys', {
      principal: { kind: 'runtime', id: 'r2' },
    });
    const first = await write('rev', 'DELETE', `/v1/keys/${body.id}`);
    const again = await write('rev', 'DELETE', `/v1/keys/${body.id}`);
    expect([first.status, again.status]).toEqual([204, 204]);
    expect(again.text).toBe('');
  });
});

describe('the same key', () => {
  it('with another body, path or acting agent is refused', async () => {
    await write('reused', 'PUT', '/v1/teams/r1', { name: 'One' });
    const refused = { status: 422, body: { code: 'idempotency_key_reused' } };
    expect(await write('reused', 'PUT', '/v1/teams/r1', { name: 'Two' })).toMatchObject(refused);
    expect(await write('reused', 'PUT', '/v1/teams/r2', { name: 'One' })).toMatchObject(refused);
    const acting = await api.call('PUT', '/v1/teams/r1', {
      body: { name: 'One' },
      headers: { 'idempotency-key': 'reused', 'cairn-agent': 'a1' },
    });
    expect(acting).toMatchObject(refused);
    expect((await api.call('GET', '/v1/teams/r1')).body.name).toBe('One');
    expect((await api.call('GET', '/v1/teams/r2')).status).toBe(404);
  });

  it('of another principal is another key', async () => {
    const operator = await api.keyOf('operator');
    await write('shared', 'PUT', '/v1/teams/s1', { name: 'One' });
    const other = await api.call('PUT', '/v1/teams/s2', {
      key: operator,
      body: { name: 'Two' },
      headers: { 'idempotency-key': 'shared' },
    });
    expect(other.status).toBe(201);
  });

  it('of reported events lets the same ones through again, and no others', async () => {
    const event = (id: string) => ({
      event_id: id,
      kind: 'observation',
      agent: 'reporter',
      outcome: 'neutral',
      occurred_at: '2026-03-02T08:24:15Z',
      text: 'Seen.',
    });
    const first = await write('events', 'POST', '/v1/events', event('e1'));
    const again = await write('events', 'POST', '/v1/events', event('e1'));
    expect([first.status, again.status]).toEqual([202, 202]);
    expect(again.body.items[0]).toMatchObject({
      status: 'duplicate',
      operation_id: first.body.items[0].operation_id,
    });
    expect(await write('events', 'POST', '/v1/events', event('e2'))).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    });
    expect((await api.call('GET', '/v1/events/e2')).status).toBe(404);
  });

  it('does not take a body that is nested without an end, nor lets one event cost its batch', async () => {
    const body = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    const headers = { 'idempotency-key': 'deep' };
    const deep = await api.call('PUT', '/v1/teams/deep', { body: `{"name":${body}}`, headers });
    expect(deep.status).toBe(400);
    for (let times = 0; times < 2; times += 1) {
      const batch = { body: `{"events":${body}}`, headers };
      const { status, body: answer } = await api.call('POST', '/v1/events', batch);
      expect([status, answer.items[0].reason.code]).toEqual([202, 'invalid']);
    }
  });

  it('is free again after a write that failed', async () => {
    const members = { members: ['not-yet'] };
    expect((await write('retry', 'PUT', '/v1/agent-groups/later', members)).status).toBe(400);
    await api.call('PUT', '/v1/agents/not-yet', { body: {} });
    expect((await write('retry', 'PUT', '/v1/agent-groups/later', members)).status).toBe(201);
  });

  it('has to be printable and short', async () => {
    expect((await write('x'.repeat(201), 'PUT', '/v1/teams/x', { name: 'X' })).status).toBe(400);
  });
});

describeNative('the same key twice at the same moment', () => {
  it('makes one thing, and both are told of it', async () => {
    const body = { principal: { kind: 'runtime', id: 'raced' } };
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => write('race', 'POST', '/v1/keys', body)),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(6).fill(201));
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    expect(answers.filter((answer) => answer.body.key !== undefined)).toHaveLength(1);
  });
});

test('what is kept is a hash, a status and ids', async () => {
  const secret = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_');
  await write(secret, 'PUT', '/v1/teams/kept', { name: 'A name that must not stay' });
  const client = new Client({ connectionString: api.testDatabase.url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query(
      `SELECT status, resource, i::text AS text FROM idempotency i WHERE resource ->> 'id' = 'kept'`,
    );
    expect(rows).toMatchObject([{ status: 201, resource: { id: 'kept' } }]);
    expect(rows[0].text).not.toContain('must not stay');
    expect(rows[0].text).not.toContain(secret);
  } finally {
    await client.end();
  }
});
