import { startApi, type TestApi } from './support/api';
import { accessLog, type Fleet, makeFleet, writeCard } from './support/fleet';

let api: TestApi;
let fleet: Fleet;
let now = new Date('2026-03-02T08:00:00.000Z');
beforeAll(async () => {
  api = await startApi({ clock: () => now });
  fleet = await makeFleet(api);
});
afterAll(() => api.close());

const sees = async (key: string, id: string): Promise<boolean> =>
  (await api.call('GET', `/v1/cards/${id}`, { key })).status === 200;

const share = (id: string, agent: string, key = fleet.planner, body?: unknown) =>
  api.call('PUT', `/v1/cards/${id}/grants/${agent}`, {
    key,
    ...(body === undefined ? {} : { body }),
  });

const planned = (summary: string) => writeCard(api, { summary }, { key: fleet.planner });

describe('an explicit grant', () => {
  it('lets one agent in and, taken back, out at the very next read', async () => {
    const { id } = await planned('Shared for a while.');
    expect(await sees(fleet.coder, id)).toBe(false);
    const granted = await share(id, 'coder', fleet.planner, { purpose: 'pairing' });
    expect(granted.status).toBe(200);
    expect(granted.body).toEqual({
      type: 'explicit',
      agent: 'coder',
      group: null,
      purpose: 'pairing',
      expires_at: null,
      created_at: '2026-03-02T08:00:00.000Z',
    });
    expect(await sees(fleet.coder, id)).toBe(true);
    expect(await sees(fleet.outsider, id)).toBe(false);
    const recalled = () =>
      api.call('POST', '/v1/recall', { key: fleet.coder, body: { query: 'shared for a while' } });
    expect((await recalled()).body.cards.map((card: { id: string }) => card.id)).toEqual([id]);
    const path = `/v1/cards/${id}/grants/coder`;
    expect((await api.call('DELETE', path, { key: fleet.planner })).status).toBe(204);
    expect(await sees(fleet.coder, id)).toBe(false);
    expect((await recalled()).body.cards).toEqual([]);
    expect((await api.call('DELETE', path, { key: fleet.planner })).status).toBe(404);
  });

  it('ends by itself', async () => {
    const { id } = await planned('Until nine.');
    const until = '2026-03-02T09:00:00.000Z';
    expect((await share(id, 'coder', fleet.planner, { expires_at: until })).status).toBe(200);
    expect(await sees(fleet.coder, id)).toBe(true);
    const before = now;
    now = new Date('2026-03-02T09:00:00.001Z');
    expect(await sees(fleet.coder, id)).toBe(false);
    expect((await share(id, 'coder', fleet.planner, { expires_at: until })).status).toBe(400);
    now = before;
  });

  it('reaches within a team and a spawn tree, and further only by a person', async () => {
    const { id } = await planned('How far?');
    expect((await share(id, 'coder')).status).toBe(200);
    expect((await share(id, 'child')).status).toBe(200);
    expect((await share(id, 'outsider')).status).toBe(403);
    expect((await share(id, 'nobody-knows')).status).toBe(403);
    const harness = { key: fleet.runtime, headers: { 'cairn-agent': 'planner' } };
    const path = (agent: string) => `/v1/cards/${id}/grants/${agent}`;
    expect((await api.call('PUT', path('coder'), harness)).status).toBe(200);
    expect((await api.call('PUT', path('outsider'), harness)).status).toBe(403);
    expect((await share(id, 'outsider', api.ownerKey)).status).toBe(200);
    expect((await share(id, 'nobody-knows', api.ownerKey)).status).toBe(404);
    const up = await writeCard(api, { summary: 'From below.' }, { key: fleet.child });
    expect((await share(up.id, 'planner', fleet.child)).status).toBe(200);
  });

  it('is given by the owner and by people, not by whom it was given to', async () => {
    const { id } = await planned('Not yours to give.');
    await share(id, 'coder');
    expect((await share(id, 'outsider', fleet.coder)).status).toBe(403);
    const grants = (key: string) => api.call('GET', `/v1/cards/${id}/grants`, { key });
    expect((await grants(fleet.coder)).status).toBe(403);
    expect((await grants(fleet.planner)).body.total).toBe(1);
    const auditor = await api.keyOf('auditor');
    expect((await share(id, 'coder', auditor)).status).toBe(403);
    expect((await grants(auditor)).status).toBe(200);
  });

  it('is not given to the agent whose card it is, by whomever', async () => {
    const { id } = await planned('Mine already.');
    for (const key of [fleet.planner, api.ownerKey]) {
      const own = await share(id, 'planner', key);
      expect([own.status, own.body.detail]).toEqual([400, expect.stringContaining('its own')]);
    }
    const grants = await api.call('GET', `/v1/cards/${id}/grants`, { key: fleet.planner });
    expect(grants.body.items).toEqual([]);
    const teams = await writeCard(api, {
      summary: 'The team’s.',
      scope: { type: 'team', id: 'red' },
    });
    expect((await share(teams.id, 'planner', api.ownerKey)).status).toBe(200);
  });

  it('is logged when it is used and audited without a name', async () => {
    const { id } = await planned('Logged.');
    await share(id, 'coder');
    await sees(fleet.coder, id);
    expect((await accessLog(api)).at(-1)).toMatchObject({ agent: 'coder', via: 'explicit' });
    const rows = await api.database.inWorkspace('default', (tx) =>
      tx.query<{ action: string; row: string }>(
        'SELECT action, a::text AS row FROM audit_log a WHERE target_id = $1 ORDER BY seq',
        [id],
      ),
    );
    expect(rows.map((row) => row.action)).toEqual(['card.created', 'card.shared']);
    expect(rows[1]?.row).not.toContain('coder');
  });
});

