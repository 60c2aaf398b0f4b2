import { startApi, type TestApi } from './support/api';
import { type Fleet, makeFleet, writeCard } from './support/fleet';

let api: TestApi;
let fleet: Fleet;
let now = new Date('2026-03-02T08:00:00.000Z');
const ids: Record<string, string> = {};

beforeAll(async () => {
  api = await startApi({ clock: () => now });
  fleet = await makeFleet(api);
  const cards: [name: string, body: Record<string, unknown>, key?: string][] = [
    ['plain', { summary: 'Pelicans eat fish.', subject: 'acme' }, fleet.planner],
    [
      'warning',
      {
        summary: 'Booked a flight. It failed: the card was refused.',
        sign: 'failed',
        hints: { service: 'flights', operation: 'book' },
      },
      fleet.coder,
    ],
    ['team', { summary: 'We book flights on Mondays.', scope: { type: 'team', id: 'blue' } }],
    ['old', { summary: 'The limit is 10.', key: 'limit' }, fleet.coder],
    ['new', { summary: 'The limit is 20.', key: 'limit' }, fleet.coder],
    ['wrong', { summary: 'Fish eat pelicans.', scope: { type: 'agent', id: 'planner' } }],
  ];
  for (const [name, body, key] of cards) {
    now = new Date(now.getTime() + 60_000);
    ids[name] = (await writeCard(api, body, key === undefined ? {} : { key })).id;
  }
  await api.call('POST', `/v1/cards/${ids.wrong}/validation`, { body: { verdict: 'wrong' } });
});
afterAll(() => api.close());

const list = async (query: string, key?: string) => {
  const { status, body } = await api.call(
    'GET',
    `/v1/cards?${query}`,
    key === undefined ? {} : { key },
  );
  const names = (body.items ?? []).map(
    (card: { id: string }) => Object.entries(ids).find(([, id]) => id === card.id)?.[0],
  );
  return { status, names, total: body.total, body };
};

it('shows what is in use, the newest first; a person sees what was rejected too', async () => {
  expect((await list('')).names).toEqual(['wrong', 'new', 'team', 'warning', 'plain']);
  expect((await list('', fleet.planner)).names).toEqual(['plain']);
  expect((await list('', fleet.coder)).names).toEqual(['new', 'warning']);
});

it.each<[string, string[]]>([
  ['kind=constraint', ['warning']],
  [
    'kind=constraint&kind=knowledge&status=active&status=pending',
    ['new', 'team', 'warning', 'plain'],
  ],
  ['sign=failed', ['warning']],
  ['status=superseded', ['old']],
  ['status=rejected', ['wrong']],
  ['status=superseded&status=active', ['old', 'team']],
  ['agent=coder', ['new', 'warning']],
  ['team=red', ['wrong', 'new', 'warning', 'plain']],
  ['team=blue', ['team']],
  ['subject=acme', ['plain']],
  ['service=flights', ['warning']],
  ['service=flights&operation=cancel', []],
  ['q=flight', ['team', 'warning']],
  ['q=booking+flights', ['team', 'warning']],
  ['q=pelican+fish', ['wrong', 'plain']],
  ['q=pelican+flight', []],
  ['q=the', []],
  ['since=2026-03-02T08:03:00Z&until=2026-03-02T08:05:00Z', ['team']],
  ['agent=nobody', []],
])('%s', async (query, names) => {
  const found = await list(query);
  expect([found.status, found.names, found.total]).toEqual([200, names, names.length]);
});

it.each([
  'colour=red',
  'kind=note',
  'status=live',
  'since=yesterday',
  'limit=0',
  'limit=501',
  'cursor=x',
])('refuses %s', async (query) => {
  expect((await list(query)).status).toBe(400);
});

it('is read page by page, each card once', async () => {
  const seen: string[] = [];
  let cursor = '';
  for (let page = 0; page < 10; page += 1) {
    const { names, body } = await list(`limit=2${cursor}`);
    expect(body.total).toBe(5);
    seen.push(...names);
    if (body.next_cursor === null) break;
    cursor = `&cursor=${body.next_cursor}`;
  }
  expect(seen).toEqual(['wrong', 'new', 'team', 'warning', 'plain']);
});

it('counts only what the reader may see', async () => {
  expect((await list('q=limit', fleet.planner)).total).toBe(0);
  expect((await list('q=limit', fleet.coder)).total).toBe(1);
});
