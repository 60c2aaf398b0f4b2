import { cardIds, type RecallLane, startRecallLane } from './support/filing';
import { writeCard } from './support/fleet';

let lane: RecallLane;
beforeAll(async () => {
  lane = await startRecallLane();
});
afterAll(() => lane.close());

const ask = (key: string, headers: Record<string, string> = {}, query = 'quay') =>
  lane.api.call('POST', '/v1/recall', { key, headers, body: { query } });

async function put(path: string, body: object): Promise<void> {
  const { status, text } = await lane.api.call('PUT', path, { body });
  if (status >= 300) throw new Error(`${path}: ${text}`);
}

async function setPolicy(policy: object): Promise<void> {
  const { headers } = await lane.api.call('GET', '/v1/policy', {});
  const { status, text } = await lane.api.call('PUT', '/v1/policy', {
    headers: { 'if-match': headers.get('etag') ?? '' },
    body: policy,
  });
  if (status !== 200) throw new Error(text);
}

const known = async (id: string): Promise<number> =>
  (await lane.api.call('GET', `/v1/agents/${id}`, {})).status;

const interactive = { 'cairn-execution-mode': 'interactive' };

describe('a runtime', () => {
  it('says which agent reads, or is refused', async () => {
    const { status, body } = await ask(lane.runtimeKey);
    expect(status).toBe(400);
    expect(body.detail).toContain('Cairn-Agent');
  });

  it('may read for an agent that was never seen, which is known from then on', async () => {
    expect(await known('newcomer')).toBe(404);
    expect((await ask(lane.runtimeKey, { 'cairn-agent': 'newcomer' })).status).toBe(200);
    expect(await known('newcomer')).toBe(200);
    const audit = await lane.api.call('GET', '/v1/audit?action=agent.registered', {});
    expect(audit.body.items[0]).toMatchObject({
      action: 'agent.registered',
      actor: { kind: 'runtime' },
    });
  });

  it('may tell the team and the parent of that agent with its first event', async () => {
    await ask(lane.runtimeKey, { 'cairn-agent': 'apprentice' });
    const filed = await lane.filing.file({ agent: 'apprentice', team: 'dockers' });
    expect(filed.disposition).toBe('carded');
    const { body } = await lane.api.call('GET', '/v1/agents/apprentice', {});
    expect(body.team).toBe('dockers');
  });

  it('registers it once, however many ask at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => ask(lane.runtimeKey, { 'cairn-agent': 'rush' })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });

  it('is refused an unknown agent where the policy says so, and a known one never', async () => {
    await setPolicy({ capture: { auto_register_agents: false } });
    const { status, body } = await ask(lane.runtimeKey, { 'cairn-agent': 'gatecrasher' });
    expect(status).toBe(400);
    expect(body.detail).toContain('does not know');
    expect(await known('gatecrasher')).toBe(404);
    expect((await ask(lane.runtimeKey, { 'cairn-agent': 'newcomer' })).status).toBe(200);
    await setPolicy({ capture: { auto_register_agents: true } });
  });

  it('whose agent is an e-mail reads as its pseudonym', async () => {
    const headers = { 'cairn-agent': 'dock.master@example.com' };
    const written = await writeCard(
      lane.api,
      { summary: 'The quay is swept on Fridays.' },
      { key: lane.runtimeKey, headers },
    );
    const answer = await ask(lane.runtimeKey, headers);
    expect(cardIds(answer)).toEqual([written.id]);
    expect(answer.body.cards[0].via).toBe('own');
    expect(answer.text).not.toContain('dock.master@');
  });

  it.each(['a b', '-dash', 'x'.repeat(201)])('with %j as an agent is refused', async (agent) => {
    expect((await ask(lane.runtimeKey, { 'cairn-agent': agent })).status).toBe(400);
  });
});

describe('an agent', () => {
  it('reads as itself, and as nobody else', async () => {
    const key = await lane.api.keyFor({ kind: 'agent', id: 'scout' });
    const { id } = await writeCard(lane.api, { summary: 'The quay is ours.' }, { key });
    expect(cardIds(await ask(key))).toEqual([id]);
    expect((await ask(key, { 'cairn-agent': 'mate' })).status).toBe(403);
  });

  it('that is restricted may recall', async () => {
    await put('/v1/agents/little-helper', { parent_agent: 'scout', restricted: true });
    const key = await lane.api.keyFor({ kind: 'agent', id: 'little-helper' });
    const answer = await ask(key);
    expect(answer.status).toBe(200);
    // It reads what its parent knows, and writes nothing.
    expect(answer.body.cards).toMatchObject([{ summary: 'The quay is ours.', via: 'ancestor' }]);
    const feedback = await lane.api.call('POST', `/v1/recalls/${answer.body.recall_id}/feedback`, {
      key,
      body: { card_id: answer.body.cards[0].id, useful: true },
    });
    expect(feedback.status).toBe(403);
    const throughRuntime = await ask(lane.runtimeKey, { 'cairn-agent': 'little-helper' });
    expect(cardIds(throughRuntime)).toEqual(cardIds(answer));
  });

  it('acts for nobody with a key of its own', async () => {
    await put('/v1/people/guest', { name: 'Guest', role: 'member' });
    const key = await lane.api.keyFor({ kind: 'agent', id: 'scout' });
    expect((await ask(key, { 'cairn-person': 'guest', ...interactive })).status).toBe(403);
  });
});

describe('a person acted for', () => {
  let card: string;
  beforeAll(async () => {
    await put('/v1/subjects/ann', { household: 'quay-street' });
    await put('/v1/subjects/ben', { household: 'quay-street' });
    await put('/v1/subjects/cat', { household: 'elsewhere' });
    await put('/v1/subjects/dan', {});
    for (const id of ['ann', 'ben', 'cat', 'dan']) {
      await put(`/v1/people/${id}`, { name: id, role: 'member', subject: id });
    }
    await put('/v1/agents/stranger', {});
    card = (
      await writeCard(lane.api, {
        summary: 'Ben likes the quay at dawn.',
        subject: 'ben',
        visibility: 'household',
        scope: { type: 'agent', id: 'stranger' },
      })
    ).id;
  });

  const actingFor = (person: string, mode: Record<string, string> = interactive) =>
    ask(lane.runtimeKey, { 'cairn-agent': 'concierge', 'cairn-person': person, ...mode });

  it('needs an interactive call', async () => {
    for (const mode of [{}, { 'cairn-execution-mode': 'headless' }]) {
      const { status, body } = await actingFor('ann', mode as Record<string, string>);
      expect(status).toBe(400);
      expect(body.detail).toContain('interactive');
    }
    expect((await actingFor('ann', { 'cairn-execution-mode': 'hasty' })).status).toBe(400);
  });

  it('has to be known', async () => {
    expect((await actingFor('nobody')).status).toBe(400);
  });

  it('brings the cards of their household, and only of theirs', async () => {
    expect(cardIds(await actingFor('ann'))).toEqual([card]);
    expect(cardIds(await actingFor('ben'))).toEqual([card]);
    expect(cardIds(await actingFor('cat'))).toEqual([]);
    expect(cardIds(await actingFor('dan'))).toEqual([]);
    expect((await actingFor('ann')).body.cards[0].via).toBe('household');
  });

  it('is what it takes: without one there are no household cards', async () => {
    const headers = { 'cairn-agent': 'concierge', ...interactive };
    expect(cardIds(await ask(lane.runtimeKey, headers))).toEqual([]);
  });

  it('who moves out no longer does, at the very next read', async () => {
    await put('/v1/subjects/ann', { household: 'elsewhere' });
    expect(cardIds(await actingFor('ann'))).toEqual([]);
    await put('/v1/subjects/ann', { household: 'quay-street' });
    expect(cardIds(await actingFor('ann'))).toEqual([card]);
  });
});

describe('a person', () => {
  it('reads everything, whosever it is; a member what is about their own subject', async () => {
    const auditor = await lane.api.keyOf('auditor');
    const answer = await ask(auditor, {}, 'quay at dawn');
    expect(answer.body.cards[0]).toMatchObject({ via: 'person', subject: 'ben' });
    const member = await lane.api.keyFor({ kind: 'person', id: 'ben' });
    const own = await ask(member, {}, 'quay');
    expect(own.body.cards).toMatchObject([{ via: 'person', subject: 'ben' }]);
    const other = await lane.api.keyFor({ kind: 'person', id: 'cat' });
    expect((await ask(other, {}, 'quay')).body.cards).toEqual([]);
  });

  it('who names an agent sees exactly what that agent would', async () => {
    const reviewer = await lane.api.keyOf('reviewer');
    const asAgent = await ask(reviewer, { 'cairn-agent': 'little-helper' });
    expect(cardIds(asAgent)).toEqual(
      cardIds(await ask(lane.runtimeKey, { 'cairn-agent': 'little-helper' })),
    );
    expect((await ask(reviewer, { 'cairn-agent': 'unheard-of' })).status).toBe(400);
    expect(await known('unheard-of')).toBe(404);
  });

  it('without a key is nobody', async () => {
    const answer = await lane.api.call('POST', '/v1/recall', {
      key: null,
      body: { query: 'quay' },
    });
    expect(answer.status).toBe(401);
    expect((await ask('not-a-key')).status).toBe(401);
  });
});
