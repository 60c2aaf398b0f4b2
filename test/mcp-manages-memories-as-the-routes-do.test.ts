import { describeNative } from './support/database';
import { writeCard } from './support/fleet';
import { McpSession } from './support/mcp';
import { type McpFleet, startMcpFleet } from './support/mcp-fleet';

let { api, fleet, planner, coder } = {} as McpFleet;
beforeAll(async () => {
  ({ api, fleet, planner, coder } = await startMcpFleet());
  // From then on the client checks what is answered against what the tool says it answers.
  for (const session of [planner, coder]) await session.tools();
});
afterAll(() => api.close());

const card = async (id: string) => (await api.call('GET', `/v1/cards/${id}`)).body;
const save = async (text: string, more: object = {}): Promise<string> => {
  const args = { action: 'save', text, ...more };
  return (await planner.call('memory_manage', args)).structured.id;
};

describe('memory_manage', () => {
  it('saves with a kind, in the own scope', async () => {
    const text = 'The press jams below ten degrees.';
    const args = { action: 'save', text, kind: 'constraint' };
    const { structured, text: said } = await planner.call('memory_manage', args);
    expect(structured).toEqual({
      ...{ action: 'saved', id: expect.any(String), memory: text, kind: 'constraint' },
      ...{ key: null, status: 'pending', version: 1 },
    });
    expect(said).toContain('unconfirmed until a person');
    expect(await card(structured.id)).toMatchObject({
      summary: text,
      scope: { type: 'agent', id: 'planner' },
      trust: 'agent',
    });
  });

  it('under a key supersedes what stands there', async () => {
    const first = await save('At most 400.', { key: 'send-cap' });
    const second = await save('At most 500.', { key: 'send-cap' });
    expect(await card(first)).toMatchObject({ status: 'superseded', superseded_by: second });
  });

  it('corrects one of its own as a new version, and no other', async () => {
    const id = await save('The lamp is red.');
    const args = { action: 'update', id, text: 'The lamp is green.', kind: 'convention' };
    const { structured } = await planner.call('memory_manage', args);
    expect(structured).toMatchObject({
      ...{ action: 'updated', id, memory: 'The lamp is green.', kind: 'convention', version: 2 },
    });
    const history = await api.call('GET', `/v1/cards/${id}/history`);
    expect(history.body.items.map(({ version }: { version: number }) => version)).toEqual([1, 2]);
    const foreign = await coder.call('memory_manage', args);
    expect(foreign).toMatchObject({ isError: true, text: expect.stringContaining('[404') });
    await planner.call('share', { id, agent: 'coder' });
    const lent = await coder.call('memory_manage', args);
    expect(lent).toMatchObject({ isError: true, text: expect.stringContaining('[403') });
    expect(await card(id)).toMatchObject({ version: 2 });
  });

  it('deletes one of its own for every reader, and no other', async () => {
    const id = await save('Not for long.');
    await planner.call('share', { id, agent: 'coder' });
    const foreign = await coder.call('memory_manage', { action: 'delete', id });
    expect(foreign).toMatchObject({ isError: true, text: expect.stringContaining('[403') });
    const { structured } = await planner.call('memory_manage', { action: 'delete', id });
    expect(structured).toMatchObject({ action: 'deleted', id, memory: null, status: 'deleted' });
    expect((await api.call('GET', `/v1/cards/${id}`)).status).toBe(404);
    const again = await planner.call('memory_manage', { action: 'delete', id });
    expect(again).toMatchObject({ isError: true, text: expect.stringContaining('[404') });
    expect((await api.call('POST', `/v1/cards/${id}/restore`)).status).toBe(200);
  });

  it('redacts in what it saves and what it corrects', async () => {
    const secret = ['sk', 'live', '9aF3kQ7ZtR2xW8mB4nC6vD1e'].join('_');
    const id = await save(`Use ${secret}.`);
    const args = { action: 'update', id, text: `Use ${secret} again.` };
    const { structured } = await planner.call('memory_manage', args);
    expect(structured.memory).not.toContain(secret);
    expect(JSON.stringify(await card(id))).not.toContain(secret);
  });

  it('takes unicode whole, and refuses what is too long in words', async () => {
    const text = 'Ω 漢字 🦉 é, „quoted“ and 𝒳.';
    expect((await card(await save(text))).summary).toBe(text);
    const args = { action: 'save', text: '🦉'.repeat(2_001) };
    const long = await planner.call('memory_manage', args);
    expect(long.text).toContain('text: must be at most 2000 characters');
    expect((await card(await save('🦉'.repeat(2_000)))).summary).toHaveLength(4_000);
  });

  it('sent again under its key is done once', async () => {
    const message = (text: string) => ({
      key: fleet.planner,
      headers: { 'idempotency-key': 'managed-once' },
      body: {
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'memory_manage', arguments: { action: 'save', text } },
      },
    });
    const first = await api.call('POST', '/mcp', message('Managed once.'));
    const again = await api.call('POST', '/mcp', message('Managed once.'));
    expect(again.body.result.structuredContent).toEqual(first.body.result.structuredContent);
    const other = await api.call('POST', '/mcp', message('Something else.'));
    expect(other.body.result.content[0].text).toContain('idempotency_key_reused');
  });

  it('says whom it writes for where the key names nobody', async () => {
    const owner = await McpSession.http(api, api.ownerKey);
    const args = { action: 'save', text: 'Whose?' };
    expect((await owner.call('memory_manage', args)).text).toContain('CAIRN_AGENT');
    await owner.close();
  });
});

