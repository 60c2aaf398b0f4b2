import { startApi, type TestApi } from './support/api';
import { good, Talk } from './support/conversations';
import { type Fleet, makeFleet } from './support/fleet';

let api: TestApi;
let fleet: Fleet;
let talk: Talk;
beforeAll(async () => {
  api = await startApi();
  fleet = await makeFleet(api);
  talk = await new Talk(api, { id: 'private', agent: 'planner' }).start({ subject: 'ann' });
  await talk.say(['user', 'The safe is behind the clock.'], ['assistant', 'Noted.']);
});
afterAll(() => api.close());

const READS = ['', '/messages', '/messages/1', '/context'] as const;

const call = (
  method: 'GET' | 'PUT' | 'POST',
  path: string,
  key: string,
  headers = {},
  body?: unknown,
) => api.call(method, path, { key, headers, ...(body === undefined ? {} : { body }) });

const statuses = async (key: string, headers = {}, id = 'private') => {
  const answers = await Promise.all(
    READS.map((part) => call('GET', `/v1/conversations/${id}${part}`, key, headers)),
  );
  return answers.map(({ status }) => status);
};

const FOUND = [200, 200, 200, 200];
const NONE = [404, 404, 404, 404];

it('its agent reads it, by its own key and by a runtime that acts for it', async () => {
  expect(await statuses(fleet.planner)).toEqual(FOUND);
  expect(await statuses(fleet.runtime, { 'cairn-agent': 'planner' })).toEqual(FOUND);
});

it('for any other agent it is not there: a team mate, a child, one of another team', async () => {
  for (const key of [fleet.coder, fleet.child, fleet.outsider]) {
    expect(await statuses(key)).toEqual(NONE);
    expect((await call('GET', '/v1/conversations', key)).body.total).toBe(0);
  }
  expect(await statuses(fleet.runtime, { 'cairn-agent': 'coder' })).toEqual(NONE);
});

it('it answers others as one does that never was, and is not changed by them', async () => {
  const at = '2026-03-02T08:24:15Z';
  const messages = [{ role: 'user', content: 'Let me in.', at }];
  const tries = (id: string) =>
    Promise.all([
      call('POST', `/v1/conversations/${id}/messages`, fleet.coder, {}, { messages }),
      call('POST', `/v1/conversations/${id}/close`, fleet.coder),
      call('GET', `/v1/conversations/${id}/context`, fleet.coder),
    ]);
  const put = await call('PUT', talk.path, fleet.coder, {}, { subject: 'ben' });
  expect(put.status).toBe(404);
  const others = await tries('private');
  const never = await tries('never-was');
  expect(others.map(({ status, text }) => [status, text])).toEqual(
    never.map(({ status, text }) => [status, text]),
  );
  const { body } = await talk.call('GET', talk.path);
  expect(body).toMatchObject({ agent: 'planner', subject: 'ann', status: 'open', messages: 2 });
});

it('a runtime says for whom it asks', async () => {
  expect(await statuses(fleet.runtime)).toEqual([400, 400, 400, 400]);
  const put = await call('PUT', '/v1/conversations/new', fleet.runtime, {}, {});
  expect(put.status).toBe(400);
});

it('people see all of the workspace, a member those about their own subject', async () => {
  expect(await statuses(await api.keyOf('auditor'))).toEqual(FOUND);
  expect(await statuses(await api.keyOf('member', 'ann'))).toEqual(FOUND);
  await api.call('PUT', '/v1/people/cat', {
    body: { name: 'Cat', role: 'member', subject: 'cat' },
  });
  const cat = await api.keyFor({ kind: 'person', id: 'cat' });
  expect(await statuses(cat)).toEqual(NONE);
  await api.call('PUT', '/v1/people/nn', { body: { name: 'N', role: 'member', subject: null } });
  expect(await statuses(await api.keyFor({ kind: 'person', id: 'nn' }))).toEqual(NONE);
  // With the eyes of an agent a person sees what that agent sees.
  expect(await statuses(await api.keyOf('auditor'), { 'cairn-agent': 'coder' })).toEqual(NONE);
});

it('people read and close, and do not speak in it', async () => {
  const key = await api.keyOf('reviewer');
  const at = '2026-03-02T08:24:15Z';
  const body = { messages: [{ role: 'user', content: 'x', at }] };
  expect((await call('POST', '/v1/conversations/private/messages', key, {}, body)).status).toBe(
    403,
  );
  const other = await new Talk(api, { id: 'to-close', agent: 'planner' }).start();
  const closed = good(await call('POST', `${other.path}/close`, key));
  expect(closed.body.status).toBe('closed');
  expect((await call('POST', `${talk.path}/close`, await api.keyOf('auditor'))).status).toBe(403);
});

it('of memory that is off its agent reads nothing, and people all of it', async () => {
  const mode = async (memory_mode: 'off' | 'automatic') =>
    good(await api.call('PUT', '/v1/agents/planner', { body: { memory_mode } }));
  await mode('off');
  const list = await call('GET', '/v1/conversations/private/messages', fleet.planner);
  expect(list.body).toEqual({ items: [], next_cursor: null, total: 0 });
  expect((await call('GET', '/v1/conversations/private/messages/1', fleet.planner)).status).toBe(
    404,
  );
  expect(await statuses(await api.keyOf('auditor'))).toEqual(FOUND);
  await mode('automatic');
  expect(await statuses(fleet.planner)).toEqual(FOUND);
});

it('a conversation about nothing in particular is started without a body', async () => {
  const made = await call('PUT', '/v1/conversations/bare', fleet.planner);
  expect([made.status, made.body.subject, made.body.project]).toEqual([201, null, null]);
});

it('a restricted agent, and one that a person stopped, adds nothing', async () => {
  const own = await new Talk(api, { id: 'childs', agent: 'child' }).start();
  good(await api.call('PUT', '/v1/agents/child', { body: { writes_stopped: true } }));
  const by = new Talk(api, { id: 'childs', agent: 'child', key: fleet.child });
  const stopped = await by.send([{ role: 'user', content: 'x' }]);
  expect([stopped.status, stopped.body.code]).toEqual([403, 'stopped']);
  good(await api.call('PUT', '/v1/agents/child', { body: { writes_stopped: false } }));
  good(await api.call('PUT', '/v1/agents/child', { body: { restricted: true } }));
  expect((await by.send([{ role: 'user', content: 'x' }])).status).toBe(403);
  expect((await by.call('GET', by.path)).body).toMatchObject({ id: own.who.id, messages: 0 });
});
