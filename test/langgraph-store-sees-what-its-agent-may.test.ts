import { CairnStore, type CairnStoreOptions } from '../src/adapters/langgraph/store';
import { CairnClient } from '../src/client/client';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { startApi, type TestApi } from './support/api';
import { PLANTED } from './support/quarantine';
import { email, githubToken } from './support/secret-strings';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ embedder: createHashedEmbedder() });
});
afterAll(() => api.close());

const storeOf = (agent: string, options: Partial<CairnStoreOptions> = {}) =>
  new CairnStore({ client: api.owner, agent, ...options });
const keys = (items: { key: string }[]) => items.map(({ key }) => key);
const noteOf = (agent: string, path: string) =>
  api.owner.with({ agent }).notes.get(`langgraph/${path}`);

async function refusalOf(call: Promise<unknown>): Promise<{ status: number; code: string }> {
  return await call.then(
    () => ({ status: 200, code: 'done' }),
    (error) => ({ status: error.status, code: error.code }),
  );
}

it('shows what is shared at the very next call of a store that is open, and no longer than it is shared', async () => {
  const [ada, bob] = [storeOf('ada'), storeOf('bob')];
  await ada.put(['team', 'facts'], 'gate', { text: 'The ferry leaves from gate four.' });
  await ada.put(['team', 'facts'], 'hidden', { text: 'The ferry is late on Fridays.' });
  const seenBy = async (store: CairnStore) => ({
    get: (await store.get(['team', 'facts'], 'gate'))?.value ?? null,
    search: keys(await store.search(['team'])),
    query: keys(await store.search(['team'], { query: 'which gate does the ferry leave from' })),
    everything: keys(await store.search([])),
    namespaces: await store.listNamespaces(),
  });
  const nothing = { get: null, search: [], query: [], everything: [], namespaces: [] };
  expect(await seenBy(bob)).toEqual(nothing);

  const { card_id } = await noteOf('ada', 'team/facts/gate');
  await api.owner.request('PUT', `/v1/cards/${card_id}/grants/bob`, { body: {} });
  expect(await seenBy(bob)).toEqual({
    get: { text: 'The ferry leaves from gate four.' },
    search: ['gate'],
    query: ['gate'],
    everything: ['gate'],
    namespaces: [['team', 'facts']],
  });

  await api.owner.request('DELETE', `/v1/cards/${card_id}/grants/bob`);
  expect(await seenBy(bob)).toEqual(nothing);
  expect((await seenBy(ada)).search).toEqual(['gate', 'hidden']);
});

it.each([
  ["the owner's key", () => api.ownerKey],
  ["a runtime's key", () => api.keyFor({ kind: 'runtime', id: 'harness' })],
])(
  'writes over and deletes what is its own with %s, and leaves alone what others share',
  async (_whose, keyOf) => {
    const client = new CairnClient({ url: api.url, key: await keyOf() });
    const [eve, fay] = [storeOf('eve', { client }), storeOf('fay', { client })];
    await api.owner.request('PUT', '/v1/agents/fay', { body: {} });
    await eve.put(['u'], 'k', { of: 'eve' });
    const { card_id } = await noteOf('eve', 'u/k');
    await api.owner.request('PUT', `/v1/cards/${card_id}/grants/fay`, { body: {} });
    const found = async () => ({
      fay: (await fay.get(['u'], 'k'))?.value.of,
      all: (await fay.search(['u'])).map(({ value }) => value.of),
      eve: (await eve.get(['u'], 'k'))?.value.of,
    });
    await fay.delete(['u'], 'k');
    expect(await found()).toEqual({ fay: 'eve', all: ['eve'], eve: 'eve' });
    await fay.put(['u'], 'k', { of: 'fay' });
    expect(await found()).toEqual({ fay: 'fay', all: ['fay'], eve: 'eve' });
    await fay.delete(['u'], 'k');
    expect(await found()).toEqual({ fay: 'eve', all: ['eve'], eve: 'eve' });
    await eve.delete(['u'], 'k');
    expect(await found()).toEqual({ fay: undefined, all: [], eve: undefined });
  },
);

it('is one card with versions, whoever puts at the same moment', async () => {
  const store = storeOf('gil');
  await Promise.all(['a', 'b', 'c', 'd'].map((word) => store.put(['u'], 'k', { word })));
  const { card_id, version, metadata } = await noteOf('gil', 'u/k');
  expect(version).toBe(4);
  const { items } = await api.owner.cards.history(card_id);
  const words = items.map(({ after }) => after.summary);
  expect([...words].sort()).toEqual(['a', 'b', 'c', 'd']);
  const item = await store.get(['u'], 'k');
  expect(metadata).toMatchObject({ langgraph: { item: item?.value } });
  expect(item?.value).toEqual({ word: words.at(-1) });
});

