import type { Answer } from './support/api';
import { startApi, type TestApi } from './support/api';
import { good } from './support/hostile-events';
import { McpSession } from './support/mcp';
import { exportedLines, sendImport } from './support/transfers';

let api: TestApi;
let now: Date;
let agent: string;
let runtime: string;
beforeEach(async () => {
  now = new Date('2026-06-01T22:00:00Z');
  api = await startApi({ clock: () => now });
  agent = await api.keyFor({ kind: 'agent', id: 'keeper' });
  runtime = await api.keyFor({ kind: 'runtime', id: 'reporter' });
});
afterEach(() => api.close());

const setLimits = async (limits: Record<string, number | null>) => {
  const { body } = await api.call('GET', '/v1/policy');
  const headers = { 'if-match': `"${body.version}"` };
  expect((await api.call('PUT', '/v1/policy', { body: { limits }, headers })).status).toBe(200);
};
const post = (...ids: string[]) =>
  api.call('POST', '/v1/events', { key: runtime, body: { events: ids.map((id) => good(id)) } });
const card = (summary: string) => api.call('POST', '/v1/cards', { key: agent, body: { summary } });

function expectFull(answer: Answer, status: number, quota: string, limit: number): void {
  expect(answer).toMatchObject({
    status,
    body: { code: 'quota_exceeded', status, quota, limit },
  });
  expect(answer.body.used).toBeGreaterThanOrEqual(limit);
  expect(answer.body.detail).toContain(`limits.${quota}`);
  expect(answer.body.detail).toMatch(/owner or operator/);
}

it('nothing is bound unless somebody says so', async () => {
  const { body } = await api.call('GET', '/v1/policy');
  expect(body.limits).toMatchObject({
    ...{ events_per_day: null, cards: null, payload_bytes: null, open_conversations: null },
  });
});

it('events of a day: the next batch waits for midnight, and duplicates take nothing', async () => {
  await setLimits({ events_per_day: 3 });
  expect((await post('a', 'b')).status).toBe(202);
  expect((await post('a', 'b')).body.items[0].status).toBe('duplicate');
  expect((await post('c')).status).toBe(202);
  const full = await post('d');
  expectFull(full, 429, 'events_per_day', 3);
  expect(full.headers.get('retry-after')).toBe(String(2 * 60 * 60));
  now = new Date('2026-06-02T00:00:00Z');
  expect((await post('d')).status).toBe(202);
  expect((await api.call('GET', '/v1/events')).body.total).toBe(4);
});

it.each(['events_per_day', 'cards', 'payload_bytes'])(
  '%s: what was accepted is answered as a duplicate, however full it is',
  async (quota) => {
    expect((await post('a', 'b')).status).toBe(202);
    await card('The kiln takes an hour.');
    await setLimits({ [quota]: 1 });
    expect((await post('c')).body.code).toBe('quota_exceeded');
    expect((await post('a', 'c')).body.code).toBe('quota_exceeded');
    const again = await post('a', 'b');
    expect(again.status).toBe(202);
    expect(again.body.items.map(({ status }: { status: string }) => status)).toEqual([
      'duplicate',
      'duplicate',
    ]);
    expect((await api.call('GET', '/v1/events')).body.total).toBe(2);
  },
);

it('an import is refused by no quota, and what it brought is counted', async () => {
  await card('The kiln takes an hour.');
  const lines = await exportedLines(api);
  await setLimits({ cards: 1 });
  expect((await sendImport(api, lines)).status).toBe(202);
  expectFull(await card('The kiln is old.'), 403, 'cards', 1);
});

it('cards: none is added by any door, those that are there are changed and deleted', async () => {
  const first = await card('The kiln takes an hour.');
  expect(first.status).toBe(201);
  await api.call('PUT', '/v1/notes/shelf', { key: agent, body: { value: 'third' } });
  await setLimits({ cards: 2 });
  const adding: [string, () => Promise<Answer>][] = [
    ['card', () => card('The kiln is old.')],
    ['note', () => api.call('PUT', '/v1/notes/new', { key: agent, body: { value: 'x' } })],
    [
      'memory',
      () => api.call('POST', '/v1/memories', { key: agent, body: { text: 'Ada likes the kiln.' } }),
    ],
    [
      'skill',
      () =>
        api.call('POST', '/v1/skills', {
          key: agent,
          body: { name: 'fire', description: 'Fires.', body: 'Fire it.' },
        }),
    ],
    ['event', () => post('one-more')],
  ];
  for (const [name, add] of adding) {
    const answer = await add();
    expect([name, answer.status]).toEqual([name, 403]);
    expectFull(answer, 403, 'cards', 2);
  }
  const session = await McpSession.http(api, agent);
  const said = await session.call('add_memory', { text: 'The kiln is red.' });
  expect([said.isError, said.text]).toEqual([true, expect.stringContaining('403 quota_exceeded')]);
  await session.close();

  const changed = await api.call('PUT', '/v1/notes/shelf', {
    key: agent,
    body: { value: 'fifth' },
  });
  expect(changed.status).toBe(200);
  expect((await api.call('GET', '/v1/cards', { key: agent })).body.total).toBe(2);
  await setLimits({ cards: 3 });
  expect((await card('The kiln is old.')).status).toBe(201);
  expectFull(await card('The kiln is tall.'), 403, 'cards', 3);
});

it('bytes of payloads: what is there stays readable', async () => {
  expect((await post('first')).status).toBe(202);
  await setLimits({ payload_bytes: 1 });
  expectFull(await post('second'), 403, 'payload_bytes', 1);
  expect((await api.call('GET', '/v1/events/first')).body.payload).not.toBeNull();
  await setLimits({ payload_bytes: null });
  expect((await post('second')).status).toBe(202);
});

it('open conversations: one that is there goes on, and closing one makes room', async () => {
  const put = (id: string) => api.call('PUT', `/v1/conversations/${id}`, { key: agent, body: {} });
  expect((await put('one')).status).toBe(201);
  await setLimits({ open_conversations: 1 });
  expectFull(await put('two'), 403, 'open_conversations', 1);
  expect((await put('one')).status).toBe(200);
  const messages = [{ role: 'user', content: 'Hello.', at: now.toISOString() }];
  const more = { key: agent, body: { messages } };
  expect((await api.call('POST', '/v1/conversations/one/messages', more)).status).toBe(200);
});

it('another workspace is bound by its own policy alone', async () => {
  await setLimits({ cards: 1 });
  await card('The kiln takes an hour.');
  expect((await card('The kiln is old.')).status).toBe(403);
  const made = await api.call('POST', '/v1/workspaces', { body: { id: 'other', name: 'Other' } });
  const body = { summary: 'The kiln is old.', scope: { type: 'workspace', id: 'other' } };
  const answer = await api.call('POST', '/v1/cards', { key: made.body.owner_key, body });
  expect(answer.status).toBe(201);
});
