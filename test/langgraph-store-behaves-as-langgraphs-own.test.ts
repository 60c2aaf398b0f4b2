import {
  type BaseStore,
  InMemoryStore,
  type Item,
  type Operation,
} from '@langchain/langgraph-checkpoint';
import { CairnStore } from '../src/adapters/langgraph/store';
import { startApi, type TestApi } from './support/api';

/**
 * There is no published suite for stores (the one there is checks checkpointers), so LangGraph's own store
 * is the suite: the same calls to both, and the same answers. Where Cairn answers otherwise, it is by one
 * of the cases at the end.
 */

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

let agents = 0;
const cairnStore = () => {
  agents += 1;
  return new CairnStore({ url: api.url, key: api.ownerKey, agent: `graph-${agents}` });
};

type Said = unknown;

/** Items without their times, which no two stores share; their order against each other is kept. */
function told(value: unknown): Said {
  if (Array.isArray(value)) return value.map(told);
  if (value === null || typeof value !== 'object' || !('createdAt' in value)) return value ?? null;
  const { createdAt, updatedAt, ...item } = value as Item;
  return { ...item, score: null, wasWrittenAgain: updatedAt > createdAt };
}

async function outcome(call: () => Promise<unknown>): Promise<Said> {
  try {
    return told(await call());
  } catch (error) {
    return { thrown: (error as Error).name };
  }
}

interface Case {
  name: string;
  calls: ((store: BaseStore) => Promise<unknown>)[];
}

const put =
  (namespace: string[], key: string, value: Record<string, unknown>, index?: false | string[]) =>
  (store: BaseStore) =>
    store.put(namespace, key, value, index);
const get = (namespace: string[], key: string) => (store: BaseStore) => store.get(namespace, key);
const remove = (namespace: string[], key: string) => (store: BaseStore) =>
  store.delete(namespace, key);
const search =
  (namespace: string[], options?: Parameters<BaseStore['search']>[1]) => (store: BaseStore) =>
    store.search(namespace, options);
const list = (options?: Parameters<BaseStore['listNamespaces']>[0]) => (store: BaseStore) =>
  store.listNamespaces(options);
/** Later than what was written before, by the clock of either store. */
const later = async () => {
  await new Promise((resolve) => setTimeout(resolve, 5));
};

const fleet = [
  put(['docs', 'a'], 'one', { title: 'One', stars: 1, color: 'red', tags: ['x'] }),
  put(['docs', 'a'], 'two', { title: 'Two', stars: 2, color: 'blue', nested: { deep: true } }),
  put(['docs', 'b'], 'three', { title: 'Three', stars: 3, color: 'red', gone: null }),
  put(['docs', 'b', 'z'], 'four', { title: 'Four', stars: '4' }),
  put(['docsother'], 'five', { title: 'Five', stars: 5 }),
];

