import { startApi, type TestApi } from './support/api';
import { type Fleet, makeFleet } from './support/fleet';

let api: TestApi;
let fleet: Fleet;
beforeAll(async () => {
  api = await startApi();
  fleet = await makeFleet(api);
});
afterAll(() => api.close());

const put = (key: string, value: string, as: string, scope?: unknown) =>
  api.call('PUT', `/v1/notes/${key}`, {
    key: as,
    body: { value, ...(scope === undefined ? {} : { scope }) },
  });
const get = (path: string, as: string) => api.call('GET', `/v1/notes/${path}`, { key: as });

it('a note written again is the next version of the same card, not a conflict', async () => {
  const first = await put('on-call', 'Ada is on call.', fleet.planner);
  const second = await put('on-call', 'Grace is on call.', fleet.planner);
  expect([first.status, second.status]).toEqual([201, 200]);
  expect(second.body).toMatchObject({
    key: 'on-call',
    value: 'Grace is on call.',
    card_id: first.body.card_id,
    version: 2,
    scope: { type: 'agent', id: 'planner' },
  });
  const read = await get('on-call', fleet.planner);
  expect([read.body, read.headers.get('etag')]).toEqual([second.body, '"2"']);
  const path = `/v1/cards/${first.body.card_id}`;
  const history = await api.call('GET', `${path}/history`, { key: fleet.planner });
  expect(
    history.body.items.map((item: { after: { summary: string } }) => item.after.summary),
  ).toEqual(['Ada is on call.', 'Grace is on call.']);
  const edges = await api.call('GET', `${path}/edges`, { key: fleet.planner });
  expect(edges.body.items).toEqual([]);
  const card = await api.call('GET', path, { key: fleet.planner });
  expect(card.body).toMatchObject({ kind: 'knowledge', key: 'on-call', status: 'pending' });
});

it('writers at the same moment make versions of one card', async () => {
  const answers = await Promise.all(
    ['a', 'b', 'c'].map((word) => put('raced', `It is ${word}.`, fleet.planner)),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(1);
  expect(new Set(answers.map(({ body }) => body.card_id)).size).toBe(1);
  expect(answers.map(({ body }) => body.version).sort()).toEqual([1, 2, 3]);
});

it('of several under one key the nearest is read, unless a scope is named', async () => {
  await put('style', 'Of the workspace.', api.ownerKey, { type: 'workspace', id: 'default' });
  expect((await get('style', fleet.coder)).body.value).toBe('Of the workspace.');
  await put('style', 'Of the team.', api.ownerKey, { type: 'team', id: 'red' });
  expect((await get('style', fleet.coder)).body.value).toBe('Of the team.');
  await put('style', 'My own.', fleet.coder);
  expect((await get('style', fleet.coder)).body.value).toBe('My own.');
  expect((await get('style', fleet.outsider)).body.value).toBe('Of the workspace.');
  const named = await get('style?scope_type=team&scope_id=red', fleet.coder);
  expect(named.body.value).toBe('Of the team.');
  expect((await get('style?scope_type=team', fleet.coder)).status).toBe(400);
});

it('deleting takes the own one, and only that', async () => {
  await put('gone', 'Of the team.', api.ownerKey, { type: 'team', id: 'red' });
  const remove = (as: string, query = '') =>
    api.call('DELETE', `/v1/notes/gone${query}`, { key: as });
  expect((await remove(fleet.coder)).status).toBe(404);
  await put('gone', 'My own.', fleet.coder);
  expect((await remove(fleet.coder)).status).toBe(204);
  expect((await get('gone', fleet.coder)).body.value).toBe('Of the team.');
  expect((await remove(fleet.coder, '?scope_type=team&scope_id=red')).status).toBe(403);
  await put('gone', 'My own again.', fleet.coder);
  const unclear = await remove(api.ownerKey);
  expect([unclear.status, unclear.body.code]).toEqual([409, 'several_notes']);
  expect((await remove(api.ownerKey, '?scope_type=team&scope_id=red')).status).toBe(204);
});

it('lists what the caller sees, by key and page by page', async () => {
  for (const key of ['list-c', 'list-a', 'list-b']) await put(key, `Value of ${key}.`, fleet.child);
  const keys: string[] = [];
  let cursor = '';
  do {
    const { body } = await api.call(
      'GET',
      `/v1/notes?limit=2&scope_type=agent&scope_id=child${cursor}`,
      {
        key: fleet.child,
      },
    );
    expect(body.total).toBe(3);
    keys.push(...body.items.map((note: { key: string }) => note.key));
    cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`;
  } while (cursor !== '');
  expect(keys).toEqual(['list-a', 'list-b', 'list-c']);
});

it('a note is written in the own scope, or wider by people who decide', async () => {
  expect((await put('wide', 'x', fleet.planner, { type: 'team', id: 'red' })).status).toBe(403);
  expect((await put('wide', 'x', api.ownerKey)).status).toBe(400);
  expect((await put('bad key', 'x', fleet.planner)).status).toBe(400);
  expect((await put('empty', '', fleet.planner)).status).toBe(400);
  expect((await get('never', fleet.planner)).status).toBe(404);
});

it('a card written with the key of a note supersedes it', async () => {
  await put('budget', 'It is 100.', fleet.planner);
  const card = await api.call('POST', '/v1/cards', {
    key: fleet.planner,
    body: { summary: 'It is 200.', key: 'budget' },
  });
  const read = await get('budget', fleet.planner);
  expect(read.body).toMatchObject({ value: 'It is 200.', card_id: card.body.id, version: 1 });
});
