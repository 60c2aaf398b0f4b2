import { startApi, type TestApi } from './support/api';
import { MINUTE, TestClock } from './support/filing';

const clock = new TestClock('2026-03-02T23:30:00Z');
let api: TestApi;
let runtime: string;
beforeAll(async () => {
  api = await startApi({ clock: clock.now });
  runtime = await api.keyFor({ kind: 'runtime', id: 'feeder' });
  await api.call('PUT', '/v1/teams/support', { body: { name: 'Support' } });
  await api.call('PUT', '/v1/agents/scout', { body: { team: 'support' } });
});
afterAll(() => api.close());
afterEach(() => rows('DELETE FROM outbox'));

const rows = <Row>(statement: string, values: unknown[] = []): Promise<Row[]> =>
  api.database.inWorkspace('default', (tx) => tx.query<Row>(statement, values));
const outbox = () =>
  rows<{ action: string; workflow_id: string; arguments: Record<string, unknown> }>(
    'SELECT action, workflow_id, arguments FROM outbox ORDER BY id',
  );
const ask = async (type: string, body: object = {}, headers: Record<string, string> = {}) =>
  await api.call('POST', `/v1/runs/${type}`, { body, headers });
const asked = async (type: string, body: object = {}): Promise<string> =>
  (await ask(type, body)).body.operation_id;
const run = async (id: string) => (await api.call('GET', `/v1/runs/${id}`)).body;
const tell = (id: string, order: string) => api.call('POST', `/v1/runs/${id}/${order}`);
const state = (id: string, to: string) =>
  rows('UPDATE runs SET state = $2 WHERE id = $1', [id, to]);

describe('a pass that is asked for', () => {
  it('has its row and its start at once, under an id of its own', async () => {
    await api.call('PUT', '/v1/policy', {
      body: { consolidation: { timezone: 'Europe/Berlin' } },
      headers: { 'if-match': '"0"' },
    });
    const { status, body } = await ask('consolidation', {
      scope: { type: 'team', id: 'support' },
      dry_run: true,
      budget: { cards: 50, tokens: 1_000 },
    });
    expect(status).toBe(202);
    const id = body.operation_id;
    expect(await run(id)).toMatchObject({
      id,
      type: 'consolidation',
      status: 'running',
      scope: { type: 'team', id: 'support' },
      dry_run: true,
      budget: { cards: 50, tokens: 1_000 },
      // In Berlin it is tomorrow already.
      day: '2026-03-03',
      workflow_id: `pass/default/consolidation/${id}`,
      parent_id: null,
      paused: false,
      undone_at: null,
      diff: [],
      drafts: [],
      result: null,
    });
    expect((await api.call('GET', `/v1/operations/${id}`)).body).toMatchObject({
      id,
      state: 'pending',
    });
    expect(await outbox()).toEqual([
      {
        action: 'start_pass',
        workflow_id: `pass/default/consolidation/${id}`,
        arguments: {
          workspace: 'default',
          type: 'consolidation',
          operation_id: id,
          scope: { type: 'team', id: 'support' },
          dry_run: true,
          budget: { cards: 50, tokens: 1_000 },
          at: '2026-03-02T23:30:00.000Z',
        },
      },
    ]);
    const [audited] = (await api.call('GET', `/v1/audit?target=${id}`)).body.items;
    expect(audited).toMatchObject({ action: 'run.asked', changed: ['consolidation', 'dry_run'] });
  });

  it('goes over the workspace where no scope is named, a monthly one in its month', async () => {
    const id = await asked('recalibration');
    expect(await run(id)).toMatchObject({
      scope: { type: 'workspace', id: 'default' },
      day: '2026-03',
    });
    const [start] = await outbox();
    expect(start?.arguments.scope).toBeUndefined();
  });

  it('is started once for an Idempotency-Key, and twice without', async () => {
    const headers = { 'idempotency-key': 'tonight' };
    const first = await ask('retention', {}, headers);
    const again = await ask('retention', {}, headers);
    expect(again.body).toEqual(first.body);
    expect(again.status).toBe(202);
    expect((await ask('retention', { dry_run: true }, headers)).status).toBe(422);
    expect(await asked('retention')).not.toBe(first.body.operation_id);
    expect(await outbox()).toHaveLength(2);
  });

  test.each([
    ['an agent that is not there', 'consolidation', { type: 'agent', id: 'nobody' }, 404],
    ['a team that is not there', 'reflection', { type: 'team', id: 'nobody' }, 404],
    ['another workspace', 'reflection', { type: 'workspace', id: 'other' }, 404],
    ['a scope of a pass that has none', 'retention', { type: 'team', id: 'support' }, 400],
  ])('is refused for %s', async (_name, type, scope, status) => {
    expect((await ask(type, { scope })).status).toBe(status);
    expect(await outbox()).toEqual([]);
  });

  test.each([
    ['learning', {}],
    ['capture', {}],
    ['consolidation', { budget: { cards: 0 } }],
    ['consolidation', { budget: { euros: 1 } }],
    ['consolidation', { scope: { type: 'galaxy', id: 'x' } }],
  ])('is refused as %s with %j', async (type, body) => {
    expect((await ask(type, body)).status).toBe(400);
  });
});

