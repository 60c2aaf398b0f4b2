import { MockActivityEnvironment } from '@temporalio/testing';
import { createSweepActivities } from '../src/activities/sweep';
import { startApi, type TestApi } from './support/api';
import { DAY, HOUR, LANE_START, TestClock } from './support/filing';
import { SessionLane } from './support/sessions';
import { createSwitchableEmbedder } from './support/switchable-embedder';

let api: TestApi;
let lane: SessionLane;
const clock = new TestClock(LANE_START);
beforeAll(async () => {
  api = await startApi({ clock: () => clock.now() });
  lane = new SessionLane(api, () => clock.now());
  await lane.spawn({ grand: null, lead: 'grand', helper: 'lead', stranger: null });
});
afterAll(() => api.close());

/** `lead`'s session, with something of its sub-agent's on the board. */
async function opened(session: string): Promise<void> {
  await lane.event('lead', session);
  expect((await lane.put('helper', session, 'found', [1, 2])).status).toBe(201);
}

async function expectGone(session: string): Promise<void> {
  expect(await lane.stored(session)).toEqual([]);
  for (const agent of ['lead', 'helper', null]) {
    expect((await lane.get(agent, session, 'found')).status).toBe(404);
    expect((await lane.list(agent, session)).status).toBe(404);
    const { status, body } = await lane.put(agent, session, 'more', 1);
    expect([status, body.code]).toEqual([409, 'session_ended']);
  }
  const { body } = await lane.as('helper', 'GET', session);
  expect(body).toMatchObject({ id: session, root_agent: 'lead', status: 'ended', keys: 0 });
}

test.each([
  ['its root', 'lead'],
  ['an agent above that', 'grand'],
  ['a person', null],
])('%s may end it, and again changes nothing', async (_, who) => {
  const session = `asked-by-${who}`;
  await opened(session);
  const first = await lane.end(who, session);
  expect([first.status, first.body.status]).toEqual([200, 'ended']);
  clock.advance(HOUR);
  expect((await lane.end(who, session)).body.ended_at).toBe(first.body.ended_at);
  await expectGone(session);
  const { body } = await api.call('GET', '/v1/audit?action=session.ended');
  const rows = body.items.filter(({ target }: { target: { id: string } }) => target.id === session);
  expect(rows).toHaveLength(1);
});

test('a runtime may end it for them, and neither a sub-agent nor a stranger may', async () => {
  await opened('asked-by-runtime');
  const key = await api.keyFor({ kind: 'runtime', id: 'desk' });
  expect((await lane.end('helper', 'asked-by-runtime', { key })).status).toBe(403);
  expect((await lane.end('stranger', 'asked-by-runtime', { key })).status).toBe(404);
  expect((await lane.get('helper', 'asked-by-runtime', 'found')).status).toBe(200);
  expect((await lane.end(null, 'asked-by-runtime', { key })).status).toBe(200);
  await expectGone('asked-by-runtime');
});

test.each([
  ['a final event of its root', 'lead', { final: true }],
  [
    'a delegation that says so',
    'lead',
    { kind: 'delegation', task: 'send', text: 'Handed over.', final: true },
  ],
  ['a final event that failed', 'lead', { final: true, outcome: 'failed' }],
])('%s ends it', async (name, agent, event) => {
  const session = name.replaceAll(' ', '-');
  await opened(session);
  await lane.event(agent, session, event);
  await expectGone(session);
});

test('a delegation that came back does not: its delegator goes on', async () => {
  await opened('hands-over');
  const back = { kind: 'delegation', task: 'send', text: 'Handed over.' };
  await lane.event('lead', 'hands-over', back);
  await lane.event('lead', 'hands-over', { ...back, task: 'send-more' });
  expect((await lane.get('lead', 'hands-over', 'found')).body.value).toEqual([1, 2]);
});

test('a final event of a sub-agent does not, nor one of another session', async () => {
  await opened('goes-on');
  await lane.event('helper', 'goes-on', { final: true });
  await lane.event('stranger', 'goes-on', { final: true });
  await lane.event('lead', 'elsewhere', { final: true });
  expect((await lane.get('lead', 'goes-on', 'found')).body.value).toEqual([1, 2]);
});

test('a final event of an agent whose memory is off ends it too, and leaves nothing else', async () => {
  await opened('off-at-last');
  await lane.done('PUT', '/v1/agents/lead', { body: { memory_mode: 'off' } });
  await lane.event('lead', 'off-at-last', { final: true });
  await lane.done('PUT', '/v1/agents/lead', { body: { memory_mode: 'automatic' } });
  await expectGone('off-at-last');
});

test('a sub-agent that settled first has ended nothing for its parent', async () => {
  await lane.event('helper', 'child-first', { final: true });
  expect((await lane.put('helper', 'child-first', 'found', 1)).status).toBe(409);
  expect((await lane.put('lead', 'child-first', 'plan', 1)).status).toBe(201);
  expect((await lane.get('helper', 'child-first', 'plan')).body.value).toBe(1);
  expect((await lane.as('lead', 'GET', 'child-first')).body.root_agent).toBe('lead');
  // What was ended on purpose stays so, whoever comes.
  await lane.event('helper', 'child-alone');
  await lane.end('helper', 'child-alone');
  expect((await lane.put('lead', 'child-alone', 'plan', 1)).status).toBe(409);
});

test('one batch tells the same story as events one by one', async () => {
  const event = (id: string, agent: string, more: object = {}) => ({
    event_id: id,
    ...{ kind: 'observation', agent, session: 'in-one', outcome: 'worked', text: id },
    occurred_at: clock.now().toISOString(),
    ...more,
  });
  const events = [event('b-1', 'helper'), event('b-2', 'lead'), event('b-3', 'grand')];
  await lane.done('POST', '/v1/events', { body: { events } });
  expect((await lane.as('helper', 'GET', 'in-one')).body.root_agent).toBe('grand');
  await lane.put('helper', 'in-one', 'found', 1);
  const last = [event('b-4', 'lead', { final: true }), event('b-5', 'grand', { final: true })];
  await lane.done('POST', '/v1/events', { body: { events: last } });
  expect(await lane.stored('in-one')).toEqual([]);
});

test('one that was left for a day is swept, and not one where work goes on', async () => {
  const { sweepWorkspaces } = createSweepActivities({
    database: api.database,
    clock: () => clock.now(),
    embedder: createSwitchableEmbedder(),
    hasModel: false,
  });
  const sweep = () => new MockActivityEnvironment().run(sweepWorkspaces, { after: '' });
  await opened('left');
  await opened('worked-in');
  clock.advance(DAY - HOUR);
  await lane.event('helper', 'worked-in');
  expect(await sweep()).toMatchObject({ failed: 0 });
  expect(await lane.stored('left')).toEqual(['found']);
  clock.advance(2 * HOUR);
  expect(await sweep()).toMatchObject({ failed: 0 });
  expect(await lane.stored('left')).toEqual([]);
  expect(await lane.stored('worked-in')).toEqual(['found']);
  // It was left, and not ended: who comes back begins anew.
  expect((await lane.put('helper', 'left', 'found', 3)).status).toBe(201);
});