describeNative('of many who correct one memory at one moment', () => {
  it('each has its version, and none is lost', async () => {
    const id = await save('Corrected by many.');
    const writers = Array.from({ length: 6 }, (_, at) => `Corrected by number ${at}.`);
    const answers = await Promise.all(
      writers.map((text) => planner.call('memory_manage', { action: 'update', id, text })),
    );
    expect(answers.filter(({ isError }) => isError)).toEqual([]);
    expect((await card(id)).version).toBe(7);
    const history = await api.call('GET', `/v1/cards/${id}/history`);
    const texts = history.body.items.map(
      (item: { after: { summary: string } }) => item.after.summary,
    );
    expect(texts.sort()).toEqual(['Corrected by many.', ...writers].sort());
  });
});

describe('validate', () => {
  it('counts a success of its own, and a wrong one is out of use', async () => {
    const id = await save('Held twice.');
    const held = await planner.call('validate', { id, verdict: 'success' });
    expect(held).toMatchObject({
      text: `Noted that ${id} held.`,
      structured: { id, verdict: 'success', status: 'pending', version: 1 },
    });
    const wrong = await planner.call('validate', { id, verdict: 'wrong' });
    expect(wrong.structured).toEqual({ id, verdict: 'wrong', status: 'rejected', version: 2 });
    const found = await planner.call('search_memories', { query: 'held twice' });
    expect(JSON.stringify(found)).not.toContain(id);
    expect(await card(id)).toMatchObject({ status: 'rejected' });
  });

  it('goes as far as the route goes, and says what the route says', async () => {
    const { id } = await writeCard(api, { summary: 'Of the planner.' }, { key: fleet.planner });
    const path = `/v1/cards/${id}/validation`;
    for (const share of [false, true]) {
      if (share) await planner.call('share', { id, agent: 'coder' });
      const tool = await coder.call('validate', { id, verdict: 'wrong' });
      const route = await api.call('POST', path, { key: fleet.coder, body: { verdict: 'wrong' } });
      expect(tool.isError).toBe(true);
      expect(tool.text).toContain(route.body.detail);
      expect(tool.text).toContain(`[${route.status} ${route.body.code}]`);
    }
    const owner = await McpSession.http(api, api.ownerKey);
    const done = await owner.call('validate', { id, verdict: 'success' });
    expect(done.structured).toMatchObject({ status: 'validated' });
    await owner.close();
  });
});

describe("a model with a person's key", () => {
  it('says what it says as the agent, and decides nothing', async () => {
    const session = await McpSession.http(api, api.ownerKey, { 'cairn-agent': 'desktop' });
    const { structured } = await session.call('add_memory', { text: 'The gate opens at six.' });
    const { id } = structured.results[0];
    expect(await card(id)).toMatchObject({
      ...{ trust: 'agent', status: 'pending', scope: { type: 'agent', id: 'desktop' } },
      provenance: { writer: { kind: 'agent', id: 'desktop' }, distilled_by: 'model' },
    });
    await session.call('validate', { id, verdict: 'success' });
    expect((await card(id)).status).toBe('pending');
    const shared = await session.call('share', { id, agent: 'coder' });
    expect(shared).toMatchObject({ isError: true, text: expect.stringContaining('[403') });
    await session.close();
  });
});
