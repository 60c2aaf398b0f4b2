import { type Answer, startApi, type TestApi } from './support/api';
import { type Fleet, makeFleet } from './support/fleet';
import { Insights, OVERTIME } from './support/insights';
import { PLANTED } from './support/quarantine';
import { email, githubToken } from './support/secret-strings';
import { setPolicy } from './support/upkeep';

let api: TestApi;
let fleet: Fleet;
let people: Insights;
let planner: Insights;
beforeAll(async () => {
  api = await startApi();
  fleet = await makeFleet(api);
  people = new Insights(api);
  planner = people.as(fleet.planner);
  await api.call('PUT', '/v1/agents/child', {
    body: { parent_agent: 'planner', restricted: true },
  });
});
afterAll(() => api.close());

const team = { scope: { type: 'team', id: 'red' } };
const told = ({ status, body }: Answer) => [status, body?.code ?? null];

describe('saving', () => {
  it('is an agent’s in its own scope, and a reviewer’s or an owner’s in a wider one', async () => {
    expect((await planner.saved()).scope).toEqual({ type: 'agent', id: 'planner' });
    expect(told(await planner.post('', { ...OVERTIME, ...team }))).toEqual([403, 'not_allowed']);
    const foreign = { ...OVERTIME, scope: { type: 'agent', id: 'coder' } };
    expect(told(await planner.post('', foreign))).toEqual([403, 'not_allowed']);
    const reviewer = people.as(await api.keyOf('reviewer'));
    const saved = await reviewer.saved(team);
    expect(saved).toMatchObject({ ...team, owner: { kind: 'person', id: 'the-reviewer' } });
    const operator = people.as(await api.keyOf('operator'));
    expect(told(await operator.post('', { ...OVERTIME, ...team }))).toEqual([403, 'not_allowed']);
  });

  it('asks a person whose it is, and a runtime for whom it speaks', async () => {
    expect(told(await people.post('', OVERTIME))).toEqual([400, 'invalid']);
    expect(told(await people.as(fleet.runtime).post('', OVERTIME))).toEqual([400, 'invalid']);
    const saved = await people.as(fleet.runtime).for('coder').saved();
    expect(saved.owner).toEqual({ kind: 'agent', id: 'coder' });
  });

  it('is for no auditor and no member', async () => {
    for (const role of ['auditor', 'member'] as const) {
      const key = await api.keyOf(role, 'somebody');
      expect([role, (await people.as(key).post('', OVERTIME)).status]).toEqual([role, 403]);
    }
  });

  it('names no source that the writer does not see', async () => {
    const { card_id } = await people.as(fleet.outsider).saved();
    const refused = await planner.post('', { ...OVERTIME, sources: [card_id] });
    const nowhere = await planner.post('', { ...OVERTIME, sources: ['card_nowhere'] });
    expect([refused.status, refused.text]).toEqual([400, nowhere.text]);
  });

  it('keeps no secret, in whatever field it stands', async () => {
    const text = `Call ${email()} with ${githubToken()}`;
    const insight = await planner.saved({
      ...{ title: text, finding: text, actions: [{ text }] },
      metadata: { note: text },
    });
    const rows = await api.database.inWorkspace('default', (tx) =>
      tx.query<{ row: string }>(
        `SELECT i::text || a::text || c::text AS row FROM insights i
           JOIN insight_actions a ON a.insight_id = i.id JOIN cards c ON c.id = i.card_id WHERE i.id = $1`,
        [insight.id],
      ),
    );
    for (const secret of [email(), githubToken()]) {
      expect(JSON.stringify([insight, rows])).not.toContain(secret);
    }
    for (const [body, pointer] of [
      [{ domain: email() }, '/domain'],
      [{ metrics: [{ name: githubToken(), value: 1 }] }, '/metrics/0/name'],
    ] as const) {
      const refused = await planner.post('', { ...OVERTIME, ...body });
      expect([refused.status, refused.body.pointer]).toEqual([422, pointer]);
    }
  });
});

