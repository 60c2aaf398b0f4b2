import { startApi, type TestApi } from './support/api';
import { type Fleet, makeFleet, writeCard } from './support/fleet';

let api: TestApi;
let fleet: Fleet;
beforeAll(async () => {
  api = await startApi();
  fleet = await makeFleet(api);
});
afterAll(() => api.close());

const edit = (id: string, version: number, key: string, body: unknown) =>
  api.call('PATCH', `/v1/cards/${id}`, { key, body, headers: { 'if-match': `"${version}"` } });

describe('a member', () => {
  it('sees, corrects, judges, deletes and restores what is about their own subject', async () => {
    await api.call('PUT', '/v1/subjects/ada', { body: { name: 'Ada' } });
    const key = await api.keyOf('member', 'ada');
    const mine = await writeCard(
      api,
      { summary: 'Prefers the morning.', subject: 'ada' },
      { key: fleet.planner },
    );
    const other = await writeCard(
      api,
      { summary: 'Prefers the evening.', subject: 'grace' },
      { key: fleet.planner },
    );
    const listed = await api.call('GET', '/v1/cards', { key });
    expect(listed.body.items.map((card: { id: string }) => card.id)).toEqual([mine.id]);
    expect((await api.call('GET', `/v1/cards/${other.id}`, { key })).status).toBe(404);
    expect((await edit(other.id, 1, key, { topic: 'x' })).status).toBe(404);
    const corrected = await edit(mine.id, 1, key, { summary: 'Prefers the afternoon.' });
    expect(corrected.body).toMatchObject({ version: 2, trust: 'agent' });
    expect((await edit(mine.id, 2, key, { subject: 'grace' })).status).toBe(403);
    const judged = await api.call('POST', `/v1/cards/${mine.id}/validation`, {
      key,
      body: { verdict: 'success' },
    });
    expect(judged.body.status).toBe('validated');
    expect((await api.call('DELETE', `/v1/cards/${mine.id}`, { key })).status).toBe(204);
    expect((await api.call('POST', `/v1/cards/${mine.id}/restore`, { key })).status).toBe(200);
    await api.call('DELETE', `/v1/cards/${other.id}`);
    expect((await api.call('POST', `/v1/cards/${other.id}/restore`, { key })).status).toBe(404);
    expect((await api.call('POST', '/v1/cards', { key, body: { summary: 'x' } })).status).toBe(403);
    expect((await api.call('GET', `/v1/cards/${mine.id}/readers`, { key })).status).toBe(403);
  });
});

describe('an agent', () => {
  it('reads the cards of its team and changes none of them', async () => {
    const team = await writeCard(api, {
      summary: 'Deploy on Tuesdays.',
      scope: { type: 'team', id: 'red' },
    });
    expect((await api.call('GET', `/v1/cards/${team.id}`, { key: fleet.coder })).status).toBe(200);
    expect((await edit(team.id, 1, fleet.coder, { topic: 'x' })).status).toBe(403);
    expect((await api.call('DELETE', `/v1/cards/${team.id}`, { key: fleet.coder })).status).toBe(
      403,
    );
    const shared = await api.call('PUT', `/v1/cards/${team.id}/grants/planner`, {
      key: fleet.coder,
    });
    expect(shared.status).toBe(403);
  });

  it('that is restricted reads and changes nothing, through whichever key', async () => {
    const card = await writeCard(api, {
      summary: 'Read only.',
      scope: { type: 'agent', id: 'child' },
    });
    await api.call('PUT', '/v1/agents/child', { body: { restricted: true } });
    expect((await api.call('GET', `/v1/cards/${card.id}`, { key: fleet.child })).status).toBe(200);
    expect((await edit(card.id, 1, fleet.child, { topic: 'x' })).status).toBe(403);
    const harness = { 'cairn-agent': 'child', 'if-match': '"1"' };
    const through = await api.call('PATCH', `/v1/cards/${card.id}`, {
      key: fleet.runtime,
      body: { topic: 'x' },
      headers: harness,
    });
    expect(through.status).toBe(403);
    const note = await api.call('PUT', '/v1/notes/x', { key: fleet.child, body: { value: 'x' } });
    // What it would add waits for its parent.
    expect([note.status, Object.keys(note.body)]).toEqual([202, ['pending_write_id']]);
    await api.call('PUT', '/v1/agents/child', { body: { restricted: false } });
  });
});

describe('a runtime', () => {
  it('reads and changes as the agent that it names, and names one', async () => {
    const { id } = await writeCard(api, { summary: 'Of coder.' }, { key: fleet.coder });
    const as = (agent: string) => ({ key: fleet.runtime, headers: { 'cairn-agent': agent } });
    expect((await api.call('GET', `/v1/cards/${id}`, as('coder'))).status).toBe(200);
    expect((await api.call('GET', `/v1/cards/${id}`, as('planner'))).status).toBe(404);
    for (const path of ['/v1/cards', `/v1/cards/${id}`, '/v1/graph', '/v1/notes']) {
      expect((await api.call('GET', path, { key: fleet.runtime })).status).toBe(400);
    }
    const judged = await api.call('POST', `/v1/cards/${id}/validation`, {
      ...as('coder'),
      body: { verdict: 'success' },
    });
    expect(judged.body).toMatchObject({ confidence: 0.6, status: 'pending' });
  });
});

describe('a person who names an agent', () => {
  it('sees exactly what that agent sees', async () => {
    const { id } = await writeCard(api, { summary: 'Only planner.' }, { key: fleet.planner });
    const seenAs = async (agent: string, path = '') =>
      (await api.call('GET', `/v1/cards/${id}${path}`, { headers: { 'cairn-agent': agent } }))
        .status;
    expect([await seenAs('planner'), await seenAs('coder')]).toEqual([200, 404]);
    await api.call('PUT', `/v1/cards/${id}/grants/coder`);
    const history = await api.call('GET', `/v1/cards/${id}/history`, {
      headers: { 'cairn-agent': 'coder' },
    });
    expect(history.status).toBe(200);
  });
});

describe('household cards', () => {
  it('are seen by agents that act for somebody of the household, and only then', async () => {
    await api.call('PUT', '/v1/subjects/parent', { body: { household: 'h1' } });
    await api.call('PUT', '/v1/subjects/kid', { body: { household: 'h1' } });
    await api.call('PUT', '/v1/people/pat', {
      body: { name: 'Pat', role: 'member', subject: 'parent' },
    });
    const card = await writeCard(api, {
      summary: 'Allergic to nuts.',
      subject: 'kid',
      visibility: 'household',
      scope: { type: 'agent', id: 'planner' },
    });
    const read = (headers: Record<string, string>) =>
      api.call('GET', `/v1/cards/${card.id}`, {
        key: fleet.runtime,
        headers: { 'cairn-agent': 'outsider', ...headers },
      });
    expect((await read({})).status).toBe(404);
    const acting = { 'cairn-person': 'pat', 'cairn-execution-mode': 'interactive' };
    expect((await read(acting)).status).toBe(200);
    await edit(card.id, 1, api.ownerKey, { visibility: 'private' });
    expect((await read(acting)).status).toBe(404);
  });
});
