import type { StreamEvent } from '../src/client/changes';
import { CairnClient } from '../src/client/client';
import { startApi, type TestApi } from './support/api';
import { Browser } from './support/browser';
import { describeNative } from './support/database';
import { good } from './support/hostile-events';
import { Listening } from './support/listening';
import { until } from './support/webhook-receiver';

jest.setTimeout(180_000);

let api: TestApi;
let open: Listening[];
beforeEach(async () => {
  api = await startApi();
  open = [];
});
afterEach(async () => {
  for (const one of open) one.leave();
  await api.close();
});

/** Who listens, past the greeting. */
async function listen(headers: Record<string, string>) {
  const listening = await Listening.to(api, headers);
  open.push(listening);
  expect(listening.answer.status).toBe(200);
  const hello = await listening.next();
  expect([hello.event, hello.data]).toEqual(['hello', { seq: expect.any(Number) }]);
  return { listening, hello };
}
const withKey = (key: string) => ({ authorization: `Bearer ${key}` });
const withCookie = ({ cookie }: Browser) => ({ cookie: cookie ?? '' });
const putTeam = (id: string) => api.call('PUT', `/v1/teams/${id}`, { body: { name: id } });

it('is a stream of events that no cache and no proxy keeps', async () => {
  const { listening } = await listen(withKey(api.ownerKey));
  expect(Object.fromEntries(listening.answer.headers)).toMatchObject({
    'content-type': expect.stringMatching(/^text\/event-stream/),
    'cache-control': expect.stringContaining('no-store'),
    'x-accel-buffering': 'no',
  });
});

it('says what a person changed, by topic and id', async () => {
  const browser = await Browser.of(api);
  const { listening, hello } = await listen(withCookie(browser));
  await putTeam('moor');
  const scope = { type: 'workspace', id: 'default' };
  const card = await api.call('POST', '/v1/cards', { body: { summary: 'It rains.', scope } });
  const change = await listening.until('teams', 'cards', 'audit');
  expect(change.seq).toBeGreaterThan(hello.data.seq);
  expect(change.ids.teams).toEqual(['moor']);
  expect(change.ids.cards).toEqual([card.body.id]);
  expect(JSON.stringify(change)).not.toContain('rains');
});

it('says when work comes and when it is done, where the log says nothing', async () => {
  await api.call('PUT', '/v1/agents/scout', { body: {} });
  const { listening } = await listen(withKey(api.ownerKey));
  const { operation_id } = (await api.call('POST', '/v1/events', { body: good('seen') })).body
    .items[0];
  const came = await listening.until('events', 'runs');
  expect([came.ids.events, came.ids.runs]).toEqual([['seen'], [operation_id]]);
  // As its workflow does at its end.
  await api.database.inWorkspace('default', async (tx) => {
    await tx.query(
      `UPDATE captures SET disposition = 'failed', settled_at = now() WHERE event_id = 'seen'`,
    );
    await tx.query(`UPDATE runs SET state = 'failed', finished_at = now() WHERE id = $1`, [
      operation_id,
    ]);
  });
  const done = await listening.until('events', 'runs');
  expect([done.ids.events, done.ids.runs]).toEqual([['seen'], [operation_id]]);
});

it('tells nobody of what they may not read', async () => {
  const reviewer = await api.keyOf('reviewer');
  const { listening } = await listen(withKey(reviewer));
  await api.keyFor({ kind: 'runtime', id: 'ci' });
  await putTeam('moor');
  const change = await listening.until('teams');
  expect(change.topics).not.toEqual(expect.arrayContaining(['keys']));
  expect(change.topics).not.toEqual(expect.arrayContaining(['audit']));
});

it('tells nothing of another workspace', async () => {
  const made = await api.call('POST', '/v1/workspaces', { body: { id: 'other', name: 'Other' } });
  const { listening } = await listen(withKey(made.body.owner_key));
  await putTeam('moor');
  const headers = withKey(made.body.owner_key);
  await fetch(`${api.url}/v1/teams/fen`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{"name":"Fen"}',
  });
  expect((await listening.until('teams')).ids.teams).toEqual(['fen']);
});

it('is heard by the client, from its greeting to its end', async () => {
  const key = await api.keyOf('operator');
  const client = new CairnClient({ url: api.url, key });
  const heard: StreamEvent[] = [];
  for await (const event of client.changes()) {
    heard.push(event);
    if (heard.length === 1) await putTeam('moor');
    if (event.event !== 'change' || event.data.ids.teams === undefined) continue;
    await api.call('PUT', '/v1/people/the-operator', { body: { name: 'No more', role: 'member' } });
  }
  expect(heard[0]).toEqual({
    event: 'hello',
    id: expect.stringMatching(/^\d+$/),
    data: { seq: expect.any(Number) },
  });
  expect(
    heard.flatMap(({ event, data }) => (event === 'change' ? (data.ids.teams ?? []) : [])),
  ).toEqual(['moor']);
  const after = heard.at(-1)?.id ?? '';
  await putTeam('fen');
  for await (const { event, data } of api.owner.changes({ after })) {
    if (event !== 'change') continue;
    expect(data.ids.teams).toContain('fen');
    break;
  }
  const agent = new CairnClient({
    url: api.url,
    key: await api.keyFor({ kind: 'agent', id: 'a' }),
  });
  await expect(agent.changes().next()).rejects.toMatchObject({ status: 403, code: 'not_allowed' });
});

