import type { Insight } from '../src/contracts/insight';
import { type Answer, startApi, type TestApi } from './support/api';
import { DAY, LANE_START, TestClock } from './support/filing';
import { Insights } from './support/insights';

const clock = new TestClock(LANE_START);
let api: TestApi;
let people: Insights;
let scout: Insights;
let insight: Insight;
beforeAll(async () => {
  api = await startApi({ clock: clock.now });
  people = new Insights(api);
  scout = people.as(await api.keyFor({ kind: 'runtime', id: 'harness' })).for('scout');
});
afterAll(() => api.close());
beforeEach(async () => {
  clock.advance(DAY);
  insight = await scout.saved();
});

const rows = <Row>(sql: string) =>
  api.database.inWorkspace('default', (tx) => tx.query<Row>(sql, [insight.id]));
const pathOf = (at = 0) => `/${insight.id}/actions/${insight.actions[at]?.id}/taken`;
const take = (body: object = {}, as = scout, at = 0) => as.post(pathOf(at), body);
const later = (days: number) => new Date(clock.now().getTime() + days * DAY).toISOString();
const told = ({ status, body }: Answer) => [status, body?.code ?? null];
const starts = () =>
  rows<{ workflow_id: string; arguments: object }>(
    `SELECT workflow_id, arguments FROM outbox WHERE action = 'start_insight' AND arguments ->> 'insight_id' = $1`,
  );

it('and is followed up from then on: the row, its operation and the start of its workflow', async () => {
  const pokes = api.pokes();
  const taken = await take();
  const workflow_id = `insight/default/${insight.id}`;
  expect(taken).toMatchObject({
    status: 202,
    body: { operation_id: expect.stringMatching(/^op_/), measure_at: later(21), workflow_id },
  });
  expect(api.pokes()).toBeGreaterThan(pokes);
  const shown = await scout.shown(insight.id);
  expect(shown).toMatchObject({ operation_id: taken.body.operation_id, workflow_id });
  expect(shown.actions[0]).toMatchObject({
    ...{ status: 'taken', taken_at: clock.text(), measure_at: later(21), outcome: null },
    taken_by: { kind: 'agent', id: 'scout' },
  });
  expect(shown.actions[1]?.status).toBe('recommended');
  expect(await starts()).toMatchObject([
    { workflow_id, arguments: { insight_id: insight.id, operation_id: taken.body.operation_id } },
  ]);
  const operation = await api.call('GET', `/v1/operations/${taken.body.operation_id}`);
  expect(operation.body).toMatchObject({ type: 'insight', state: 'pending', workflow_id });
  const { body } = await api.call(
    'GET',
    `/v1/audit?target=${insight.id}&action=insight.action_taken`,
  );
  expect(body.items).toMatchObject([{ hashes: { action: insight.actions[0]?.id } }]);
});

it('told again it is the same, with its key or without; with another time or window it is refused', async () => {
  const at = new Date(clock.now().getTime() - 30 * DAY).toISOString();
  const first = await take({ at, window: 'P10D' });
  expect(first.body.measure_at).toBe(new Date(Date.parse(at) + 10 * DAY).toISOString());
  expect((await take({ at, window: 'P10D' })).body).toEqual(first.body);
  expect((await take()).body).toEqual(first.body);
  expect((await take({ window: 'P10D' })).body).toEqual(first.body);
  expect(told(await take({ at: clock.text() }))).toEqual([409, 'already_taken']);
  const longer = await take({ at, window: 'P20D' });
  expect(told(longer)).toEqual([409, 'already_taken']);
  expect(longer.body.detail).toContain('extend');
  expect(told(await take({ window: 'P20D' }))).toEqual([409, 'already_taken']);
  expect(await starts()).toHaveLength(1);
  const audited = await rows<{ n: number }>(
    `SELECT count(*) AS n FROM audit_log WHERE target_id = $1 AND action = 'insight.action_taken'`,
  );
  expect(audited).toEqual([{ n: 1 }]);
});

it('of two at once, one takes it', async () => {
  const ats = [1, 2, 3, 4].map((days) =>
    new Date(clock.now().getTime() - days * DAY).toISOString(),
  );
  const answers = await Promise.all(ats.map((at) => take({ at })));
  expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409]);
  expect(await starts()).toHaveLength(1);
});

it('two actions of one insight are followed up by one operation', async () => {
  const first = await take();
  const second = await take({}, scout, 1);
  expect(second.body.operation_id).toBe(first.body.operation_id);
  expect(await starts()).toHaveLength(2);
});

it('not in the future, not for no time, and not of another insight', async () => {
  expect(told(await take({ at: later(1) }))).toEqual([400, 'invalid']);
  expect(told(await take({ window: 'PT0S' }))).toEqual([400, 'invalid']);
  expect(told(await take({ window: 'P367D' }))).toEqual([400, 'invalid']);
  expect(told(await take({ colour: 'red' }))).toEqual([400, 'invalid']);
  const other = await scout.saved();
  const mixed = `/${other.id}/actions/${insight.actions[0]?.id}/taken`;
  expect(told(await scout.post(mixed))).toEqual([404, 'not_found']);
  expect(await starts()).toEqual([]);
});

it('with a window from a second on', async () => {
  const taken = await take({ window: 'PT1S' });
  expect([taken.status, taken.body.measure_at]).toEqual([202, later(1 / 86_400)]);
});

it('by its own agent, a runtime for it, and people who edit; by nobody else', async () => {
  await api.call('PUT', '/v1/agents/mate', { body: {} });
  await api.call('PUT', `/v1/cards/${insight.card_id}/grants/mate`, { body: {} });
  const mate = people.as(await api.keyFor({ kind: 'agent', id: 'mate' }));
  expect((await mate.get(`/${insight.id}`)).status).toBe(200);
  expect(told(await take({}, mate))).toEqual([403, 'not_allowed']);
  const stranger = people.as(await api.keyFor({ kind: 'agent', id: 'stranger' }));
  expect(told(await take({}, stranger))).toEqual([404, 'not_found']);
  const auditor = people.as(await api.keyOf('auditor'));
  expect(told(await take({}, auditor))).toEqual([403, 'not_allowed']);
  expect(await starts()).toEqual([]);
  const own = people.as(await api.keyFor({ kind: 'agent', id: 'scout' }));
  expect((await take({}, own)).status).toBe(202);
  const operator = people.as(await api.keyOf('operator'));
  expect((await take({}, operator, 1)).status).toBe(202);
  expect((await people.shown(insight.id)).actions[1]?.taken_by).toEqual({
    kind: 'person',
    id: 'the-operator',
  });
});