const CASES: Case[] = [
  {
    name: 'an item is read as it was put, and null where there is none',
    calls: [
      put(['users', 'ann'], 'prefs', {
        theme: 'dark',
        n: 1.5,
        yes: true,
        none: null,
        list: [1, []],
      }),
      get(['users', 'ann'], 'prefs'),
      get(['users', 'ann'], 'other'),
      get(['users'], 'prefs'),
    ],
  },
  {
    name: 'the same key again is the same item with another value, and none of the old one',
    calls: [
      put(['u'], 'k', { a: 1, b: { c: 2 } }),
      later,
      put(['u'], 'k', { b: 3 }),
      get(['u'], 'k'),
      search(['u']),
    ],
  },
  {
    name: 'deleted is gone, again is nothing, and put again is new',
    calls: [
      put(['u'], 'k', { a: 1 }),
      later,
      put(['u'], 'k', { a: 2 }),
      remove(['u'], 'k'),
      get(['u'], 'k'),
      search(['u']),
      remove(['u'], 'k'),
      put(['u'], 'k', { a: 3 }),
      get(['u'], 'k'),
    ],
  },
  {
    name: 'namespaces and keys that are alike stay apart',
    calls: [
      put(['a', 'b'], 'c', { is: 'a b / c' }),
      put(['a'], 'b/c', { is: 'a / b slash c' }),
      put(['a/b'], 'c', { is: 'a slash b / c' }),
      put(['a'], 'b:2fc', { is: 'a / escaped' }),
      put(['A', 'B'], 'C', { is: 'capitals' }),
      put(['a', 'b'], '', { is: 'no key' }),
      put(['a', 'b'], 'c.d', { is: 'a dot' }),
      put(['a', 'b'], ' ', { is: 'a space' }),
      ...[
        get(['a', 'b'], 'c'),
        get(['a'], 'b/c'),
        get(['a/b'], 'c'),
        get(['a'], 'b:2fc'),
        get(['A', 'B'], 'C'),
        get(['a', 'b'], ''),
        get(['a', 'b'], 'c.d'),
        get(['a', 'b'], ' '),
        search(['a/b']),
      ],
    ],
  },
  {
    name: 'any script, and any length',
    calls: [
      put(['用户', 'Ω'], '偏好🙂', { 喜欢: '徒步旅行', emoji: '👩‍🚀' }),
      get(['用户', 'Ω'], '偏好🙂'),
      search(['用户']),
      put(['long'.repeat(80)], 'key'.repeat(80), { long: 'x'.repeat(20_000) }),
      get(['long'.repeat(80)], 'key'.repeat(80)),
      search(['long'.repeat(80)]),
    ],
  },
  {
    name: 'names that JavaScript and Cairn know too',
    calls: [
      put(['constructor'], '__proto__', { constructor: 1, value: 'v', key: 'k', item: 'i' }),
      get(['constructor'], '__proto__'),
      put(['0', '1'], '2', { at: ['0'], id: 'x' }),
      search(['0']),
      search(['1']),
    ],
  },
  {
    name: 'a search goes down from its prefix, label by label',
    calls: [
      ...fleet,
      search(['docs']),
      search(['docs', 'b']),
      search(['docs', 'b', 'z']),
      search(['doc']),
      search(['b']),
      search([]),
    ],
  },
  {
    name: 'a search takes limit and offset, ten without',
    calls: [
      ...Array.from({ length: 12 }, (_, at) =>
        put(['n'], `k${String(at).padStart(2, '0')}`, { at }),
      ),
      search(['n']),
      search(['n'], { limit: 3 }),
      search(['n'], { limit: 5, offset: 10 }),
      search(['n'], { limit: 5, offset: 20 }),
      search(['n'], { limit: 1_000 }),
      search(['n'], { limit: 2, offset: 3, filter: { at: { $gte: 2 } } }),
    ],
  },
  {
    name: 'a filter compares fields of the value',
    calls: [
      ...fleet,
      ...[
        { color: 'red' },
        { color: 'red', stars: 1 },
        { stars: { $eq: 2 } },
        { color: { $ne: 'red' } },
        { stars: { $gt: 1 } },
        { stars: { $gte: 2, $lt: 3 } },
        { stars: { $lte: 2 } },
        { stars: { $in: [1, 3] } },
        { color: { $nin: ['red'] } },
        { gone: null },
        { missing: null },
        { missing: undefined },
        { stars: '1' },
        { nested: true },
        { tags: 'x' },
        {},
      ].map((filter) => search(['docs'], { filter })),
    ],
  },
  {
    name: 'a filter of values that are no text',
    calls: [
      put(['v'], 'a', { done: true, n: 0, text: '' }),
      put(['v'], 'b', { done: false, n: -1, text: 'x' }),
      ...[{ done: false }, { n: 0 }, { text: '' }, { n: { $lt: 0 } }, { done: { $ne: true } }].map(
        (filter) => search(['v'], { filter }),
      ),
    ],
  },
  {
    name: 'namespaces are listed by prefix, suffix and depth, sorted, in pages',
    calls: [
      ...fleet,
      put(['docs', 'b', 'c', 'd'], 'six', { a: 1 }),
      put(['x', 'c'], 'seven', { a: 1 }),
      list(),
      list({ prefix: ['docs'] }),
      list({ prefix: ['*', 'b'] }),
      list({ suffix: ['c'] }),
      list({ suffix: ['*', 'c'] }),
      list({ prefix: ['docs'], suffix: ['c'] }),
      list({ maxDepth: 2 }),
      list({ prefix: ['docs'], maxDepth: 1 }),
      list({ limit: 2 }),
      list({ limit: 2, offset: 1 }),
      list({ offset: 100 }),
      list({ prefix: ['nowhere'] }),
    ],
  },
  {
    name: 'what is no namespace is refused',
    calls: [
      put([], 'k', {}),
      put(['a.b'], 'k', {}),
      put(['a:b'], 'k', {}),
      put([''], 'k', {}),
      put(['langgraph'], 'k', {}),
      put([1 as unknown as string], 'k', {}),
      get([], 'k'),
      get(['a.b'], 'k'),
      search(['a.b']),
      search(['']),
      list({ prefix: ['a.b'] }),
      remove(['a.b'], 'k'),
    ],
  },
  {
    name: 'a batch answers in order, reads before it writes, and keeps the last of one item',
    calls: [
      put(['u'], 'there', { a: 1 }),
      (store) =>
        store.batch([
          { namespace: ['u'], key: 'new' },
          { namespace: ['u'], key: 'new', value: { n: 1 } },
          { namespacePrefix: ['u'], limit: 10, offset: 0 },
          { namespace: ['u'], key: 'new', value: { n: 2 } },
          { namespace: ['u'], key: 'there', value: null },
          { namespace: ['u'], key: 'there' },
          { matchConditions: [{ matchType: 'prefix', path: ['u'] }], limit: 10, offset: 0 },
        ] satisfies Operation[]),
      get(['u'], 'new'),
      get(['u'], 'there'),
      (store) => store.batch([]),
    ],
  },
];

