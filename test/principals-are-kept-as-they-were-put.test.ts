import { startApi, type TestApi } from './support/api';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

describe('each kind of principal', () => {
  const cases: [string, string, Record<string, unknown>, Record<string, unknown>, object][] = [
    ['teams', 'support', { name: 'Support' }, { name: 'Help' }, { id: 'support', name: 'Help' }],
    [
      'people',
      'ada',
      { name: 'Ada', role: 'reviewer' },
      { name: 'Ada L', role: 'operator' },
      { id: 'ada', name: 'Ada L', role: 'operator', email: null, subject: null },
    ],
    [
      'subjects',
      'acme',
      { name: 'Acme', kind: 'customer', household: 'h1' },
      { memory: 'off', household: null },
      { id: 'acme', name: 'Acme', kind: 'customer', household: null, memory: 'off' },
    ],
    [
      'projects',
      'apollo',
      { name: 'Apollo' },
      { name: null },
      { id: 'apollo', name: null, status: 'open', closed_at: null },
    ],
    [
      'agents',
      'planner',
      { team: 'support', agent_type: 'planner', memory_mode: 'manual' },
      { restricted: true, agent_type: null },
      {
        id: 'planner',
        team: 'support',
        parent_agent: null,
        depth: 0,
        agent_type: null,
        memory_mode: 'manual',
        restricted: true,
        succeeds: null,
        writes_stopped: false,
      },
    ],
    [
      'agent-groups',
      'reviewers',
      { members: [] },
      { members: ['planner', 'planner'] },
      { id: 'reviewers', members: ['planner'] },
    ],
  ];

  it.each(cases)(
    '%s: made with 201, changed with 200, read and listed',
    async (kind, id, first, second, after) => {
      const url = `/v1/${kind}/${id}`;
      const made = await api.call('PUT', url, { body: first });
      expect(made).toMatchObject({ status: 201, body: { id } });
      const changed = await api.call('PUT', url, { body: second });
      expect(changed).toMatchObject({ status: 200, body: after });
      expect((await api.call('GET', url)).body).toEqual(changed.body);
      const list = await api.call('GET', `/v1/${kind}`);
      expect(list.status).toBe(200);
      expect(list.body.items).toContainEqual(changed.body);
      expect(list.body.total).toBe(list.body.items.length);
    },
  );

  it.each(cases)('%s: one that never was is 404, an unknown field 400', async (kind, id, first) => {
    expect((await api.call('GET', `/v1/${kind}/nobody-here`)).body).toMatchObject({
      status: 404,
      code: 'not_found',
    });
    const wrong = await api.call('PUT', `/v1/${kind}/${id}`, { body: { ...first, colour: 'red' } });
    expect(wrong).toMatchObject({ status: 400, body: { pointer: '/colour' } });
  });
});

describe('the workspace', () => {
  it('is switched off and on, and renamed', async () => {
    const off = await api.call('PUT', '/v1/workspace', { body: { memory_mode: 'off' } });
    expect(off).toMatchObject({ status: 200, body: { id: 'default', memory_mode: 'off' } });
    const on = await api.call('PUT', '/v1/workspace', {
      body: { memory_mode: 'automatic', name: 'Ours' },
    });
    expect(on.body).toEqual({ ...off.body, memory_mode: 'automatic', name: 'Ours' });
    expect((await api.call('GET', '/v1/workspace')).body).toEqual(on.body);
  });

  it('is made by the owner of the installation, with a key that is its own owner', async () => {
    const made = await api.call('POST', '/v1/workspaces', {
      body: { id: 'second', name: 'Second' },
    });
    expect(made).toMatchObject({ status: 201, body: { id: 'second' } });
    const key = made.body.owner_key as string;
    expect((await api.call('GET', '/v1/workspace', { key })).body).toMatchObject({
      id: 'second',
      name: 'Second',
      memory_mode: 'automatic',
    });
    expect((await api.call('GET', '/v1/people', { key })).body.items).toMatchObject([
      { id: 'owner', role: 'owner' },
    ]);
    const audit = await api.call('GET', '/v1/audit', { key });
    expect(audit.body.items.map((row: { action: string }) => row.action)).toEqual([
      'key.created',
      'person.created',
      'workspace.created',
    ]);
    expect((await api.call('GET', '/v1/workspaces')).body.items).toMatchObject([
      { id: 'default' },
      { id: 'second' },
    ]);
    expect((await api.call('GET', '/v1/workspaces/second')).body).toMatchObject({ name: 'Second' });
    // Its owner owns that workspace, not the installation.
    const third = { body: { id: 'third', name: 'Third' }, key };
    expect((await api.call('POST', '/v1/workspaces', third)).status).toBe(403);
    const again = await api.call('POST', '/v1/workspaces', { body: { id: 'second', name: 'x' } });
    expect(again).toMatchObject({ status: 409, body: { code: 'already_exists' } });
  });

  it('shows nothing of another one', async () => {
    const { body } = await api.call('POST', '/v1/workspaces', {
      body: { id: 'apart', name: 'Apart' },
    });
    const key = body.owner_key as string;
    await api.call('PUT', '/v1/teams/here', { body: { name: 'Here' } });
    expect((await api.call('GET', '/v1/teams/here', { key })).status).toBe(404);
    expect((await api.call('GET', '/v1/teams', { key })).body.total).toBe(0);
  });

  it('refuses an id that is none', async () => {
    const answer = await api.call('POST', '/v1/workspaces', { body: { id: 'Second!', name: 'x' } });
    expect(answer).toMatchObject({ status: 400, body: { pointer: '/id' } });
  });
});

describe('a project', () => {
  it('that nobody ever named is not closed', async () => {
    expect((await api.call('POST', '/v1/projects/nope/close')).status).toBe(404);
    expect((await api.call('GET', '/v1/projects/nope')).status).toBe(404);
  });

  it('that only a card names is closed', async () => {
    const scope = { type: 'workspace', id: 'default' };
    await api.call('POST', '/v1/cards', { body: { summary: 'A probe.', project: 'venus', scope } });
    const closed = await api.call('POST', '/v1/projects/venus/close');
    expect(closed).toMatchObject({ status: 200, body: { id: 'venus', status: 'closed' } });
  });

  it('is closed once, and stays closed', async () => {
    await api.call('PUT', '/v1/projects/mercury', { body: { name: 'Mercury' } });
    const closed = await api.call('POST', '/v1/projects/mercury/close');
    expect(closed).toMatchObject({ status: 200, body: { id: 'mercury', status: 'closed' } });
    expect(closed.body.closed_at).not.toBeNull();
    expect((await api.call('POST', '/v1/projects/mercury/close')).body).toEqual(closed.body);
    const { body } = await api.call('GET', '/v1/audit?target=mercury&action=project.closed');
    expect(body.items).toHaveLength(1);
    const list = await api.call('GET', '/v1/projects?status=closed');
    expect(list.body.items).toMatchObject([{ id: 'mercury' }, { id: 'venus' }]);
  });
});
