import type { CardGraph } from '../src/contracts/graph';
import type { EdgeType } from '../src/contracts/names';
import { startApi, type TestApi } from './support/api';
import { type Fleet, makeFleet, writeCard } from './support/fleet';

let api: TestApi;
let fleet: Fleet;
const cards: Record<string, string> = {};
let edges = 0;

const card = async (name: string, key: string, more: Record<string, unknown> = {}) => {
  const body = { summary: `The card ${name}.`, ...more };
  cards[name] = (await writeCard(api, body, { key })).id;
};

/** `a supports b` */
async function link(text: string, created = '2026-03-02T08:00:00Z'): Promise<void> {
  const [from = '', type = '', to = ''] = text.split(' ');
  edges += 1;
  await api.database.inWorkspace('default', (tx) =>
    tx.query(
      `INSERT INTO edges (workspace_id, id, type, from_card, to_card, confidence, reason, created_at)
       VALUES ('default', $1, $2, $3, $4, 0.9, 'a test', $5)`,
      [`edge_${edges}`, type, cards[from], cards[to], created],
    ),
  );
}

beforeAll(async () => {
  api = await startApi();
  fleet = await makeFleet(api);
  await card('warning', fleet.planner, { kind: 'constraint', sign: 'failed' });
  await card('success', fleet.planner, { kind: 'experience', sign: 'worked' });
  await card('rival', fleet.planner, { kind: 'constraint', sign: 'worked' });
  await card('lonely', fleet.planner);
  await card('hidden', fleet.coder, { kind: 'experience', sign: 'worked' });
  await link('success satisfies warning');
  await link('rival conflicts warning');
  await link('hidden satisfies rival');
  await link('hidden conflicts success');
  await link('hidden supports lonely');
});
afterAll(() => api.close());

const nameOf = (id: string) => Object.keys(cards).find((name) => cards[name] === id) ?? '';

async function graph(query: string, key = fleet.planner) {
  const { status, body } = await api.call('GET', `/v1/graph?${query}`, { key });
  expect([query, status]).toEqual([query, 200]);
  const { nodes, edges: shown, truncated } = body as CardGraph;
  return {
    truncated,
    names: nodes.map(({ id }) => nameOf(id)).sort(),
    edges: shown.map(({ from, type, to }) => `${nameOf(from)} ${type} ${nameOf(to)}`).sort(),
    of: (name: string) => {
      const node = nodes.find(({ id }) => id === cards[name]);
      if (node === undefined) throw new Error(`${name} is not shown`);
      const { degree, open_conflict, satisfied } = node;
      return { degree, open_conflict, satisfied };
    },
  };
}

const NOTHING = { open_conflict: false, satisfied: false };

it('whole: neither the hidden card, nor its edges, nor what these would say of others', async () => {
  const own = await graph('');
  expect(own.names).toEqual(['lonely', 'rival', 'success', 'warning']);
  expect(own.edges).toEqual(['rival conflicts warning', 'success satisfies warning']);
  expect(own.of('warning')).toEqual({ degree: 2, open_conflict: true, satisfied: true });
  expect(own.of('rival')).toEqual({ degree: 1, open_conflict: true, satisfied: false });
  expect(own.of('success')).toEqual({ degree: 1, ...NOTHING });
  expect(own.of('lonely')).toEqual({ degree: 0, ...NOTHING });
});

it('and all of it to whoever sees every card', async () => {
  const all = await graph('', api.ownerKey);
  expect(all.names).toHaveLength(5);
  expect(all.edges).toHaveLength(5);
  expect(all.of('hidden')).toEqual({ degree: 3, open_conflict: true, satisfied: false });
  expect(all.of('rival')).toEqual({ degree: 2, open_conflict: true, satisfied: true });
  expect(all.of('lonely').degree).toBe(1);
});

it('counts edges to cards that it does not show, where they may be seen', async () => {
  const one = await graph(`center=${cards.warning}&kinds=experience`);
  expect(one.names).toEqual(['success', 'warning']);
  expect(one.of('warning').degree).toBe(2);
});