it('goes on from where a lost connection was', async () => {
  const { listening } = await listen(withKey(api.ownerKey));
  await putTeam('moor');
  await listening.until('teams');
  // Until everything of before is settled, so that nothing of it is told twice.
  await putTeam('heath');
  await listening.until('teams');
  await putTeam('mere');
  const { id } = await listening.next();
  listening.leave();
  await putTeam('fen');
  const again = await listen({ ...withKey(api.ownerKey), 'last-event-id': String(id) });
  const missed = await again.listening.until('teams', 'runs', 'events');
  expect(missed.ids.teams).toContain('fen');
  expect(missed.ids.runs).toBeUndefined();
});

it.each(['99999999', 'nonsense'])('after a place that cannot be (%s) all is told', async (from) => {
  const { listening } = await listen({ ...withKey(api.ownerKey), 'last-event-id': from });
  const { data } = await listening.next();
  expect(data.topics).toEqual(expect.arrayContaining(['cards', 'teams', 'policy', 'proposals']));
  expect(data.ids).toEqual({});
});

describe('ends', () => {
  it('when somebody signs out, and for nobody else', async () => {
    const [one, other] = [await Browser.of(api), await Browser.of(api)];
    const [leaving, staying] = [await listen(withCookie(one)), await listen(withCookie(other))];
    await one.call('DELETE', '/v1/session');
    await leaving.listening.end();
    await putTeam('moor');
    expect((await staying.listening.until('teams')).ids.teams).toEqual(['moor']);
  });

  it('when its key is revoked, whether it came with that or with a cookie', async () => {
    const key = await api.keyOf('operator');
    const browser = await Browser.of(api, key);
    const [byKey, byCookie] = [await listen(withKey(key)), await listen(withCookie(browser))];
    const { items } = (await api.call('GET', '/v1/keys')).body;
    const { id } = items.find(
      (one: { principal: { id: string } }) => one.principal.id === 'the-operator',
    );
    await api.call('DELETE', `/v1/keys/${id}`);
    await Promise.all([byKey.listening.end(), byCookie.listening.end()]);
  });

  it('when its person may not listen any more', async () => {
    const { listening } = await listen(withKey(await api.keyOf('auditor')));
    await api.call('PUT', '/v1/subjects/ann', { body: {} });
    const body = { name: 'The auditor', role: 'member', subject: 'ann' };
    expect((await api.call('PUT', '/v1/people/the-auditor', { body })).status).toBe(200);
    await listening.end();
  });

  it('when the server drains', async () => {
    const { listening } = await listen(withKey(api.ownerKey));
    const [rest] = await Promise.all([listening.end(), api.app.close()]);
    expect(rest.filter(({ event }) => event !== 'change')).toEqual([]);
  });
});

it('is counted apart from what its key has in hand, and not without bound', async () => {
  const { body } = await api.call('GET', '/v1/policy');
  const headers = { 'if-match': `"${body.version}"` };
  const limits = { key_requests_at_once: 1 };
  await api.call('PUT', '/v1/policy', { body: { limits }, headers });
  for (let made = 0; made < 20; made += 1) await listen(withKey(api.ownerKey));
  expect((await putTeam('moor')).status).toBe(201);
  const refused = await api.call('GET', '/v1/stream');
  expect([refused.status, refused.body.of]).toEqual([429, 'key_streams']);
  open[0]?.leave();
  await open[0]?.end();
  await until(async () => {
    const again = await Listening.to(api, withKey(api.ownerKey));
    open.push(again);
    return again.answer.status === 200;
  });
});

it('is for people who look after a workspace', async () => {
  for (const kind of ['agent', 'runtime'] as const) {
    const key = await api.keyFor({ kind, id: `a-${kind}` });
    expect((await api.call('GET', '/v1/stream', { key })).body.code).toBe('not_allowed');
  }
});

describeNative('a change that is committed late', () => {
  it('is told, though a later one was told before', async () => {
    const { listening } = await listen(withKey(api.ownerKey));
    let commit: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let numbered: () => void = () => undefined;
    const hasNumber = new Promise<void>((resolve) => {
      numbered = resolve;
    });
    const late = api.database.inWorkspace('default', async (tx) => {
      await tx.query(
        `INSERT INTO audit_log (workspace_id, at, actor_kind, actor_id, action, target_type, target_id, channel)
         VALUES ('default', now(), 'system', 'x', 'webhook.put', 'webhook', 'late', 'api')`,
      );
      numbered();
      await held;
    });
    await hasNumber;
    for (const id of ['moor', 'fen', 'heath']) {
      await putTeam(id);
      expect((await listening.until('teams')).ids.teams).toEqual([id]);
    }
    commit();
    await late;
    expect((await listening.until('webhooks')).ids.webhooks).toEqual(['late']);
  });
});
