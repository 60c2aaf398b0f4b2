import { startApi, type TestApi } from './support/api';
import { type Given, mem0, refusal } from './support/mem0';

let now = new Date('2026-03-02T08:00:00.000Z');
let api: TestApi;
let client: ReturnType<typeof mem0>;

/** Each by its letter, so that a line of the table says at a glance what it keeps. */
const MEMORIES = {
  a: { userId: 'ann', runId: 'r1', metadata: { topic: 'food', stars: 3, tags: ['x', 'y'] } },
  b: { userId: 'ann', runId: 'r2', metadata: { topic: 'travel', stars: 5 } },
  c: { userId: 'ben', runId: 'r1', metadata: { topic: 'Food', stars: 4 } },
  d: { runId: 'r1', metadata: {} },
  e: { userId: 'ann' },
} as const;

beforeAll(async () => {
  api = await startApi({ clock: () => now });
  client = mem0(api, await api.keyFor({ kind: 'agent', id: 'clerk' }));
  for (const [letter, options] of Object.entries(MEMORIES)) {
    await client.add([{ role: 'user', content: `Memory ${letter}` }], options);
    now = new Date(now.getTime() + 86_400_000);
  }
  const { results } = await client.getAll({ filters: { user_id: 'ben' } });
  await client.update(results[0]?.id ?? '', {
    text: 'Memory c',
    metadata: { topic: 'Food', stars: 4, seen: null },
  });
});
afterAll(() => api.close());

const letters = ({ results }: Given): string =>
  results
    .map(({ memory }: Given) => memory.slice(-1))
    .sort()
    .join('');

const KEPT: [filters: object, kept: string][] = [
  [{}, 'abcde'],
  [{ user_id: 'ann' }, 'abe'],
  [{ user_id: 'ann', run_id: 'r1' }, 'a'],
  [{ AND: [{ user_id: 'ann' }, { run_id: 'r1' }] }, 'a'],
  [{ OR: [{ user_id: 'ben' }, { run_id: 'r2' }] }, 'bc'],
  [{ NOT: [{ user_id: 'ann' }] }, 'cd'],
  [{ NOT: { user_id: 'ann', run_id: 'r1' } }, 'bcde'],
  [{ AND: [{ OR: [{ user_id: 'ann' }, { user_id: 'ben' }] }, { NOT: [{ run_id: 'r2' }] }] }, 'ace'],
  [{ user_id: '*' }, 'abce'],
  [{ user_id: null }, 'd'],
  [{ user_id: { in: ['ann', 'ben'] } }, 'abce'],
  [{ user_id: { nin: ['ann'] } }, 'cd'],
  [{ user_id: { ne: 'ann' } }, 'cd'],
  [{ user_id: { contains: 'nn' } }, 'abe'],
  [{ run_id: { icontains: 'R' } }, 'abcd'],
  [{ agent_id: 'clerk' }, 'abcde'],
  [{ agent_id: 'nobody' }, ''],
  [{ metadata: { topic: 'food' } }, 'a'],
  [{ metadata: { topic: 'food', stars: 4 } }, ''],
  [{ metadata: { tags: ['y'] } }, 'a'],
  [{ metadata: { topic: { icontains: 'FOOD' } } }, 'ac'],
  [{ metadata: { topic: { contains: 'Food' } } }, 'c'],
  [{ metadata: { tags: { contains: 'x' } } }, 'a'],
  [{ metadata: { stars: { gte: 4 } } }, 'bc'],
  [{ metadata: { stars: { gt: 3, lt: 5 } } }, 'c'],
  [{ metadata: { stars: { in: [3, 5] } } }, 'ab'],
  [{ metadata: { topic: { ne: 'food' } } }, 'bcde'],
  [{ metadata: { topic: '*' } }, 'abc'],
  [{ metadata: { seen: '*' } }, ''],
  [{ user_id: 'ann', metadata: { topic: 'travel', stars: { lte: 5 } } }, 'b'],
  [{ created_at: { gte: '2026-03-04' } }, 'cde'],
  [{ created_at: { gt: '2026-03-04' } }, 'de'],
  [{ created_at: { lte: '2026-03-03' } }, 'ab'],
  [{ created_at: { lt: '2026-03-03' } }, 'a'],
  [{ created_at: { gte: '2026-03-03T08:00:00Z', lt: '2026-03-05T10:00:00+02:00' } }, 'bc'],
  [{ updated_at: { gte: '2026-03-06' } }, 'ce'],
];

