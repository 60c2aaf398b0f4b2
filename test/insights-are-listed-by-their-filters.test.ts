import type { Insight } from '../src/contracts/insight';
import { startApi, type TestApi } from './support/api';
import { HOUR, LANE_START, TestClock } from './support/filing';
import { Insights, OVERTIME } from './support/insights';

const clock = new TestClock(LANE_START);
let api: TestApi;
let people: Insights;
/** By their titles. */
const saved = new Map<string, Insight>();
beforeAll(async () => {
  api = await startApi({ clock: clock.now });
  people = new Insights(api);
  const runtime = people.as(await api.keyFor({ kind: 'runtime', id: 'harness' }));
  await api.call('PUT', '/v1/teams/red', { body: { name: 'Red' } });
  await api.call('PUT', '/v1/agents/cook', { body: { team: 'red' } });
  const save = async (title: string, as: Insights, body: object = {}) => {
    clock.advance(HOUR);
    saved.set(title, await as.saved({ title, ...body }));
  };
  await save('First', runtime.for('cook'), { severity: 'low', finding: 'Soup is thin.' });
  await save('Second', runtime.for('waiter'), {
    domain: 'menu',
    origin: 'chat_pin',
    subject: 'ann',
  });
  await save('Third', people, { scope: { type: 'team', id: 'red' }, severity: 'critical' });
  await save('Fourth', runtime.for('cook'), { finding: 'The fridge cost $90,000.', actions: [] });
  const { id, actions } = saved.get('Third') as Insight;
  await people.post(`/${id}/actions/${actions[0]?.id}/taken`);
});
afterAll(() => api.close());

const titles = async (query: string) => (await people.listed(query)).map(({ title }) => title);
const at = (title: string) => saved.get(title)?.created_at;

it.each<[string, () => string, string[]]>([
  ['nothing', () => '', ['Fourth', 'Third', 'Second', 'First']],
  ['urgency', () => '?order=score', ['Fourth', 'Third', 'Second', 'First']],
  ['origin', () => '?origin=chat_pin&origin=user_explore', ['Second']],
  ['severity', () => '?severity=low&severity=critical', ['Third', 'First']],
  ['domain', () => '?domain=menu', ['Second']],
  ['score', () => `?min_score=${saved.get('Third')?.urgency.score}`, ['Fourth', 'Third']],
  ['status of an action', () => '?status=taken', ['Third']],
  [
    'status, of which there is none without actions',
    () => '?status=recommended',
    ['Third', 'Second', 'First'],
  ],
  ['agent', () => '?agent=cook', ['Fourth', 'First']],
  ['team', () => '?team=red', ['Fourth', 'Third', 'First']],
  ['subject', () => '?subject=ann', ['Second']],
  ['words', () => '?q=fridge', ['Fourth']],
  ['since', () => `?since=${at('Third')}`, ['Fourth', 'Third']],
  ['until', () => `?until=${at('Third')}`, ['Second', 'First']],
  ['several', () => '?agent=cook&severity=low', ['First']],
])('by %s', async (_by, query, expected) => {
  expect(await titles(query())).toEqual(expected);
});

it.each(['created', 'score'])('in pages by %s, each of them once', async (order) => {
  const all = await titles(`?order=${order}`);
  for (const limit of [1, 3]) {
    const found: (string | null)[] = [];
    let cursor: string | null = null;
    do {
      const more: string = cursor === null ? '' : `&cursor=${cursor}`;
      const { body } = await people.get(`?order=${order}&limit=${limit}${more}`);
      expect(body.total).toBe(4);
      found.push(...body.items.map(({ title }: Insight) => title));
      cursor = body.next_cursor;
    } while (cursor !== null);
    expect(found).toEqual(all);
  }
});

it('of the same score, by their ids, and each once too', async () => {
  const team = { ...OVERTIME, scope: { type: 'team', id: 'red' }, domain: 'twins' };
  for (let n = 0; n < 5; n += 1) await people.saved(team);
  const found: string[] = [];
  let cursor = '';
  for (;;) {
    const { body } = await people.get(`?order=score&domain=twins&limit=2${cursor}`);
    found.push(...body.items.map(({ id }: Insight) => id));
    if (body.next_cursor === null) break;
    cursor = `&cursor=${body.next_cursor}`;
  }
  expect(found).toHaveLength(5);
  expect(found).toEqual([...new Set(found)].sort());
});

it.each([
  '?colour=red',
  '?origin=rumour',
  '?min_score=101',
  '?order=title',
  '?cursor=nonsense',
  '?limit=0',
])('and refuses %s', async (query) => {
  expect((await people.get(query)).status).toBe(400);
});

it('refuses a cursor of the other order', async () => {
  const { body } = await people.get('?order=created&limit=1');
  expect((await people.get(`?order=score&cursor=${body.next_cursor}`)).status).toBe(400);
});
