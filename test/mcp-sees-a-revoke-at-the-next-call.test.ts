import { writeCard } from './support/fleet';
import { McpSession } from './support/mcp';
import { type McpFleet, startMcpFleet } from './support/mcp-fleet';

let { api, planner, coder } = {} as McpFleet;
let now = new Date('2026-03-02T08:00:00.000Z');
beforeAll(async () => {
  ({ api, planner, coder } = await startMcpFleet({ clock: () => now }));
});
afterAll(() => api.close());

const VALUE = 'The crane lifts nine tons.';

/** A note, so that every reading tool can find it. */
async function noted(key: string): Promise<string> {
  const { structured } = await planner.call('note', { key, value: VALUE });
  return structured.note.card_id;
}

/** Which of the reading tools show the card in the session that is open. */
async function shownBy(session: McpSession, id: string, key: string): Promise<string[]> {
  const query = 'how many tons does the crane lift';
  const answers = {
    memory_search: await session.call('memory_search', { query, limit: 50 }),
    search_memories: await session.call('search_memories', { query, limit: 50 }),
    read_notes: await session.call('read_notes'),
    note: await session.call('note', { key }),
  };
  return Object.entries(answers)
    .filter(([, answer]) => JSON.stringify(answer).includes(id))
    .map(([name]) => name);
}

const EVERY_TOOL = ['memory_search', 'search_memories', 'read_notes', 'note'];

/** One kind of taking back, and giving again. */
const WAYS: [string, (id: string) => Promise<void>, (id: string) => Promise<void>][] = [
  [
    'unshare',
    async (id) => void (await planner.call('share', { id, agent: 'coder' })),
    async (id) => void (await planner.call('unshare', { id, agent: 'coder' })),
  ],
  [
    'a grant that a person withdraws',
    async (id) => void (await api.call('PUT', `/v1/cards/${id}/grants/coder`)),
    async (id) => void (await api.call('DELETE', `/v1/cards/${id}/grants/coder`)),
  ],
  [
    'leaving the group that a card is shared with',
    async (id) => {
      await api.call('PUT', '/v1/agent-groups/crew', { body: { members: ['coder'] } });
      await api.call('PUT', `/v1/cards/${id}/group-grants/crew`);
    },
    async () => void (await api.call('PUT', '/v1/agent-groups/crew', { body: { members: [] } })),
  ],
  [
    'a grant that ends by itself',
    async (id) => {
      const expires_at = new Date(now.getTime() + 60_000).toISOString();
      await planner.call('share', { id, agent: 'coder', expires_at });
    },
    async () => {
      now = new Date(now.getTime() + 60_001);
    },
  ],
  [
    'deleting the card',
    async (id) => void (await planner.call('share', { id, agent: 'coder' })),
    async (id) => void (await api.call('DELETE', `/v1/cards/${id}`)),
  ],
];

it.each(WAYS)('%s: the very next call of each tool no longer shows it', async (way, give, take) => {
  for (const [at, tool] of EVERY_TOOL.entries()) {
    const key = `crane-${way.replace(/\W+/g, '-')}-${at}`;
    const id = await noted(key);
    expect(await shownBy(coder, id, key)).toEqual([]);
    await give(id);
    expect(await shownBy(coder, id, key)).toEqual(EVERY_TOOL);
    await take(id);
    // Each tool is the first to be called after it once.
    const args = { note: { key }, read_notes: {} }[tool] ?? { query: VALUE, limit: 50 };
    expect(JSON.stringify(await coder.call(tool, args))).not.toContain(id);
    expect(await shownBy(coder, id, key)).toEqual([]);
  }
});

it('a change of team is seen by the next call', async () => {
  const scope = { type: 'team', id: 'blue' };
  const { id } = await writeCard(api, { summary: VALUE, key: 'team-crane', scope });
  expect(await shownBy(coder, id, 'team-crane')).toEqual([]);
  await api.call('PUT', '/v1/agents/coder', { body: { team: 'blue' } });
  expect(await shownBy(coder, id, 'team-crane')).toEqual(EVERY_TOOL);
  await api.call('PUT', '/v1/agents/coder', { body: { team: 'red' } });
  expect(await shownBy(coder, id, 'team-crane')).toEqual([]);
});

it('a context in a prompt is known to be stale by its version', async () => {
  const id = await noted('stale');
  await planner.call('share', { id, agent: 'coder' });
  const query = { query: 'crane tons', limit: 50 };
  const before = (await coder.call('memory_search', query)).structured.context_version;
  expect((await coder.call('memory_search', query)).structured.context_version).toBe(before);
  await planner.call('unshare', { id, agent: 'coder' });
  expect((await coder.call('memory_search', query)).structured.context_version).not.toBe(before);
});

it('a revoked key ends an open session at its next call', async () => {
  const { body } = await api.call('POST', '/v1/keys', {
    body: { principal: { kind: 'agent', id: 'coder' } },
  });
  const session = await McpSession.http(api, body.key);
  expect((await session.call('read_notes')).isError).toBe(false);
  await api.call('DELETE', `/v1/keys/${body.id}`);
  for (const name of EVERY_TOOL) {
    await expect(session.call(name, { query: 'x' })).rejects.toThrow(
      'this key is unknown, revoked or expired',
    );
  }
  await expect(session.tools()).rejects.toThrow('revoked');
  await session.close();
});

it('memory that is switched off gives nothing to the next call', async () => {
  const id = await noted('off');
  await api.call('PUT', '/v1/workspace', { body: { memory_mode: 'off' } });
  const found = await planner.call('memory_search', { query: 'crane tons', limit: 50 });
  expect(JSON.stringify(found)).not.toContain(id);
  expect(found.text).toContain('switched off');
  const refused = await planner.call('add_memory', { text: 'Not now.' });
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('memory_off') });
  await api.call('PUT', '/v1/workspace', { body: { memory_mode: 'automatic' } });
  const again = await planner.call('memory_search', { query: 'crane tons', limit: 50 });
  expect(JSON.stringify(again)).toContain(id);
});
