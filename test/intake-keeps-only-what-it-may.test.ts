import { startApi, type TestApi } from './support/api';
import { githubToken } from './support/secret-strings';

let api: TestApi;
let runtimeKey: string;
beforeAll(async () => {
  api = await startApi();
  runtimeKey = await api.keyFor({ kind: 'runtime', id: 'host' });
});
afterAll(() => api.close());

let serial = 0;
const event = (more: Record<string, unknown> = {}) => {
  serial += 1;
  return {
    event_id: `event-${serial}`,
    kind: 'service_call',
    agent: 'scout',
    service: 'mailer',
    operation: 'send',
    outcome: 'worked',
    occurred_at: '2026-06-01T09:00:00Z',
    input: { serial },
    ...more,
  };
};
const report = (body: unknown) => api.call('POST', '/v1/events', { key: runtimeKey, body });

test.each([
  ['before the year 1000', '0999-12-31T23:59:59Z'],
  ['before Christ, once its zone is taken off', '0001-01-01T00:00:00+14:00'],
  ['after the year 9999, once its zone is taken off', '9999-12-31T23:59:59-12:00'],
  ['without a zone', '2026-06-01T09:00:00'],
])(
  'a time %s is refused with its place, and the others of the batch are kept',
  async (_what, occurred_at) => {
    const answer = await report({ events: [event({ occurred_at }), event()] });
    expect(answer.body.items).toMatchObject([
      { status: 'refused', reason: { code: 'invalid', pointer: '/occurred_at' } },
      { status: 'accepted' },
    ]);
  },
);

test('the earliest and the latest time that are taken come back as they were', async () => {
  const times = ['1000-01-01T00:00:00.000Z', '9999-12-30T23:59:59.000Z'];
  const sent = times.map((occurred_at) => event({ occurred_at }));
  await report({ events: sent });
  for (const [index, { event_id }] of sent.entries()) {
    const { body } = await api.call('GET', `/v1/events/${event_id}`, { key: api.ownerKey });
    expect(body.occurred_at).toBe(times[index]);
  }
});

describe('headers', () => {
  const secret = githubToken(41);
  const recall = (headers: Record<string, string>) =>
    api.call('POST', '/v1/recall', { key: runtimeKey, headers, body: { query: 'send' } });

  test.each([
    ['Cairn-Agent', { 'cairn-agent': secret }, 'secret_in_identifier'],
    ['Cairn-Session', { 'cairn-agent': 'scout', 'cairn-session': secret }, 'secret_in_identifier'],
    [
      'Cairn-Session with an address',
      { 'cairn-agent': 'scout', 'cairn-session': 'joe@acme-mail.com' },
      'pii_in_identifier',
    ],
  ])('a secret in %s is refused and kept nowhere', async (_name, headers, code) => {
    const answer = await recall(headers);
    expect([answer.status, answer.body.code]).toEqual([422, code]);
    const value = Object.values(headers).at(-1) as string;
    for (const path of [
      '/v1/agents?limit=500',
      '/v1/audit?limit=500',
      '/v1/access-log?limit=500',
    ]) {
      const { body } = await api.call('GET', path, { key: api.ownerKey });
      expect(JSON.stringify(body)).not.toContain(value);
    }
  });

  test('an e-mail or an international phone as an agent is the same pseudonym everywhere', async () => {
    for (const [contact, kind] of [
      ['ada@example.org', 'email'],
      ['+49 30 901820 33', 'phone'],
    ] as const) {
      const sent = event({ agent: contact });
      await report(sent);
      const { body } = await api.call('GET', `/v1/events/${sent.event_id}`, { key: api.ownerKey });
      expect(body.agent).toMatch(new RegExp(`^${kind}-[a-z2-7]{10,}$`));
      const known = await recall({ 'cairn-agent': contact });
      expect(known.status).toBe(200);
      const agents = await api.call('GET', '/v1/agents?limit=500', { key: api.ownerKey });
      const ids = (agents.body.items as { id: string }[]).map(({ id }) => id);
      expect(ids.filter((id) => id === body.agent)).toHaveLength(1);
    }
  });
});

describe('the team of an agent', () => {
  const agentNamed = async (id: string) =>
    (await api.call('GET', `/v1/agents/${id}`, { key: api.ownerKey })).body;

  test('one that a person registered without a team gets none from an event', async () => {
    await api.call('PUT', '/v1/agents/loner', { key: api.ownerKey, body: {} });
    const answer = await report(event({ agent: 'loner', team: 'desk' }));
    expect([answer.status, answer.body.code]).toEqual([409, 'agent_conflict']);
    expect((await agentNamed('loner')).team).toBeNull();
  });

  test('one that only asked, or was only a parent, is first seen with its own first event', async () => {
    await api.call('POST', '/v1/recall', {
      key: runtimeKey,
      headers: { 'cairn-agent': 'asker' },
      body: { query: 'send' },
    });
    await report(event({ agent: 'child', parent_agent: 'mother' }));
    for (const agent of ['asker', 'mother']) {
      expect((await report(event({ agent, team: 'desk' }))).status).toBe(202);
      expect((await agentNamed(agent)).team).toBe('desk');
      const { body } = await api.call('GET', `/v1/audit?target=${agent}&action=agent.updated`, {
        key: api.ownerKey,
      });
      expect(body.items).toMatchObject([{ changed: ['team'] }]);
    }
    expect((await report(event({ agent: 'asker', team: 'other' }))).status).toBe(409);
  });

  test('one that settled work without a team keeps without', async () => {
    await report(event({ agent: 'worker' }));
    expect((await report(event({ agent: 'worker', team: 'desk' }))).status).toBe(409);
  });
});