it('gives back each value as it was put, but for what no one may keep', async () => {
  const store = storeOf('hal');
  const [address, token] = [email(), githubToken()];
  const value = { mail: address, note: `Ask ${address}.`, deep: [{ token, [address]: 1 }], n: 7 };
  await store.put(['u'], 'k', value);
  const item = await store.get(['u'], 'k');
  const text = JSON.stringify(item);
  for (const secret of [address, token]) expect(text).not.toContain(secret);
  expect(item?.value).toMatchObject({ mail: expect.stringMatching(/^\[EMAIL_/), n: 7 });
  // A filter and a query are in the same words as what is kept.
  expect(keys(await store.search(['u'], { filter: { mail: address } }))).toEqual(['k']);
  expect(keys(await store.search(['u'], { filter: { mail: { $eq: 'else' } } }))).toEqual([]);
  expect((await store.search(['u'], { query: address }))[0]?.score).toBeGreaterThan(0);
});

it.each([
  ['a secret in a label', ['users', githubToken()], 'k'],
  ['an address in a key with more around it', ['users'], `mail to ${email()}, please`],
  ['an address in a key', ['users'], email()],
  ['an address in a path that is too long to be read', ['users', 'x'.repeat(300)], email()],
])('refuses %s, and keeps nothing', async (_name, namespace, key) => {
  const store = storeOf('ida');
  const refusal = await refusalOf(store.put(namespace, key, { a: 1 }));
  expect(refusal).toMatchObject({ status: 422 });
  expect(await store.search([])).toEqual([]);
  expect((await api.owner.with({ agent: 'ida' }).notes.list()).total).toBe(0);
});

it('says so where the policy holds words back, and keeps the item as it was', async () => {
  await api.owner.request('PUT', '/v1/agents/quin', { body: {} });
  const own = await api.keyFor({ kind: 'agent', id: 'quin' });
  const store = new CairnStore({ url: api.url, key: own });
  const { version } = await api.owner.policy.get();
  await api.owner.policy.put(version, { capture: { instruction_like: 'quarantine' } });
  await store.put(['u'], 'k', { text: 'Rooms are free.' });
  expect(await refusalOf(store.put(['u'], 'k', { text: PLANTED }))).toEqual({
    status: 403,
    code: 'held_back',
  });
  const items = await store.search([]);
  expect(items.map(({ value }) => value)).toEqual([{ text: 'Rooms are free.' }]);
});

it('leaves what a restricted agent puts to its parent, and reads as ever', async () => {
  await api.owner.request('PUT', '/v1/agents/sub', {
    body: { parent_agent: 'ada', restricted: true },
  });
  const runtime = new CairnClient({
    url: api.url,
    key: await api.keyFor({ kind: 'runtime', id: 'spawner' }),
  });
  const store = new CairnStore({ client: runtime, agent: 'sub' });
  await store.put(['sub'], 'k', { text: 'The tide is high at noon.' });
  expect(await store.get(['sub'], 'k')).toBeNull();
  const { items } = await runtime
    .with({ agent: 'ada' })
    .request<{ items: { id: string }[] }>('GET', '/v1/pending-writes');
  expect(items).toHaveLength(1);
  await runtime
    .with({ agent: 'ada' })
    .request('POST', `/v1/pending-writes/${items[0]?.id}`, { body: { accept: true } });
  // An ancestor's own is read by its child.
  expect((await store.get(['sub'], 'k'))?.value).toEqual({ text: 'The tide is high at noon.' });
});

it('says so where a value is too large, and keeps the one before', async () => {
  const store = storeOf('jon');
  await store.put(['u'], 'k', { text: 'small' });
  const refusal = await refusalOf(store.put(['u'], 'k', { text: 'x'.repeat(33_000) }));
  expect(refusal).toEqual({ status: 400, code: 'invalid' });
  expect((await store.get(['u'], 'k'))?.value).toEqual({ text: 'small' });
  const long = { text: 'y'.repeat(30_000), tail: 'end' };
  await store.put(['u'], 'k', long);
  expect((await store.get(['u'], 'k'))?.value).toEqual(long);
});

describe('a query', () => {
  const found = async (store: CairnStore, query: string, options = {}) =>
    (await store.search(['trips'], { query, ...options })).map(({ key, score }) => [
      key,
      score === undefined ? 'unscored' : 'scored',
    ]);

  it('finds items by the words of their values, the best first, and then the others', async () => {
    const store = storeOf('kim');
    await store.put(['trips', 'n'], 'fjord', {
      place: 'fjord',
      plan: 'kayaking below the waterfalls',
    });
    await store.put(['trips', 's'], 'desert', { place: 'desert', plan: 'a night under the stars' });
    await store.put(['trips', 's'], 'lake', { place: 'lake', plan: 'swimming and kayaking' });
    await store.put(['else'], 'where', { plan: 'kayaking' });
    const all = await found(store, 'kayaking below waterfalls');
    expect(all[0]).toEqual(['fjord', 'scored']);
    expect(all.map(([key]) => key).sort()).toEqual(['desert', 'fjord', 'lake']);
    const pages = await Promise.all(
      [0, 1, 2, 3].map((offset) => found(store, 'kayaking below waterfalls', { offset, limit: 1 })),
    );
    expect(pages.flat()).toEqual(all);
    const filtered = await found(store, 'kayaking', { filter: { place: { $ne: 'fjord' } } });
    expect(filtered.map(([key]) => key).sort()).toEqual(['desert', 'lake']);
  });

  it('looks at the fields that are indexed, of the store or of the item', async () => {
    const store = storeOf('leo', { index: { fields: ['title', 'stops[*].name'] } });
    const value = {
      title: 'Harbour tour',
      stops: [{ name: 'lighthouse' }],
      note: 'bring marzipan',
    };
    await store.put(['trips'], 'tour', value);
    await store.put(['trips'], 'own', { ...value, title: 'Other' }, ['note']);
    await store.put(['trips'], 'none', value, false);
    await store.put(['trips'], 'empty', { title: '', other: 'marzipan' });
    expect((await noteOf('leo', 'trips/tour')).value).toBe(
      'title: Harbour tour\nstops.0.name: lighthouse',
    );
    const scored = async (query: string) =>
      (await found(store, query)).filter(([, how]) => how === 'scored').map(([key]) => key);
    expect(await scored('lighthouse')).toContain('tour');
    expect((await scored('marzipan'))[0]).toBe('own');
    for (const query of ['lighthouse', 'marzipan', 'item none of trips', 'kept for a program']) {
      const names = await found(store, query);
      expect(names.map(([key]) => key).sort()).toEqual(['empty', 'none', 'own', 'tour']);
      expect(names).toContainEqual(['none', 'unscored']);
      expect(names).toContainEqual(['empty', 'unscored']);
    }
  });

  it('knows when an item was written last', async () => {
    const store = storeOf('mia');
    await store.put(['trips'], 'k', { text: 'by train' });
    await store.put(['trips'], 'k', { text: 'by night train' });
    const [item] = await store.search(['trips'], { query: 'night train' });
    expect(item).toEqual({ ...(await store.get(['trips'], 'k')), score: expect.any(Number) });
    expect(item?.updatedAt.getTime()).toBeGreaterThan(item?.createdAt.getTime() ?? 0);
  });
});

it('reads what else the agent may see under `cairn`, and writes nothing there', async () => {
  const store = storeOf('ned');
  const ned = api.owner.with({ agent: 'ned' });
  await ned.cards.create({
    kind: 'constraint',
    sign: 'failed',
    summary: 'The mailer refuses 500 at once.',
  });
  await ned.cards.create({ kind: 'convention', summary: 'Invoices go out on Mondays.' });
  const all = await store.search(['cairn']);
  expect(all.map(({ value }) => value.kind).sort()).toEqual(['constraint', 'convention']);
  const [warning] = await store.search(['cairn'], { query: 'send 500 with the mailer' });
  expect(warning?.value).toMatchObject({ kind: 'constraint' });
  expect(await store.get(['cairn'], warning?.key ?? '')).toMatchObject({ value: warning?.value });
  expect(await store.search(['cairn'], { filter: { kind: 'convention' } })).toHaveLength(1);
  expect(await storeOf('other').get(['cairn'], warning?.key ?? '')).toBeNull();
  expect(await store.search([])).toEqual([]);
  expect(await store.listNamespaces()).toEqual([]);
  await expect(store.put(['cairn'], 'k', { a: 1 })).rejects.toThrow(/read here/);
  await expect(store.delete(['cairn'], warning?.key ?? '')).rejects.toThrow(/read here/);
});

it('takes no note or card for an item that says it is one', async () => {
  const store = storeOf('oda');
  const oda = api.owner.with({ agent: 'oda' });
  await store.put(['u'], 'k', { a: 1 });
  const { metadata } = await noteOf('oda', 'u/k');
  await oda.notes.put('elsewhere', 'It is not there.', { metadata });
  await oda.notes.put('langgraph/u/bare', 'It has no value.');
  expect(await store.search([])).toHaveLength(1);
  expect(await store.get(['u'], 'bare')).toBeNull();
  expect((await store.search([], { query: 'it is not there' })).map(({ value }) => value)).toEqual([
    { a: 1 },
  ]);
});

it('says so where the memory of its agent is off, or where no Cairn answers', async () => {
  await api.owner.request('PUT', '/v1/agents/pia', { body: { memory_mode: 'off' } });
  expect(await refusalOf(storeOf('pia').put(['u'], 'k', { a: 1 }))).toEqual({
    status: 403,
    code: 'memory_off',
  });
  const gone = new CairnStore({ url: 'http://127.0.0.1:9', key: 'none', retries: 0 });
  expect(await refusalOf(gone.get(['u'], 'k'))).toEqual({ status: 0, code: 'unreachable' });
  expect(() => new CairnStore({ url: api.url })).toThrow(TypeError);
});
