import { HOUR, type RecallLane, type RecallReply, startRecallLane } from './support/filing';
import { writeCard } from './support/fleet';

const OLD = 'The pantry code is heron, ask Miller.';
const NEW = 'The cellar code is kept by the warden.';

let lane: RecallLane;
let id: string;
let before: string;
let person: string;
let other: string;

const as = (agent: string) => ({ key: lane.runtimeKey, headers: { 'cairn-agent': agent } });

async function must(method: 'PUT' | 'PATCH', path: string, options: object): Promise<void> {
  const { status, text } = await lane.api.call(method, path, options);
  if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
}

beforeAll(async () => {
  lane = await startRecallLane();
  await must('PUT', '/v1/teams/cooks', { body: { name: 'Cooks' } });
  for (const [agent, body] of Object.entries({
    scout: { team: 'cooks' },
    grantee: {},
    child: { parent_agent: 'scout' },
    heir: { succeeds: 'scout' },
    mate: { team: 'cooks' },
  })) {
    await must('PUT', `/v1/agents/${agent}`, { body });
  }
  person = await lane.api.keyOf('operator');
  const card = await writeCard(
    lane.api,
    { summary: OLD, topic: 'pantry', hints: { service: 'pantry' } },
    as('scout'),
  );
  id = card.id;
  await must('PUT', `/v1/cards/${id}/grants/grantee`, { body: { purpose: 'supper' } });
  const shared = await writeCard(
    lane.api,
    { summary: OLD, scope: { type: 'team', id: 'cooks' } },
    {},
  );
  other = shared.id;
  lane.clock.advance(HOUR);
  before = lane.clock.text();
  lane.clock.advance(HOUR);
  for (const edited of [card, shared]) {
    await must('PATCH', `/v1/cards/${edited.id}`, {
      headers: { 'if-match': `"${edited.version}"` },
      body: {
        summary: NEW,
        hints: { service: 'cellar', keywords: ['cellar', 'warden'] },
        ...(edited === card ? { topic: 'cellar' } : {}),
      },
    });
  }
  lane.clock.advance(HOUR);
});
afterAll(() => lane.close());

const ask = async (
  options: { key?: string; headers?: Record<string, string> },
  body: Record<string, unknown> = {},
): Promise<RecallReply> => {
  const { status, body: answer } = await lane.api.call('POST', '/v1/recall', {
    ...options,
    body: { query: 'pantry code heron Miller', known_at: before, explain: true, ...body },
  });
  expect(status).toBe(200);
  return { status, body: answer };
};

const told = (reply: RecallReply, card = id): string | undefined =>
  reply.body.cards.find((one: { id: string }) => one.id === card)?.summary;

describe('a recall of before an edit', () => {
  it('tells the owning agent and a person what the card said', async () => {
    expect(told(await ask(as('scout')))).toBe(OLD);
    expect(told(await ask({ key: person }))).toBe(OLD);
    expect(told(await ask({ key: person }), other)).toBe(OLD);
  });

  it.each(['grantee', 'child', 'heir'])('tells the %s only what it says now', async (agent) => {
    const filters = { topic: 'cellar' };
    const reply = await ask(as(agent), { filters });
    expect(told(reply)).toBe(NEW);
    expect(JSON.stringify(reply.body)).not.toMatch(/heron|Miller|pantry/);
  });

  it('tells a team only what its card says now, and a person who acts for an agent of it', async () => {
    for (const options of [as('mate'), { key: person, headers: { 'cairn-agent': 'mate' } }]) {
      const reply = await ask(options, { query: 'cellar code warden' });
      expect(told(reply, other)).toBe(NEW);
      expect(JSON.stringify(reply.body)).not.toMatch(/heron|Miller/);
    }
  });

  it('does not tell by its filters or its scores what the card said', async () => {
    const byTopic = await ask(as('grantee'), { filters: { topic: 'pantry' } });
    expect(byTopic.body.cards).toEqual([]);
    const guess = (query: string) => ask(as('grantee'), { query, filters: { topic: 'cellar' } });
    const [right, wrong] = [await guess('heron Miller'), await guess('osprey Baker')];
    for (const { body } of [right, wrong]) expect(body.cards[0].terms.z_lexical).toBeUndefined();
    expect(right.body.cards[0].version).toBe(2);
    // Found by what it says now.
    expect((await guess('cellar warden')).body.cards[0].terms.z_lexical).toBeGreaterThan(0);
  });

  it('tells everybody of a value that was only replaced since', async () => {
    const note = { summary: 'The oven is set to 200.', key: 'oven' };
    const first = await writeCard(lane.api, note, as('scout'));
    await must('PUT', `/v1/cards/${first.id}/grants/grantee`, { body: {} });
    lane.clock.advance(HOUR);
    const then = lane.clock.text();
    lane.clock.advance(HOUR);
    await writeCard(lane.api, { ...note, summary: 'The oven is set to 180.' }, as('scout'));
    const oven = { query: 'oven', known_at: then };
    for (const agent of ['scout', 'grantee']) {
      const reply = await ask(as(agent), oven);
      const [shown] = reply.body.cards;
      expect(shown).toMatchObject({ summary: note.summary, status: 'active', valid_to: null });
    }
  });
});