describe('a grant to a group', () => {
  const group = (id: string, members: string[]) =>
    api.call('PUT', `/v1/agent-groups/${id}`, { body: { members } });

  it('reaches its members, those who join, and not those who left', async () => {
    await group('crew', ['coder']);
    const { id } = await planned('For the crew.');
    const path = `/v1/cards/${id}/group-grants/crew`;
    const given = await api.call('PUT', path, { key: fleet.planner });
    expect(given.body).toMatchObject({ type: 'agent_group', group: 'crew', agent: null });
    expect([await sees(fleet.coder, id), await sees(fleet.outsider, id)]).toEqual([true, false]);
    await group('crew', ['outsider']);
    expect([await sees(fleet.coder, id), await sees(fleet.outsider, id)]).toEqual([false, true]);
    // Now somebody of another team is in it, and an agent alone may no longer give it.
    expect((await api.call('PUT', path, { key: fleet.planner })).status).toBe(403);
    expect((await api.call('DELETE', path, { key: fleet.planner })).status).toBe(204);
    expect(await sees(fleet.outsider, id)).toBe(false);
    expect((await api.call('PUT', `/v1/cards/${id}/group-grants/none`)).status).toBe(404);
  });

  it('taken back leaves whoever sees the card by another group', async () => {
    await group('one', ['outsider']);
    await group('two', ['outsider', 'coder']);
    const { id } = await planned('For both groups.');
    const path = (name: string) => `/v1/cards/${id}/group-grants/${name}`;
    await api.call('PUT', path('one'));
    await api.call('PUT', path('two'));
    expect((await api.call('DELETE', path('two'))).status).toBe(204);
    expect([await sees(fleet.outsider, id), await sees(fleet.coder, id)]).toEqual([true, false]);
    expect((await api.call('DELETE', path('one'))).status).toBe(204);
    expect(await sees(fleet.outsider, id)).toBe(false);
  });
});

it('a purpose is redacted', async () => {
  const mail = ['ada', 'example.org'].join('@');
  const { id } = await planned('With a purpose.');
  const granted = await share(id, 'coder', fleet.planner, { purpose: `asked by ${mail}` });
  expect(granted.body.purpose).toMatch(/^asked by \[EMAIL_/);
});