it('has no open conflict where a rule decides, or one of the two is out of use', async () => {
  const owner = { key: api.ownerKey };
  const at = '2020-01-01T00:00:00Z';
  const patched = await api.call('PATCH', `/v1/cards/${cards.rival}`, {
    ...owner,
    body: { valid_from: at },
    headers: { 'if-match': '1' },
  });
  expect(patched.status).toBe(200);
  expect((await graph('')).of('warning')).toEqual({
    degree: 2,
    open_conflict: false,
    satisfied: true,
  });
  const path = `/v1/cards/${cards.hidden}/validation`;
  const wrong = await api.call('POST', path, { ...owner, body: { verdict: 'wrong' } });
  expect(wrong.status).toBe(200);
  expect((await graph(`center=${cards.success}`, api.ownerKey)).of('success').open_conflict).toBe(
    false,
  );
});

it('keeps to the filters: of nodes by kind, agent and time, of edges by type', async () => {
  const key = api.ownerKey;
  const day = (offset: number) =>
    encodeURIComponent(new Date(Date.now() + offset * 86_400_000).toISOString());
  expect((await graph('agent=planner', key)).names).not.toContain('hidden');
  expect((await graph('agent=coder', key)).names).not.toContain('warning');
  expect((await graph(`since=${day(-1)}&until=${day(1)}`, key)).names).toContain('warning');
  expect((await graph(`until=${day(-1)}`, key)).names).toEqual([]);
  expect((await graph(`since=${day(1)}`, key)).names).toEqual([]);
  // A center is shown, and nothing is walked through that is not wanted.
  expect((await graph(`center=${cards.warning}&until=${day(-1)}`)).names).toEqual(['warning']);
  expect((await graph('edge_types=conflicts')).edges).toEqual(['rival conflicts warning']);
  expect(await graph(`center=${cards.warning}&depth=2&edge_types=satisfies`)).toMatchObject({
    names: ['success', 'warning'],
    edges: ['success satisfies warning'],
  });
  for (const bad of ['edge_types=rumour', 'since=yesterday', 'limit=5001', 'limit=0']) {
    expect((await api.call('GET', `/v1/graph?${bad}`)).status).toBe(400);
  }
});

it('shows no more than asked for, says so, and has no edge with a loose end', async () => {
  const types: readonly EdgeType[] = ['supports', 'constrains'];
  const many = Array.from({ length: 40 }, (_, n) => `many-${n}`);
  for (const name of many) await card(name, fleet.planner);
  for (const [n, name] of many.entries()) {
    for (const step of [1, 3, 7]) {
      await link(`${name} ${types[n % 2]} many-${(n + step) % many.length}`);
    }
  }
  for (let limit = 1; limit <= 48; limit += 4) {
    for (const query of [`limit=${limit}`, `limit=${limit}&center=${cards['many-0']}&depth=2`]) {
      const shown = await graph(query, api.ownerKey);
      expect(shown.names.length).toBeLessThanOrEqual(limit);
      const all = (await graph(query.replace(`limit=${limit}`, 'limit=5000'), api.ownerKey)).names;
      expect([query, shown.truncated]).toEqual([query, all.length > shown.names.length]);
      for (const edge of shown.edges) {
        const [from, , to] = edge.split(' ');
        expect(shown.names).toEqual(expect.arrayContaining([from, to]));
      }
    }
  }
  expect((await graph('limit=1')).names).toEqual(['many-39']);
});

it('and the client asks the same', async () => {
  const found = await api.owner.cards.graph({
    center: cards.warning ?? '',
    depth: 1,
    edge_types: ['satisfies', 'conflicts'],
    kinds: ['experience', 'constraint'],
  });
  expect(found.nodes.map(({ id }) => nameOf(id)).sort()).toEqual(['rival', 'success', 'warning']);
  expect(found.edges).toHaveLength(2);
});
