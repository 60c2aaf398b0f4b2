import { ROUTE_RULES } from '../src/api/roles';
import { type Method, startApi, type TestApi } from './support/api';
import { accessLog, type Fleet, makeFleet, writeCard } from './support/fleet';

let api: TestApi;
let fleet: Fleet;
beforeAll(async () => {
  api = await startApi();
  fleet = await makeFleet(api);
});
afterAll(() => api.close());

/** Every route that names a card, with a body that it would take; those of later issues are not there. */
const BODIES: Readonly<Record<string, unknown>> = {
  'PATCH /v1/cards/:id': { topic: 'x' },
  'POST /v1/cards/:id/restore': {},
  'POST /v1/cards/:id/validation': { verdict: 'success' },
  'POST /v1/cards/:id/quarantine': {},
  'POST /v1/cards/:id/release': {},
  'POST /v1/cards/:id/promotion': { scope: { type: 'team', id: 'red' } },
  'POST /v1/cards/:id/demotion': {},
};

const CARD_ROUTES = Object.keys(ROUTE_RULES).filter((route) => route.includes('/v1/cards/:id'));

function pathOf(route: string, id: string): [Method, string] {
  const [method, path] = route.split(' ') as [Method, string];
  return [method, path.replace(':id', id).replace(':agent', 'coder').replace(':group', 'crew')];
}

describe('a card that the caller may not see', () => {
  it.each(CARD_ROUTES)('is not there for %s', async (route) => {
    await api.call('PUT', '/v1/agent-groups/crew', { body: { members: ['coder'] } });
    const { id } = await writeCard(api, { summary: 'Private to planner.' }, { key: fleet.planner });
    const isForPeople = !ROUTE_RULES[route]?.who.some((hat) => hat === 'agent');
    const other = { key: fleet.outsider, body: BODIES[route], headers: { 'if-match': '"1"' } };
    const [method, path] = pathOf(route, id);
    const foreign = await api.call(method, path, other);
    // Who is let in nowhere on a route learns nothing of its cards either.
    expect(isForPeople ? [403, 404] : [404]).toContain(foreign.status);
    const [, unknown] = pathOf(route, 'card_never_was');
    const never = await api.call(method, unknown, other);
    expect(never.body).toEqual(foreign.body);
    const asPerson = await api.call(method, unknown, { ...other, key: api.ownerKey });
    expect(asPerson.status).toBe(404);
  });

  it('of another workspace is not there for its people either', async () => {
    const { id } = await writeCard(api, { summary: 'Of the default.' }, { key: fleet.planner });
    const made = await api.call('POST', '/v1/workspaces', { body: { id: 'other', name: 'Other' } });
    for (const route of CARD_ROUTES) {
      const [method, path] = pathOf(route, id);
      const answer = await api.call(method, path, {
        key: made.body.owner_key,
        body: BODIES[route],
        headers: { 'if-match': '"1"' },
      });
      expect([route, answer.status]).toEqual([route, 404]);
    }
    const list = await api.call('GET', '/v1/cards', { key: made.body.owner_key });
    expect(list.body).toMatchObject({ items: [], total: 0 });
  });

  it('is in no list, no graph and no note', async () => {
    const { id } = await writeCard(
      api,
      { summary: 'Walrus.', key: 'walrus' },
      { key: fleet.planner },
    );
    for (const path of ['/v1/cards?q=walrus', '/v1/cards', '/v1/graph', '/v1/notes']) {
      const answer = await api.call('GET', path, { key: fleet.outsider });
      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.text).not.toContain(id);
    }
    const center = await api.call('GET', `/v1/graph?center=${id}`, { key: fleet.outsider });
    expect(center.status).toBe(404);
    const note = await api.call('GET', '/v1/notes/walrus', { key: fleet.outsider });
    expect(note.status).toBe(404);
  });
});

describe('an edge', () => {
  it('with an end that is not seen is not shown, walked or counted', async () => {
    const hints = { service: 'flights', operation: 'book', workflow: 'travel', step: 'book' };
    const warning = await writeCard(
      api,
      {
        summary: 'Booked JFK to SFO. It failed: not paid.',
        kind: 'constraint',
        sign: 'failed',
        hints,
      },
      { key: fleet.planner },
    );
    const success = await writeCard(
      api,
      { summary: 'Booked JFK to SFO. It worked.', kind: 'experience', sign: 'worked', hints },
      { key: fleet.coder },
    );
    const seen = await api.call('GET', `/v1/cards/${success.id}/edges`);
    expect(seen.body.items).toMatchObject([{ from: success.id, to: warning.id }]);
    const hidden = await api.call('GET', `/v1/cards/${success.id}/edges`, { key: fleet.coder });
    expect(hidden.body).toMatchObject({ items: [], total: 0 });
    const graph = await api.call('GET', `/v1/graph?center=${success.id}&depth=2`, {
      key: fleet.coder,
    });
    expect(graph.body).toMatchObject({ nodes: [{ id: success.id }], edges: [], truncated: false });
    await api.call('PUT', `/v1/cards/${warning.id}/grants/coder`);
    const granted = await api.call('GET', `/v1/cards/${success.id}/edges`, { key: fleet.coder });
    expect(granted.body.total).toBe(1);
  });
});

