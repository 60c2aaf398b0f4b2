import { startApi, type TestApi } from './support/api';
import { type Fleet, makeFleet, writeCard } from './support/fleet';

let api: TestApi;
let fleet: Fleet;
/** a – b – c – d in a row, `c` an insight. */
const row: string[] = [];

beforeAll(async () => {
  api = await startApi();
  fleet = await makeFleet(api);
  for (const name of ['a', 'b', 'c', 'd']) {
    const card = await writeCard(
      api,
      { summary: `Card ${name} of the row.`, kind: name === 'c' ? 'insight' : 'knowledge' },
      { key: fleet.planner },
    );
    row.push(card.id);
  }
  await api.database.inWorkspace('default', async (tx) => {
    for (let index = 1; index < row.length; index += 1) {
      await tx.query(
        `INSERT INTO edges (workspace_id, id, type, from_card, to_card, confidence, reason, created_at)
         VALUES ('default', $1, 'supports', $2, $3, 0.9, 'a test', now())`,
        [`edge_${index}`, row[index], row[index - 1]],
      );
    }
  });
});
afterAll(() => api.close());

const graph = async (query: string, key = fleet.planner) => {
  const { status, body } = await api.call('GET', `/v1/graph?${query}`, { key });
  const name = (id: string) => 'abcd'.charAt(row.indexOf(id));
  return {
    status,
    truncated: body.truncated,
    nodes: (body.nodes ?? []).map((node: { id: string }) => name(node.id)).join(''),
    edges: (body.edges ?? []).map(
      (edge: { from: string; to: string }) => name(edge.from) + name(edge.to),
    ),
    body,
  };
};

it('goes one hop, or two when asked', async () => {
  expect(await graph(`center=${row[0]}`)).toMatchObject({ nodes: 'ab', edges: ['ba'] });
  const two = await graph(`center=${row[0]}&depth=2`);
  expect(two).toMatchObject({ nodes: 'abc', truncated: false });
  expect(two.edges.sort()).toEqual(['ba', 'cb']);
  expect((await graph(`center=${row[0]}&depth=3`)).status).toBe(400);
});

it('shows what a node and an edge are', async () => {
  const { body } = await graph(`center=${row[0]}`);
  expect(body.nodes[0]).toEqual({
    id: row[0],
    kind: 'knowledge',
    sign: 'neutral',
    status: 'pending',
    summary: 'Card a of the row.',
    agent: 'planner',
    scope: { type: 'agent', id: 'planner' },
    service: null,
    valid_from: expect.stringMatching(/Z$/),
    recorded_at: expect.stringMatching(/Z$/),
    degree: 1,
    open_conflict: false,
    satisfied: false,
  });
  expect(body.edges[0]).toEqual({
    id: 'edge_1',
    type: 'supports',
    from: row[1],
    to: row[0],
    confidence: 0.9,
    created_at: expect.stringMatching(/Z$/),
  });
});

it('keeps to the kinds asked for, and does not walk through others', async () => {
  expect(await graph(`center=${row[1]}&depth=2&kinds=knowledge`)).toMatchObject({ nodes: 'ba' });
  expect(await graph(`center=${row[1]}&depth=2&kinds=knowledge,insight`)).toMatchObject({
    nodes: expect.stringMatching(/^b[acd]{3}$/),
  });
  expect((await graph(`center=${row[1]}&kinds=colour`)).status).toBe(400);
});

it('says when there was more', async () => {
  expect(await graph(`center=${row[1]}&depth=2&limit=2`)).toMatchObject({ truncated: true });
  expect(await graph('limit=2')).toMatchObject({ truncated: true, nodes: 'dc', edges: ['dc'] });
});

it('without a center shows the newest', async () => {
  expect(await graph('')).toMatchObject({ nodes: 'dcba', truncated: false });
  expect(await graph('kinds=insight')).toMatchObject({ nodes: 'c', edges: [] });
});

it('does not walk through what the reader cannot see', async () => {
  for (const index of [0, 2]) await api.call('PUT', `/v1/cards/${row[index]}/grants/coder`);
  expect(await graph(`center=${row[0]}&depth=2`, fleet.coder)).toMatchObject({
    nodes: 'a',
    edges: [],
  });
  await api.call('PUT', `/v1/cards/${row[1]}/grants/coder`);
  expect(await graph(`center=${row[0]}&depth=2`, fleet.coder)).toMatchObject({ nodes: 'abc' });
});