describe.each(KEPT)('%j', (filters, kept) => {
  it(`lists ${kept === '' ? 'nothing' : kept}`, async () => {
    const answer = await client.getAll({ filters });
    expect([letters(answer), answer.count]).toEqual([kept, kept.length]);
  });

  it('finds the same', async () => {
    expect(letters(await client.search('Memory', { filters, topK: 50 }))).toBe(kept);
  });
});

it('the other ways of narrowing are narrowing too', async () => {
  expect(letters(await client.search('Memory', { metadata: { topic: 'travel' } }))).toBe('b');
  const bounds = { startDate: '2026-03-03', endDate: '2026-03-04' };
  expect(letters(await client.getAll(bounds))).toBe('bc');
  const { body } = await api.call('GET', '/v1/memories?user_id=ann&run_id=r2');
  expect(letters(body)).toBe('b');
  const old = { query: 'Memory', user_id: 'ann', limit: 2 };
  expect(letters((await api.call('POST', '/v1/memories/search', { body: old })).body)).toHaveLength(
    2,
  );
});

it('scores lie in 0 to 1, the best first, and a threshold and fields are heeded', async () => {
  const { results } = await client.search('Memory a', { filters: { user_id: 'ann' } });
  const scores = results.map(({ score }) => score ?? -1);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  for (const score of scores) expect(score > 0 && score <= 1).toBe(true);
  const threshold = scores[0] ?? 1;
  const above = await client.search('Memory a', { filters: { user_id: 'ann' }, threshold });
  expect(above.results.length).toBeLessThan(results.length);
  expect((await client.search('Memory a', { topK: 1 })).results).toHaveLength(1);
  const { results: some } = await client.search('Memory a', { fields: ['metadata'] });
  expect(Object.keys(some[0] ?? {}).sort()).toEqual(['id', 'memory', 'metadata', 'score']);
});

it.each([
  [{ colour: 'red' }, 'user_id, agent_id, run_id, created_at, updated_at, metadata'],
  [{ userId: 'ann' }, 'AND, OR, NOT'],
  [{ AND: [{ user_id: 'ann' }, { colour: 'red' }] }, 'user_id'],
  [{ user_id: { like: 'ann' } }, 'eq, ne, in, nin, gt, gte, lt, lte, contains, icontains'],
  [{ user_id: { in: 'ann' } }, 'list'],
  [{ user_id: ['ann'] }, 'id'],
  [{ user_id: { contains: 1 } }, 'text'],
  [{ metadata: 'food' }, 'object'],
  [{ AND: 'user_id' }, 'object'],
  [{ created_at: { gt: 'yesterday' } }, '2026-03-02'],
  [{ created_at: { gt: '2026-99-99' } }, '2026-03-02'],
  [{ metadata: { stars: { gt: [1] } } }, 'number'],
  [{ categories: ['food'] }, 'metadata'],
])('%j is refused with what is known', async (filters, known) => {
  for (const call of [
    () => client.getAll({ filters }),
    () => client.search('Memory', { filters }),
  ]) {
    const { name, problem } = await refusal(call());
    expect([name, problem.status]).toEqual(['ValidationError', 400]);
    expect(problem.detail).toContain(known);
  }
});

it('alternatives without end are refused', async () => {
  const either = { OR: Array.from({ length: 5 }, (_, n) => ({ run_id: `r${n}` })) };
  const { problem } = await refusal(client.getAll({ filters: { AND: Array(5).fill(either) } }));
  expect([problem.status, problem.detail]).toEqual([400, expect.stringContaining('alternatives')]);
});

it('a runtime looks as one agent at a time, and says so', async () => {
  const desk = mem0(api, await api.keyFor({ kind: 'runtime', id: 'desk' }));
  const filters = { OR: [{ agent_id: 'clerk' }, { agent_id: 'porter' }] };
  const { problem } = await refusal(desk.getAll({ filters }));
  expect([problem.status, problem.detail]).toEqual([400, expect.stringContaining('one agent')]);
  expect((await desk.getAll({ filters: { agent_id: 'clerk' } })).count).toBe(5);
});
