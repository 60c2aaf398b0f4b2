import { good, Talk } from './support/conversations';
import { HOUR, type RecallLane, startRecallLane } from './support/filing';
import { accessLog, writeCard } from './support/fleet';

let lane: RecallLane;
let talk: Talk;
beforeAll(async () => {
  lane = await startRecallLane();
  const { api } = lane;
  for (const id of ['scout', 'other'])
    good(await api.call('PUT', `/v1/agents/${id}`, { body: {} }));
  good(await api.call('PUT', '/v1/subjects/ann', { body: {} }));
  talk = await new Talk(api, { id: 'revokes', agent: 'scout', session: 's1' }).start({
    subject: 'ann',
  });
  await talk.say(['user', 'Hello.'], ['assistant', 'Hello Ann.']);
});
afterAll(() => lane.close());

/** Knowledge about Ann, by default in the scope of another agent. */
async function fact(summary: string, body: Record<string, unknown> = {}) {
  lane.clock.advance(HOUR);
  return await writeCard(lane.api, {
    ...{ summary, kind: 'knowledge', subject: 'ann', scope: { type: 'agent', id: 'other' } },
    ...body,
  });
}

const grant = async (id: string) =>
  good(await lane.api.call('PUT', `/v1/cards/${id}/grants/scout`, { body: {} }));

/** Whether the fact stands in the context: in its list and in its words. */
async function tells(id: string, words: string, of: Talk = talk): Promise<boolean> {
  const { facts, messages } = await of.context();
  const isListed = facts.some((one) => one.id === id);
  const isTold = messages.some(({ content }) => content.includes(words));
  expect([words, isTold]).toEqual([words, isListed]);
  return isListed;
}

it('a fact is told while its grant stands, and no longer in the very next context', async () => {
  const { id } = await fact('Ann sails a dinghy.');
  expect(await tells(id, 'dinghy')).toBe(false);
  await grant(id);
  expect(await tells(id, 'dinghy')).toBe(true);
  const { context_version: version } = await talk.context();
  good(await lane.api.call('DELETE', `/v1/cards/${id}/grants/scout`));
  expect(await tells(id, 'dinghy')).toBe(false);
  const asked = await talk.call('GET', talk.contextPath({ if_context_version: version }));
  expect(asked.status).toBe(200);
});

it.each([
  ['deleted', 'DELETE', ''],
  ['quarantined', 'POST', '/quarantine'],
] as const)('one that is %s is gone', async (word, method, path) => {
  const { id } = await fact(`Ann keeps a ferret, ${word}.`);
  await grant(id);
  expect(await tells(id, `ferret, ${word}`)).toBe(true);
  const { version } = good(await lane.api.call('GET', `/v1/cards/${id}`)).body;
  const headers = { 'if-match': `"${version}"` };
  const body = method === 'POST' ? { body: {} } : {};
  good(await lane.api.call(method, `/v1/cards/${id}${path}`, { headers, ...body }));
  expect(await tells(id, `ferret, ${word}`)).toBe(false);
});

it('one that is corrected is told in its new words only', async () => {
  const { id, version } = await fact('Ann lives in Kiel.');
  await grant(id);
  expect(await tells(id, 'Kiel')).toBe(true);
  good(
    await lane.api.call('PATCH', `/v1/cards/${id}`, {
      body: { summary: 'Ann lives in Bonn.' },
      headers: { 'if-match': `"${version}"` },
    }),
  );
  expect(await tells(id, 'Bonn')).toBe(true);
  const { messages } = await talk.context();
  expect(messages.some(({ content }) => content.includes('Kiel'))).toBe(false);
});

