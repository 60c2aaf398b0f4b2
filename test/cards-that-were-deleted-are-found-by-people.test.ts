import { startApi, type TestApi } from './support/api';
import { accessLog, type Fleet, makeFleet, writeCard } from './support/fleet';

let api: TestApi;
let fleet: Fleet;
let now = new Date('2026-03-02T08:00:00.000Z');
let gone: string;
let kept: string;
beforeAll(async () => {
  api = await startApi({ clock: () => now });
  fleet = await makeFleet(api);
  await api.call('PUT', '/v1/subjects/ada', { body: { name: 'Ada' } });
  const write = (summary: string) =>
    writeCard(api, { summary, subject: 'ada' }, { key: fleet.planner });
  gone = (await write('Ospreys nest late.')).id;
  kept = (await write('Ospreys nest early.')).id;
  await api.call('DELETE', `/v1/cards/${gone}`);
});
afterAll(() => api.close());

const listed = async (query: string, key = api.ownerKey, headers: Record<string, string> = {}) =>
  (await api.call('GET', `/v1/cards?${query}`, { key, headers })).body;
const ids = (page: { items: { id: string }[] }) => page.items.map(({ id }) => id);

it.each(['owner', 'operator', 'reviewer'] as const)('%s lists what was deleted', async (role) => {
  const key = role === 'owner' ? api.ownerKey : await api.keyOf(role);
  const page = await listed('status=deleted', key);
  expect(page).toMatchObject({
    total: 1,
    items: [{ id: gone, kind: 'knowledge', status: 'deleted', summary: 'Ospreys nest late.' }],
  });
  expect((await api.call('GET', `/v1/cards/${gone}`, { key })).status).toBe(404);
});

it('by the same filters as other cards, and with them where both are asked for', async () => {
  expect(ids(await listed('status=deleted&q=ospreys'))).toEqual([gone]);
  expect(ids(await listed('status=deleted&q=herons'))).toEqual([]);
  expect(ids(await listed('status=deleted&kind=constraint'))).toEqual([]);
  const both = await listed('status=deleted&status=pending&q=ospreys');
  expect(ids(both).sort()).toEqual([gone, kept].sort());
  expect(ids(await listed('q=ospreys'))).toEqual([kept]);
});

it('agents, members, auditors and who reads for an agent see none', async () => {
  const keys = [fleet.planner, await api.keyOf('member', 'ada'), await api.keyOf('auditor')];
  for (const key of keys) expect((await listed('status=deleted', key)).total).toBe(0);
  const asAgent = await listed('status=deleted', api.ownerKey, { 'cairn-agent': 'planner' });
  expect(asAgent.total).toBe(0);
});

it('is written down in the access log', async () => {
  const before = (await accessLog(api)).length;
  await listed('status=deleted');
  expect((await accessLog(api)).slice(before)).toMatchObject([
    { agent: null, person: 'owner', via: 'person', surface: 'cards.list', card_ids: [gone] },
  ]);
});

it('only until it can no longer be brought back', async () => {
  const before = now;
  now = new Date(before.getTime() + 31 * 86_400_000);
  expect(ids(await listed('status=deleted'))).toEqual([]);
  now = before;
  expect((await api.call('POST', `/v1/cards/${gone}/restore`)).status).toBe(200);
  expect(ids(await listed('status=deleted'))).toEqual([]);
});