describe('a restricted agent’s insight', () => {
  it('waits for its parent, and is the parent’s then, with a score of its own', async () => {
    const child = people.as(fleet.child);
    const held = await child.post('', { ...OVERTIME, title: 'Vanilla overtime' });
    expect(held).toMatchObject({ status: 202, body: { pending_write_id: expect.any(String) } });
    expect(held.headers.get('location')).toBe(`/v1/pending-writes/${held.body.pending_write_id}`);
    expect((await people.listed('?q=vanilla')).length).toBe(0);
    const path = `/v1/pending-writes/${held.body.pending_write_id}`;
    const waiting = await api.call('GET', path, { key: fleet.planner });
    expect(waiting.body).toMatchObject({
      ...{ type: 'insight', status: 'waiting', agent: 'child', parent: 'planner' },
      write: { kind: 'insight', insight: { origin: 'automated_run', severity: 'high' } },
    });
    const before = await planner.listed();
    const accepted = await api.call('POST', path, { key: fleet.planner, body: { accept: true } });
    expect(accepted).toMatchObject({ status: 200, body: { status: 'accepted', write: null } });
    const [made] = (await planner.listed()).filter(({ id }) =>
      before.every((one) => one.id !== id),
    );
    expect(made).toMatchObject({
      card_id: accepted.body.card_id,
      scope: { type: 'agent', id: 'planner' },
      owner: { kind: 'agent', id: 'planner' },
      urgency: { severity: 23 },
      baseline: [{ name: 'overtime_hours', value: 41 }],
    });
    const { body: card } = await api.call('GET', `/v1/cards/${made?.card_id}`);
    expect(card.provenance.writer).toEqual({ kind: 'agent', id: 'child' });
  });

  it('is nothing where it is rejected, and refused as the insight would be', async () => {
    const child = people.as(fleet.child);
    const { body } = await child.post('', { ...OVERTIME, title: 'Nobody wants this' });
    const path = `/v1/pending-writes/${body.pending_write_id}`;
    await api.call('POST', path, { key: fleet.planner, body: { accept: false } });
    const titles = (await people.listed('?limit=500')).map(({ title }) => title);
    expect(titles).not.toContain('Nobody wants this');
    expect((await child.post('', { ...OVERTIME, colour: 'red' })).status).toBe(400);
    expect((await child.post('', { ...OVERTIME, sources: ['card_nowhere'] })).status).toBe(400);
  });

  it('is neither taken nor followed up by it', async () => {
    const insight = await planner.saved();
    const path = `/${insight.id}/actions/${insight.actions[0]?.id}/taken`;
    expect((await people.as(fleet.child).post(path)).status).toBe(403);
  });
});

describe('where memory is off, or writes are stopped', () => {
  it('nothing is saved', async () => {
    await api.call('PUT', '/v1/agents/coder', { body: { memory_mode: 'off' } });
    expect(told(await people.as(fleet.coder).post('', OVERTIME))).toEqual([403, 'memory_off']);
    await api.call('PUT', '/v1/agents/coder', { body: { memory_mode: 'automatic' } });
    await api.call('PUT', '/v1/agents/coder', { body: { writes_stopped: true } });
    expect(told(await people.as(fleet.coder).post('', OVERTIME))).toEqual([403, 'stopped']);
    await api.call('PUT', '/v1/agents/coder', { body: { writes_stopped: false } });
  });

  it('what reads like an instruction is held back with its actions, and announced to nobody', async () => {
    await setPolicy(
      { api },
      {
        capture: { instruction_like: 'quarantine' },
        insights: { urgent_above: 0 },
        webhooks: { allow_private: true },
      },
    );
    const hook = { url: 'http://127.0.0.1:9/', events: ['insight.urgent'] };
    expect((await api.call('PUT', '/v1/webhooks/w', { body: hook })).status).toBe(201);
    const actions = [{ text: PLANTED }];
    const answer = await planner.post('', { ...OVERTIME, actions });
    expect(answer).toMatchObject({ status: 201, body: { reason: 'instruction_like' } });
    expect((await planner.get(`/${answer.body.id}`)).status).toBe(404);
    expect((await people.get(`/${answer.body.id}`)).status).toBe(200);
    const { body } = await api.call('GET', '/v1/webhooks/w/deliveries');
    expect(body.total).toBe(0);
    await setPolicy(
      { api },
      { capture: { instruction_like: 'flag' }, insights: { urgent_above: 70 } },
    );
  });
});

describe('next door', () => {
  it('nothing of it is there', async () => {
    const insight = await planner.saved();
    const made = await api.call('POST', '/v1/workspaces', { body: { id: 'next', name: 'Next' } });
    const next = people.as(made.body.owner_key);
    const action = `/${insight.id}/actions/${insight.actions[0]?.id}`;
    expect((await next.get(`/${insight.id}`)).status).toBe(404);
    expect((await next.post(`${action}/taken`)).status).toBe(404);
    expect(await next.listed()).toEqual([]);
    const options = { key: made.body.owner_key };
    expect((await api.call('GET', '/v1/actions', options)).body.total).toBe(0);
    expect((await api.call('GET', '/v1/metrics', options)).body.total).toBe(0);
    const block = `/v1/actions/${insight.actions[0]?.hash}/block`;
    expect((await api.call('PUT', block, { ...options, body: {} })).status).toBe(404);
  });
});
