import { type CallOptions, startApi, type TestApi } from './support/api';
import { HOUR, LANE_START, TestClock } from './support/filing';
import { Insights, OVERTIME } from './support/insights';
import { email } from './support/secret-strings';

const clock = new TestClock(LANE_START);
let api: TestApi;
let runtime: string;
beforeAll(async () => {
  api = await startApi({ clock: clock.now });
  runtime = await api.keyFor({ kind: 'runtime', id: 'till' });
});
afterAll(() => api.close());
beforeEach(() => clock.advance(24 * HOUR));

const push = (body: object, options: CallOptions = {}) =>
  api.call('POST', '/v1/metrics', { key: runtime, body, ...options });
const listed = async (query = '') =>
  (await api.call('GET', `/v1/metrics${query}`, { key: runtime })).body;
const at = (hours: number) => new Date(clock.now().getTime() - hours * HOUR).toISOString();

it('pushed again for the same moment it is the later one', async () => {
  const moment = at(1);
  expect(await push({ name: 'covers', value: 80, at: moment })).toMatchObject({
    status: 201,
    body: { accepted: 1 },
  });
  await push({ name: 'covers', value: 90, unit: 'guests', at: moment.replace('Z', '+00:00') });
  await push({ name: 'covers', value: 100, at: at(0) });
  const { items, total } = await listed('?name=covers');
  expect(total).toBe(2);
  expect(items).toEqual([
    { name: 'covers', value: 100, unit: null, at: at(0), goal: null },
    { name: 'covers', value: 90, unit: 'guests', at: moment, goal: null },
  ]);
});

it('of one unit however it is written', async () => {
  await push({ name: 'till', value: 1, unit: 'usd', at: at(2) });
  await push({ name: 'till', value: 2, unit: 'USD', at: at(1) });
  const { items } = await listed('?name=till');
  expect(items.map(({ unit }: { unit: string }) => unit)).toEqual(['USD', 'USD']);
});

it('many at once are all kept, the last of a moment; or none', async () => {
  const metrics = [
    { name: 'waste', value: 1, at: at(2) },
    { name: 'waste', value: 2, at: at(2) },
    { name: 'waste', value: 3, at: at(1) },
    { name: 'a.b', value: -0.5, unit: '%', at: at(1), goal: 'down' },
  ];
  expect((await push({ metrics })).body).toEqual({ accepted: 3 });
  const { items } = await listed('?name=waste');
  expect(items.map(({ value }: { value: number }) => value)).toEqual([3, 2]);
  const bad = [
    { name: 'waste', value: 9, at: at(0) },
    { name: email(), value: 1 },
  ];
  const refused = await push({ metrics: bad });
  expect([refused.status, refused.body.pointer]).toEqual([422, '/metrics/1/name']);
  expect((await listed('?name=waste')).total).toBe(2);
});

it.each<[string, object, string]>([
  ['no number', { name: 'x', value: 'many' }, '/value'],
  ['an unknown field', { name: 'x', value: 1, colour: 'red' }, '/colour'],
  ['a time to come', { name: 'x', value: 1, at: '2999-01-01T00:00:00Z' }, '/at'],
  ['no zone', { name: 'x', value: 1, at: '2026-03-02T08:00:00' }, '/at'],
  ['no such goal', { name: 'x', value: 1, goal: 'sideways' }, '/goal'],
  ['no name', { value: 1 }, '/name'],
  ['nothing', {}, '/metrics'],
  [
    'one bad among many',
    {
      metrics: [
        { name: 'a', value: 1 },
        { name: 'b', value: 'z' },
      ],
    },
    '/metrics/1/value',
  ],
  ['none at all', { metrics: [] }, '/metrics'],
  [
    'too many',
    { metrics: Array.from({ length: 501 }, () => ({ name: 'x', value: 1 })) },
    '/metrics',
  ],
])('is refused with %s', async (_what, body, pointer) => {
  const answer = await push(body);
  expect(answer.status).toBe(400);
  expect(answer.body.pointer).toBe(pointer);
  expect(answer.body.detail).not.toBe('body: Invalid input');
});