it('one that expired, is about somebody else, or is no knowledge is not told', async () => {
  const soon = new Date(lane.clock.now().getTime() + 10 * HOUR).toISOString();
  const brief = await fact('Ann has a cold.', { expires_at: soon });
  const others = await fact('Ben has a cough.', { subject: 'ben' });
  const done = await fact('Ann was called.', { kind: 'experience' });
  for (const { id } of [brief, others, done]) await grant(id);
  expect(await tells(brief.id, 'a cold')).toBe(true);
  expect(await tells(others.id, 'a cough')).toBe(false);
  expect(await tells(done.id, 'was called')).toBe(false);
  lane.clock.advance(11 * HOUR);
  expect(await tells(brief.id, 'a cold')).toBe(false);
});

it('of two that contradict one another only the one is told that recall would show', async () => {
  const older = await fact('Ann drinks coffee.');
  lane.clock.advance(24 * HOUR);
  const newer = await fact('Ann drinks no coffee.');
  await grant(older.id);
  await grant(newer.id);
  expect(await tells(older.id, 'drinks coffee')).toBe(true);
  await lane.api.database.inWorkspace('default', (tx) =>
    tx.query(
      `INSERT INTO edges (workspace_id, id, type, from_card, to_card, confidence, reason, created_at)
       VALUES ($1, 'edge_coffee', 'conflicts', $2, $3, 0.9, 'same_attribute', $4)`,
      [tx.workspace, newer.id, older.id, lane.clock.now()],
    ),
  );
  expect(await tells(newer.id, 'drinks no coffee')).toBe(true);
  expect(await tells(older.id, 'drinks coffee')).toBe(false);
  // What the reader can no longer see decides nothing.
  good(await lane.api.call('DELETE', `/v1/cards/${newer.id}/grants/scout`));
  expect(await tells(older.id, 'drinks coffee')).toBe(true);
  good(await lane.api.call('DELETE', `/v1/cards/${older.id}/grants/scout`));
});

it('at most twenty are told, the validated first, in the order in which they were recorded', async () => {
  const many = await new Talk(lane.api, { id: 'many', agent: 'scout' }).start({ subject: 'many' });
  await many.say(['user', 'Hello.']);
  const ids: string[] = [];
  for (let index = 0; index < 25; index += 1) {
    const about = { subject: 'many', scope: { type: 'agent', id: 'scout' } };
    ids.push((await fact(`Number ${index} is kept.`, about)).id);
  }
  const [first = ''] = ids;
  good(
    await lane.api.call('POST', `/v1/cards/${first}/validation`, { body: { verdict: 'success' } }),
  );
  const { facts } = await many.context();
  expect(facts.map(({ id }) => id)).toEqual([first, ...ids.slice(6)]);
});

it('each that is told stands in the access log, and in what is known of where it was injected', async () => {
  const { id } = await fact('Ann plays the oboe.');
  await grant(id);
  const before = (await accessLog(lane.api)).length;
  const answer = await talk.context();
  const rows = (await accessLog(lane.api)).slice(before);
  expect(rows).toContainEqual(
    expect.objectContaining({ agent: 'scout', via: 'explicit', surface: 'context' }),
  );
  expect(rows.flatMap((row) => row.card_ids)).toContain(id);
  const injected = await lane.api.database.inWorkspace('default', (tx) =>
    tx.query<{ card_id: string; session: string | null }>(
      `SELECT c.card_id, r.session FROM recall_cards c
         JOIN recalls r ON r.workspace_id = c.workspace_id AND r.id = c.recall_id
        WHERE c.recall_id = $1 ORDER BY c.position`,
      [answer.recall_id],
    ),
  );
  expect(injected.map((row) => row.card_id)).toEqual(answer.facts.map((one) => one.id));
  expect(injected[0]?.session).toBe('s1');
  const feedback = { body: { card_id: id, useful: true }, headers: { 'cairn-agent': 'scout' } };
  const path = `/v1/recalls/${answer.recall_id}/feedback`;
  expect((await lane.api.call('POST', path, feedback)).status).toBe(204);
});

