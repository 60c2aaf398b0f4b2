import { startApi, type TestApi } from './support/api';
import { type Fleet, makeFleet } from './support/fleet';
import { McpSession } from './support/mcp';

let api: TestApi;
let fleet: Fleet;
beforeAll(async () => {
  api = await startApi();
  fleet = await makeFleet(api);
});
afterAll(() => api.close());

const READING = [
  ...['memory_search', 'search_memories', 'note', 'read_notes'],
  ...['discover_skills', 'load_skill'],
];
const WRITES: [string, Record<string, unknown>][] = [
  ['add_memory', { text: 'Not to be kept.' }],
  ['note', { key: 'k', value: 'Not to be kept.' }],
  ['note', { key: 'k', delete: true }],
  ['memory_manage', { action: 'save', text: 'Not to be kept.' }],
  ['memory_manage', { action: 'update', id: 'card_x', text: 'Not to be kept.' }],
  ['memory_manage', { action: 'delete', id: 'card_x' }],
  ['validate', { id: 'card_x', verdict: 'wrong' }],
  ['share', { id: 'card_x', agent: 'coder' }],
  ['unshare', { id: 'card_x', agent: 'coder' }],
  // Whether the arguments are right is not told either.
  ['add_memory', { nonsense: 1 }],
];

async function expectsReadingOnly(session: McpSession): Promise<void> {
  const { tools } = await session.client.listTools();
  expect(tools.map((tool) => tool.name)).toEqual(READING);
  const note = tools.find((tool) => tool.name === 'note');
  expect(Object.keys(note?.inputSchema.properties ?? {})).toEqual(['key']);
  expect(note?.annotations?.readOnlyHint).toBe(true);
  for (const [name, args] of WRITES) {
    const answer = await session.call(name, args);
    expect([name, answer.isError]).toEqual([name, true]);
    expect(answer.text).toContain('a restricted agent reads only');
  }
  expect((await session.call('read_notes')).isError).toBe(false);
  expect((await session.call('memory_search', { query: 'anything' })).isError).toBe(false);
  expect((await session.call('search_memories', { query: 'anything' })).isError).toBe(false);
}

const restrict = (id: string, restricted: boolean) =>
  api.call('PUT', `/v1/agents/${id}`, { body: { parent_agent: 'planner', restricted } });

it('the list is shorter and what is hidden is refused, from one call to the next', async () => {
  const session = await McpSession.http(api, fleet.child);
  expect(await session.tools()).toContain('share');
  const kept = await session.call('note', { key: 'mine', value: 'Written while it might.' });
  expect(kept.isError).toBe(false);
  await restrict('child', true);
  await expectsReadingOnly(session);
  expect((await session.call('note', { key: 'mine' })).text).toContain('Written while it might.');
  await restrict('child', false);
  expect(await session.tools()).toContain('share');
  const again = await session.call('note', { key: 'mine', value: 'And again.' });
  expect(again.structured.note.version).toBe(2);
  await session.close();
});

it('whoever holds the key: a runtime, or a person who speaks as that agent', async () => {
  await restrict('narrow', true);
  for (const key of [fleet.runtime, api.ownerKey]) {
    const session = await McpSession.http(api, key, { 'cairn-agent': 'narrow' });
    await expectsReadingOnly(session);
    await session.close();
  }
});

it('an auditor, who writes nothing anywhere, has the reading tools too', async () => {
  const session = await McpSession.http(api, await api.keyOf('auditor'));
  expect(await session.tools()).toEqual(READING);
  const refused = await session.call('add_memory', { text: 'No.' });
  expect(refused).toMatchObject({
    isError: true,
    text: expect.stringContaining('another kind of'),
  });
  await session.close();
});