it('once for its key', async () => {
  const headers = { 'idempotency-key': 'push' };
  const body = { name: 'once', value: 1, at: at(0) };
  expect((await push(body, { headers })).body).toEqual({ accepted: 1 });
  await push({ ...body, value: 2 });
  expect((await push(body, { headers })).body).toEqual({ accepted: 1 });
  expect((await listed('?name=once')).items[0].value).toBe(2);
});

it('is pushed by runtimes and people who edit, and read by runtimes and staff', async () => {
  const agent = await api.keyFor({ kind: 'agent', id: 'scout' });
  const expected: [string, string, number, number][] = [
    ['agent', agent, 403, 403],
    ['runtime', runtime, 201, 200],
    ['operator', await api.keyOf('operator'), 201, 200],
    ['reviewer', await api.keyOf('reviewer'), 201, 200],
    ['auditor', await api.keyOf('auditor'), 403, 200],
    ['member', await api.keyOf('member', 'ann'), 403, 403],
  ];
  for (const [who, key, pushing, reading] of expected) {
    const pushed = await push({ name: 'seats', value: 1, at: at(0) }, { key });
    const read = await api.call('GET', '/v1/metrics', { key });
    expect([who, pushed.status, read.status]).toEqual([who, pushing, reading]);
  }
});

it('is listed by name and time, in pages', async () => {
  const hours = [5, 4, 3, 2, 1];
  await push({
    metrics: hours.flatMap((back) => [
      { name: 'paged', value: back, at: at(back) },
      { name: 'paged too', value: back, at: at(back) },
    ]),
  });
  const query = `?since=${at(4)}&until=${at(1)}`;
  const values = async (limit: number) => {
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const more: string = cursor === null ? '' : `&cursor=${cursor}`;
      const page = await listed(`${query}&limit=${limit}${more}`);
      expect(page.total).toBe(6);
      found.push(...page.items.map((one: { name: string; value: number }) => one.name + one.value));
      cursor = page.next_cursor;
    } while (cursor !== null);
    return found;
  };
  const all = ['paged2', 'paged too2', 'paged3', 'paged too3', 'paged4', 'paged too4'];
  for (const limit of [1, 4, 50]) expect(await values(limit)).toEqual(all);
  expect((await listed('?name=paged')).total).toBe(5);
  expect((await api.call('GET', '/v1/metrics?colour=red')).status).toBe(400);
});

it('is the baseline of an insight that names it, as it stood then, and of nobody else’s to see', async () => {
  await push({ name: 'tips', value: 10, unit: 'USD', at: at(3) });
  await push({ name: 'tips', value: 12, unit: 'USD', at: at(2) });
  const scout = new Insights(api).as(runtime).for('scout');
  const insight = await scout.saved({
    metrics: [
      { name: 'own', value: 5, at: at(1) },
      { name: 'tips' },
      { name: 'own', value: 4, at: at(2) },
    ],
  });
  expect(insight.baseline).toEqual([
    { name: 'own', value: 5, unit: null, at: at(1), goal: null },
    { name: 'tips', value: 12, unit: 'USD', at: at(2), goal: null },
  ]);
  expect((await listed('?name=own')).total).toBe(0);
});

it('of a name and unit is the newest of that unit, whatever came later in another', async () => {
  await push({ name: 'ticket', value: 30, unit: 'USD', at: at(3) });
  await push({ name: 'ticket', value: 28, unit: 'EUR', at: at(2) });
  const scout = new Insights(api).as(runtime).for('scout');
  const insight = await scout.saved({ metrics: [{ name: 'ticket', unit: 'USD' }] });
  expect(insight.baseline).toMatchObject([{ value: 30, unit: 'USD', at: at(3) }]);
  const none = await scout.post('', { ...OVERTIME, metrics: [{ name: 'ticket', unit: 'covers' }] });
  expect([none.status, none.body.pointer]).toEqual([400, '/metrics/0/name']);
});
