import fc from 'fast-check';
import { startApi, type TestApi } from './support/api';
import { describeNative } from './support/database';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const put = (id: string, body: object, key?: string) =>
  api.call('PUT', `/v1/agents/${id}`, key === undefined ? { body } : { body, key });
const depthOf = async (id: string): Promise<number> =>
  (await api.call('GET', `/v1/agents/${id}`)).body.depth;

describe('the spawn tree', () => {
  it('has depths that follow when a branch moves', async () => {
    await put('top', {});
    await put('a', { parent_agent: 'top' });
    await put('b', { parent_agent: 'a' });
    await put('c', { parent_agent: 'b' });
    expect(await depthOf('c')).toBe(3);
    await put('a', { parent_agent: null });
    expect([await depthOf('a'), await depthOf('b'), await depthOf('c')]).toEqual([0, 1, 2]);
    await put('b', { parent_agent: 'top' });
    expect(await depthOf('c')).toBe(2);
  });

  it("takes a parent that was never seen, and a runtime's team", async () => {
    const key = await api.keyFor({ kind: 'runtime', id: 'crew' });
    const made = await put('late', { parent_agent: 'early', team: 'fresh' }, key);
    expect(made).toMatchObject({ status: 201, body: { depth: 1, team: 'fresh' } });
    expect((await api.call('GET', '/v1/agents/early')).body).toMatchObject({ depth: 0 });
    expect((await api.call('GET', '/v1/teams/fresh')).body).toMatchObject({ name: 'fresh' });
  });

  it('takes from a person no team that was never made, and leaves nothing behind', async () => {
    const refused = await put('lost', { team: 'nowhere' });
    expect(refused).toMatchObject({ status: 400, body: { pointer: '/team' } });
    expect(refused.body.detail).toContain('nowhere');
    for (const path of ['/v1/teams/nowhere', '/v1/agents/lost']) {
      expect((await api.call('GET', path)).status).toBe(404);
    }
    await api.call('PUT', '/v1/teams/nowhere', { body: { name: 'Nowhere' } });
    expect((await put('lost', { team: 'nowhere' })).status).toBe(201);
  });

  it('has no circle, whatever is tried in whatever order', async () => {
    const names = ['p0', 'p1', 'p2', 'p3', 'p4'];
    const move = fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names));
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 8 }), async (moves) => {
        for (const name of names) await put(name, { parent_agent: null });
        const parents = new Map<string, string>();
        for (const [child, parent] of moves) {
          const closes = chain(parents, parent).includes(child);
          const answer = await put(child, { parent_agent: parent });
          expect(answer.status).toBe(closes ? 400 : 200);
          if (!closes) parents.set(child, parent);
        }
        const { items } = (await api.call('GET', '/v1/agents?limit=500')).body;
        for (const agent of items) {
          if (!names.includes(agent.id)) continue;
          expect(agent.parent_agent).toBe(parents.get(agent.id) ?? null);
          expect(agent.depth).toBe(chain(parents, agent.id).length - 1);
        }
      }),
      { numRuns: 12 },
    );
  });
});

/** An agent and all above it. */
function chain(parents: ReadonlyMap<string, string>, start: string): string[] {
  const above = parents.get(start);
  return above === undefined ? [start] : [start, ...chain(parents, above)];
}

describeNative('two changes at the same moment', () => {
  it('close no circle together', async () => {
    for (let round = 0; round < 5; round += 1) {
      await put('x', { parent_agent: null });
      await put('y', { parent_agent: null });
      const answers = await Promise.all([
        put('x', { parent_agent: 'y' }),
        put('y', { parent_agent: 'x' }),
      ]);
      expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400]);
    }
  });
});

describe('a runtime', () => {
  it('registers an agent with its place, and narrows it', async () => {
    const key = await api.keyFor({ kind: 'runtime', id: 'crew' });
    const made = await put('child', { team: 'crew', parent_agent: 'boss', restricted: true }, key);
    expect(made).toMatchObject({ status: 201, body: { restricted: true, team: 'crew', depth: 1 } });
    const narrowed = await put('child', { memory_mode: 'off', writes_stopped: true }, key);
    expect(narrowed).toMatchObject({ status: 200, body: { memory_mode: 'off' } });
  });

  it.each([
    { team: 'other' },
    { parent_agent: null },
    { succeeds: 'boss' },
    { restricted: false },
    { writes_stopped: false },
    { memory_mode: 'automatic' },
  ])('does not widen or move one: %p', async (change) => {
    const key = await api.keyFor({ kind: 'runtime', id: 'crew' });
    const before = (await api.call('GET', '/v1/agents/child')).body;
    expect(await put('child', change, key)).toMatchObject({
      status: 403,
      body: { code: 'not_allowed' },
    });
    expect((await api.call('GET', '/v1/agents/child')).body).toEqual(before);
    await api.call('PUT', '/v1/teams/other', { body: { name: 'Other' } });
    expect((await put('child', change)).status).toBe(200);
    await put('child', before === null ? {} : { ...editable(before) });
  });
});

function editable({ id: _id, depth: _depth, created_at: _at, ...rest }: Record<string, unknown>) {
  return rest;
}

describe('succession', () => {
  it('is of another agent that is known', async () => {
    await put('old', {});
    expect((await put('new', { succeeds: 'old' })).body).toMatchObject({ succeeds: 'old' });
    expect((await put('new', { succeeds: 'new' })).status).toBe(400);
    expect((await put('new', { succeeds: 'never-was' })).status).toBe(400);
  });
});

describe('a stopped agent', () => {
  it('is refused at once, and taken again when it may go on', async () => {
    const key = await api.keyFor({ kind: 'agent', id: 'stopped' });
    const event = (id: string) => ({
      key,
      body: {
        event_id: id,
        kind: 'observation',
        agent: 'stopped',
        outcome: 'neutral',
        occurred_at: '2026-03-02T08:24:15Z',
        text: 'Something was seen.',
      },
    });
    await put('stopped', { writes_stopped: true });
    expect(await api.call('POST', '/v1/events', event('s1'))).toMatchObject({
      status: 403,
      body: { code: 'stopped' },
    });
    await put('stopped', { writes_stopped: false });
    expect((await api.call('POST', '/v1/events', event('s2'))).status).toBe(202);
  });
});

describe("an agent's key", () => {
  it('reads itself and no other', async () => {
    const key = await api.keyFor({ kind: 'agent', id: 'selfish' });
    expect((await api.call('GET', '/v1/agents/selfish', { key })).status).toBe(200);
    expect((await api.call('GET', '/v1/agents/top', { key })).status).toBe(404);
    const { body } = await api.call('GET', '/v1/agents', { key });
    expect(body).toMatchObject({ items: [{ id: 'selfish' }], total: 1 });
    expect((await put('selfish', { restricted: false }, key)).status).toBe(403);
  });
});
