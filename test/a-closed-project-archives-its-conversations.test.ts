import { good, Talk } from './support/conversations';
import { cardIds, HOUR, type RecallLane, startRecallLane } from './support/filing';
import { writeCard } from './support/fleet';
import { McpSession } from './support/mcp';

let lane: RecallLane;
beforeAll(async () => {
  lane = await startRecallLane();
});
afterAll(() => lane.close());

const start = (id: string, body = {}) => new Talk(lane.api, { id, agent: 'scout' }).start(body);
const close = (project: string) => lane.api.call('POST', `/v1/projects/${project}/close`);

it('they leave every context, take nothing more, and can still be read', async () => {
  const open = await start('of-the-attic', { project: 'attic' });
  const closed = await start('closed-before', { project: 'attic' });
  const other = await start('of-the-cellar', { project: 'cellar' });
  for (const talk of [open, closed, other]) await talk.say(['user', 'Where is the ladder?']);
  good(await closed.call('POST', `${closed.path}/close`));
  // Named by conversations alone so far.
  expect((await close('attic')).status).toBe(200);

  for (const talk of [open, closed]) {
    const refused = [
      await talk.call('GET', talk.contextPath()),
      await talk.send([{ role: 'user', content: 'More.' }]),
      await talk.put({ project: 'cellar' }),
      await talk.call('POST', `${talk.path}/close`),
    ];
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      refused.map(() => [409, 'conversation_archived']),
    );
    const { body } = good(await talk.call('GET', talk.path));
    expect(body).toMatchObject({ status: 'archived', project: 'attic', messages: 1 });
    expect(body.archived_at).not.toBeNull();
    expect((await talk.message(1)).content).toBe('Where is the ladder?');
  }
  expect((await other.context()).messages).toHaveLength(1);
  const listed = await other.call('GET', '/v1/conversations?status=archived');
  expect(listed.body.items.map(({ id }: { id: string }) => id)).toEqual([
    ...['closed-before', 'of-the-attic'],
  ]);
  expect((await close('attic')).status).toBe(200);
});

it('none is started in it, or moved there', async () => {
  const made = await new Talk(lane.api, { id: 'late', agent: 'scout' }).put({ project: 'attic' });
  expect([made.status, made.body.code]).toEqual([409, 'project_closed']);
  const other = await start('wanderer', { project: 'cellar' });
  expect((await other.put({ project: 'attic' })).body.code).toBe('project_closed');
  expect((await other.put()).body.project).toBe('cellar');
  expect((await close('never-named')).status).toBe(404);
});

describe('its episodes', () => {
  let episode: string;
  let known: string;
  let beside: string;
  beforeAll(async () => {
    const call = { service: 'harbour', operation: 'moor', agent: 'scout' };
    episode = await lane.filing.card({ ...call, project: 'mole', input: { berth: 'quokka' } });
    lane.clock.advance(HOUR);
    beside = await lane.filing.card({ ...call, operation: 'survey', input: { near: 'quokka' } });
    const about = { project: 'mole', kind: 'knowledge', scope: { type: 'agent', id: 'scout' } };
    known = (await writeCard(lane.api, { summary: 'The quokka berth is shallow.', ...about })).id;
    // An edge leads to it from what stays.
    await lane.api.database.inWorkspace('default', (tx) =>
      tx.query(
        `INSERT INTO edges (workspace_id, id, type, from_card, to_card, confidence, reason, created_at)
         VALUES ($1, 'edge_mole', 'supports', $2, $3, 0.9, 'same_operation', $4)
         ON CONFLICT DO NOTHING`,
        [tx.workspace, beside, episode, lane.clock.now()],
      ),
    );
  });

  const recalled = async (more = {}) =>
    cardIds(await lane.recall({ query: 'moor at the quokka berth', limit: 20, ...more }));

  it('are recalled while it is open', async () => {
    expect(await recalled()).toEqual(expect.arrayContaining([episode, known, beside]));
  });

  it('leave recall on every way to it, by an edge too, unless asked for by project', async () => {
    expect((await close('mole')).status).toBe(200);
    expect(await recalled()).toEqual(expect.arrayContaining([known, beside]));
    expect(await recalled()).not.toContain(episode);
    expect(await recalled({ filters: { project: 'mole' } })).toContain(episode);
    expect(await recalled({ project: 'mole' })).toContain(episode);
  });

  it('leave the tools and the contexts of conversations as well', async () => {
    const session = await McpSession.http(lane.api, lane.runtimeKey, { 'cairn-agent': 'scout' });
    for (const tool of ['memory_search', 'search_memories']) {
      const { text, structured } = await session.call(tool, { query: 'moor at the quokka berth' });
      expect(text).toContain('quokka');
      expect(JSON.stringify(structured) + text).not.toContain(episode);
    }
    await session.close();
    const talk = await start('about-the-mole', { subject: 'mole' });
    await talk.say(['user', 'Where do I moor? At the quokka berth?']);
    expect(JSON.stringify(await talk.context())).not.toContain(episode);
  });
});