describe.each(CASES)('$name', ({ calls }) => {
  it('as LangGraph has it', async () => {
    const [own, ours] = [new InMemoryStore(), cairnStore()];
    await own.start();
    await ours.start();
    for (const [at, call] of calls.entries()) {
      const expected = await outcome(() => call(own));
      expect([at, await outcome(() => call(ours))]).toEqual([at, expected]);
    }
    await ours.stop();
  });
});

describe('on purpose otherwise:', () => {
  const both = async (...calls: Case['calls']): Promise<{ own: Said; ours: Said }> => {
    const [own, ours] = [new InMemoryStore(), cairnStore()];
    const last = { own: null as Said, ours: null as Said };
    for (const call of calls) {
      last.own = await outcome(() => call(own));
      last.ours = await outcome(() => call(ours));
    }
    return last;
  };

  it('an operator that there is not is an error, where it would match nothing', async () => {
    const filter = { stars: { $near: 2 } };
    const { own, ours } = await both(...fleet, search(['docs'], { filter }));
    expect([own, ours]).toEqual([[], { thrown: 'TypeError' }]);
    const mixed = await both(
      ...fleet,
      search(['docs'], { filter: { stars: { $gt: 1, near: 2 } } }),
    );
    expect(mixed.ours).toEqual({ thrown: 'TypeError' });
  });

  it('an object or a list is compared by what is in it, where it would equal itself alone', async () => {
    for (const filter of [{ nested: { deep: true } }, { tags: ['x'] }, { tags: { $eq: ['x'] } }]) {
      const { own, ours } = await both(...fleet, search(['docs'], { filter }));
      expect([own, (ours as Item[]).length]).toEqual([[], 1]);
    }
    const { ours } = await both(...fleet, search(['docs'], { filter: { tags: ['y'] } }));
    expect(ours).toEqual([]);
  });

  it('texts have an order too, so that dates can be compared', async () => {
    const { own, ours } = await both(
      put(['d'], 'old', { day: '2026-01-31' }),
      put(['d'], 'new', { day: '2026-02-01' }),
      search(['d'], { filter: { day: { $gt: '2026-01-31' } } }),
    );
    expect([own, (ours as Item[]).map(({ key }) => key)]).toEqual([[], ['new']]);
  });

  it('a namespace whose last item is gone is not listed', async () => {
    const { own, ours } = await both(put(['n'], 'k', { a: 1 }), remove(['n'], 'k'), list());
    expect([own, ours]).toEqual([[['n']], []]);
  });

  it('a search without a query is sorted by path, so that pages stay where they are', async () => {
    const { own, ours } = await both(
      put(['n'], 'b', { a: 1 }),
      put(['n'], 'a', { a: 2 }),
      search(['n']),
    );
    const keys = (items: Said) => (items as Item[]).map(({ key }) => key);
    expect([keys(own), keys(ours)]).toEqual([
      ['b', 'a'],
      ['a', 'b'],
    ]);
  });

  it('a letter with its accent is the same however it is typed', async () => {
    const { own, ours } = await both(put(['caf\u00e9'], 'k', { a: 1 }), get(['cafe\u0301'], 'k'));
    expect([own, ours]).toEqual([null, expect.objectContaining({ namespace: ['caf\u00e9'] })]);
  });

  it('a value is JSON: what was read is not what is kept, and what JSON cannot say is left out', async () => {
    const store = cairnStore();
    await store.put(['j'], 'k', { at: new Date(0), not: undefined, list: [undefined] });
    const first = await store.get(['j'], 'k');
    expect(first?.value).toEqual({ at: '1970-01-01T00:00:00.000Z', list: [null] });
    if (first !== null) first.value.at = 'changed';
    expect((await store.get(['j'], 'k'))?.value.at).toBe('1970-01-01T00:00:00.000Z');
    for (const value of ['text', 1, ['list'], undefined]) {
      const refused = store.put(['j'], 'k', value as unknown as Record<string, unknown>);
      await expect(refused).rejects.toThrow(TypeError);
    }
  });
});