it('a version that is known answers 304, and logs nothing', async () => {
  const { context_version: version } = await talk.context();
  const before = (await accessLog(lane.api)).length;
  const byQuery = await talk.call('GET', talk.contextPath({ if_context_version: version }));
  const header = { 'if-none-match': `W/"${version}"` };
  const byHeader = await talk.call('GET', talk.contextPath(), undefined, header);
  expect([byQuery.status, byHeader.status, byQuery.text]).toEqual([304, 304, '']);
  expect((await accessLog(lane.api)).length).toBe(before);
  await talk.say(['user', 'And now?']);
  const after = await talk.call('GET', talk.contextPath({ if_context_version: version }));
  expect(after.status).toBe(200);
});

describe('where memory is off', () => {
  it('of the subject, the conversation goes on without facts', async () => {
    expect((await talk.context()).facts.length).toBeGreaterThan(0);
    good(await lane.api.call('PUT', '/v1/subjects/ann', { body: { memory: 'off' } }));
    const said = await talk.say(['user', 'Still there?']);
    expect(said.body.disposition).toBe('kept');
    const { facts, messages, recall_id } = await talk.context();
    expect([facts, recall_id]).toEqual([[], null]);
    expect(messages.at(-1)?.content).toBe('Still there?');
    good(await lane.api.call('PUT', '/v1/subjects/ann', { body: { memory: 'on' } }));
  });

  it('of the policy, likewise', async () => {
    const policy = good(await lane.api.call('GET', '/v1/policy')).body;
    const put = (facts: boolean, version: number) =>
      lane.api.call('PUT', '/v1/policy', {
        body: { conversations: { facts } },
        headers: { 'if-match': `"${version}"` },
      });
    expect(policy.conversations).toEqual({
      ...{ ceiling_tokens: 8000, summary_tokens: 2000, keep_recent: 20, facts: true },
    });
    good(await put(false, policy.version));
    expect((await talk.context()).facts).toEqual([]);
    good(await put(true, policy.version + 1));
    expect((await talk.context()).facts.length).toBeGreaterThan(0);
  });

  it('of the agent or the workspace, nothing is taken and nothing given', async () => {
    const before = (await talk.call('GET', talk.path)).body.messages;
    for (const [path, reason, on] of [
      ['/v1/agents/scout', 'agent_off', 'automatic'],
      ['/v1/workspace', 'workspace_off', 'automatic'],
    ] as const) {
      good(await lane.api.call('PUT', path, { body: { memory_mode: 'off' } }));
      const said = good(await talk.send([{ role: 'user', content: 'Off the record.' }]));
      expect(said.body).toEqual({
        ...{ conversation_id: 'revokes', disposition: 'mode_off', reason, accepted: 0 },
        ...{ first: null, last: null, operation_id: null },
      });
      expect(await talk.context()).toMatchObject({
        ...{ messages: [], facts: [], summary: null, degraded: ['memory_off'] },
      });
      good(await lane.api.call('PUT', path, { body: { memory_mode: on } }));
    }
    const { messages } = (await talk.call('GET', talk.path)).body;
    expect(messages).toBe(before);
    expect((await talk.context()).messages.length).toBeGreaterThan(0);
  });

  it('a rule that calls the chats of an agent sensitive keeps none of them', async () => {
    const { version } = good(await lane.api.call('GET', '/v1/policy')).body;
    const rule = { match: { kind: 'chat', agent: 'scout' }, route: 'sensitive' };
    const set = (rules: object[], at: number) =>
      lane.api.call('PUT', '/v1/policy', {
        body: { capture: { write_rules: rules } },
        headers: { 'if-match': `"${at}"` },
      });
    good(await set([rule], version));
    const said = good(await talk.send([{ role: 'user', content: 'A secret of the trade.' }]));
    expect(said.body).toMatchObject({ disposition: 'sensitive', reason: 'write_rule' });
    good(await set([], version + 1));
    const found = await talk.call('GET', `${talk.path}/messages?limit=500`);
    expect(found.text).not.toContain('A secret of the trade.');
  });
});