describe('a pass that runs', () => {
  it('is told to wait and to go on, and says so at once', async () => {
    const id = await asked('consolidation');
    const workflow_id = `pass/default/consolidation/${id}`;
    await rows('DELETE FROM outbox');
    const paused = await tell(id, 'pause');
    expect([paused.status, paused.body.paused]).toEqual([202, true]);
    clock.advance(MINUTE);
    expect((await tell(id, 'resume')).body.paused).toBe(false);
    const said = await outbox();
    expect(said.map(({ action, arguments: { signal } }) => [action, signal])).toEqual([
      ['signal_pass', 'pause'],
      ['signal_pass', 'resume'],
    ]);
    const [first, second] = said.map((item) => Number(item.arguments.at));
    expect(Number(second) - Number(first)).toBe(MINUTE);
    expect(said.every((item) => item.workflow_id === workflow_id)).toBe(true);
    const { items } = (await api.call('GET', `/v1/audit?target=${id}`)).body;
    expect(items.map((row: { action: string }) => row.action)).toEqual([
      'run.resumed',
      'run.paused',
      'run.asked',
    ]);
  });

  it('is cancelled by Temporal, and its row waits for that', async () => {
    const id = await asked('consolidation');
    await state(id, 'running');
    await rows('DELETE FROM outbox');
    expect((await tell(id, 'cancel')).status).toBe(202);
    expect(await outbox()).toMatchObject([{ action: 'cancel_pass' }]);
    expect((await run(id)).status).toBe('running');
  });

  it('is told nothing more once it has ended', async () => {
    const id = await asked('consolidation');
    for (const ended of ['completed', 'failed', 'cancelled']) {
      await state(id, ended);
      for (const order of ['pause', 'resume', 'cancel']) {
        const { status, body } = await tell(id, order);
        expect([ended, order, status, body.code]).toEqual([ended, order, 409, 'run_ended']);
      }
    }
  });

  it('is none where it is not there, or is a capture', async () => {
    await rows(
      `INSERT INTO runs (workspace_id, id, type, state, workflow_id, created_at)
       VALUES ('default', 'a-capture', 'capture', 'running', 'capture/default/e', now())`,
    );
    for (const order of ['pause', 'resume', 'cancel', 'undo']) {
      expect((await tell('nothing', order)).status).toBe(404);
      expect((await tell('a-capture', order)).body.code).toBe('not_a_pass');
    }
  });
});

describe('the list of runs', () => {
  it('has the units of a pass, and what ran over a scope', async () => {
    const id = await asked('consolidation');
    await rows(
      `INSERT INTO runs (workspace_id, id, type, scope_type, scope_id, state, workflow_id, created_at, parent_id, day)
       VALUES ('default', 'unit-1', 'consolidation', 'agent', 'scout', 'completed', 'w1', now(), $1, '2026-03-03'),
              ('default', 'unit-2', 'consolidation', 'team', 'a:b', 'failed', 'w2', now(), $1, '2026-03-03')`,
      [id],
    );
    const ids = async (query: string) =>
      (await api.call('GET', `/v1/runs?${query}`)).body.items.map((one: { id: string }) => one.id);
    expect((await ids(`parent_id=${id}`)).sort()).toEqual(['unit-1', 'unit-2']);
    expect(await ids('scope=agent:scout')).toEqual(['unit-1']);
    expect(await ids('scope=team:a:b')).toEqual(['unit-2']);
    expect((await api.call('GET', '/v1/runs?scope=scout')).status).toBe(400);
    expect(await run('unit-1')).toMatchObject({ parent_id: id, day: '2026-03-03' });
  });

  it('shows passes to people, and no agent those of others', async () => {
    const id = await asked('consolidation');
    const as = (headers: Record<string, string>) =>
      api.call('GET', `/v1/runs/${id}`, { key: runtime, headers });
    expect((await as({ 'cairn-agent': 'scout' })).status).toBe(404);
    expect((await as({})).body).toMatchObject({ id, diff: [], drafts: [] });
  });
});