describe('a read of what is not the reader’s own', () => {
  const lastOf = async (count: number) => (await accessLog(api)).slice(-count);

  it('writes one row for each distinct way, with all of its cards', async () => {
    const shared = await writeCard(api, { summary: 'Heron one.' }, { key: fleet.planner });
    const team = await writeCard(api, {
      summary: 'Heron two.',
      scope: { type: 'team', id: 'red' },
      visibility: 'organization',
    });
    await writeCard(api, { summary: 'Heron of my own.' }, { key: fleet.coder });
    await api.call('PUT', `/v1/cards/${shared.id}/grants/coder`);
    const before = (await accessLog(api)).length;
    const { body } = await api.call('GET', '/v1/cards?q=heron', { key: fleet.coder });
    expect(body.total).toBe(3);
    const rows = (await accessLog(api)).slice(before);
    const byWay = Object.fromEntries(rows.map((row) => [row.via, row.card_ids]));
    expect(rows).toHaveLength(3);
    expect(byWay).toEqual({
      explicit: [shared.id],
      team: [team.id],
      organization: [team.id],
    });
    expect(rows.every((row) => row.agent === 'coder' && row.surface === 'cards.list')).toBe(true);
  });

  it('writes none for own cards, and none where nothing was found', async () => {
    const { id } = await writeCard(api, { summary: 'Mine alone.' }, { key: fleet.child });
    const before = (await accessLog(api)).length;
    const mine = { key: fleet.child };
    for (const path of ['', '/history', '/edges', '/lineage']) {
      expect((await api.call('GET', `/v1/cards/${id}${path}`, mine)).status).toBe(200);
    }
    await api.call('GET', '/v1/cards?q=alone', mine);
    await api.call('GET', `/v1/graph?center=${id}`, mine);
    await api.call('GET', '/v1/cards/card_never_was', mine);
    expect((await accessLog(api)).length).toBe(before);
  });

  it('is logged on every surface', async () => {
    const { id } = await writeCard(api, { summary: 'Seen.', key: 'seen' }, { key: fleet.planner });
    const surfaces: [path: string, surface: string][] = [
      [`/v1/cards/${id}`, 'cards.get'],
      [`/v1/cards/${id}/history`, 'cards.history'],
      [`/v1/cards/${id}/edges`, 'cards.edges'],
      [`/v1/cards/${id}/lineage`, 'cards.lineage'],
      [`/v1/graph?center=${id}`, 'graph'],
      ['/v1/notes/seen', 'notes'],
    ];
    for (const [path, surface] of surfaces) {
      await api.call('GET', path);
      expect(await lastOf(1)).toEqual([
        { agent: null, person: 'owner', via: 'person', surface, card_ids: [id] },
      ]);
    }
    const child = await api.call('GET', `/v1/cards/${id}`, { key: fleet.child });
    expect(child.status).toBe(200);
    expect(await lastOf(1)).toMatchObject([{ agent: 'child', via: 'ancestor' }]);
  });
});

describe('who read it and who could', () => {
  it('names each agent that would see it, and why', async () => {
    const { id } = await writeCard(api, { summary: 'Who sees me?' }, { key: fleet.planner });
    await api.call('PUT', `/v1/cards/${id}/grants/outsider`);
    const { body } = await api.call('GET', `/v1/cards/${id}/visible-to`);
    expect(body.agents).toEqual([
      { agent: 'child', via: 'ancestor' },
      { agent: 'outsider', via: 'explicit' },
      { agent: 'planner', via: 'own' },
    ]);
    const asGrantee = await api.call('GET', `/v1/cards/${id}/visible-to`, { key: fleet.outsider });
    expect(asGrantee.status).toBe(403);
  });

  it('agrees with what each of them reads', async () => {
    const ids = ['planner', 'coder', 'outsider', 'child'] as const;
    const cards = [
      await writeCard(api, {
        summary: 'a',
        visibility: 'organization',
        scope: { type: 'agent', id: 'child' },
      }),
      await writeCard(api, { summary: 'b', scope: { type: 'team', id: 'blue' } }),
      await writeCard(api, { summary: 'c', scope: { type: 'workspace', id: 'default' } }),
      await writeCard(api, { summary: 'd' }, { key: fleet.planner }),
    ];
    for (const { id } of cards) {
      const { body } = await api.call('GET', `/v1/cards/${id}/visible-to`);
      const said = new Set(body.agents.map((one: { agent: string }) => one.agent));
      for (const agent of ids) {
        const { status } = await api.call('GET', `/v1/cards/${id}`, { key: fleet[agent] });
        expect([id, agent, said.has(agent)]).toEqual([id, agent, status === 200]);
      }
    }
  });

  it('lists every reader, own injections included', async () => {
    const { id } = await writeCard(
      api,
      { summary: 'The kiosk restarts at noon.' },
      { key: fleet.planner },
    );
    const recalled = await api.call('POST', '/v1/recall', {
      key: fleet.planner,
      body: { query: 'When does the kiosk restart?' },
    });
    await api.call('GET', `/v1/cards/${id}`, { key: fleet.child });
    const { body } = await api.call('GET', `/v1/cards/${id}/readers`);
    expect(body.total).toBe(2);
    expect(body.items).toEqual([
      expect.objectContaining({ agent: 'child', via: 'ancestor', surface: 'cards.get' }),
      expect.objectContaining({
        agent: 'planner',
        via: 'own',
        surface: 'recall',
        recall_id: recalled.body.recall_id,
      }),
    ]);
    const first = await api.call('GET', `/v1/cards/${id}/readers?limit=1`);
    const second = await api.call(
      'GET',
      `/v1/cards/${id}/readers?limit=1&cursor=${first.body.next_cursor}`,
    );
    expect([...first.body.items, ...second.body.items]).toEqual(body.items);
    expect(second.body.next_cursor).toBeNull();
  });
});
