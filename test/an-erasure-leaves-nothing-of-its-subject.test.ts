import { askedErasure, erased } from './support/erasing';
import { type RecallLane, startRecallLane } from './support/filing';
import { rowsOf, setPolicy } from './support/upkeep';

jest.setTimeout(180_000);

let lane: RecallLane;
beforeEach(async () => {
  lane = await startRecallLane();
});
afterEach(() => lane.close());

/** Every row of every table, as text. */
async function rowsWith(words: readonly string[]): Promise<string[]> {
  const tables = await rowsOf<{ name: string }>(
    lane,
    `SELECT c.table_name AS name FROM information_schema.columns c JOIN information_schema.tables t USING (table_name)
      WHERE c.table_schema = 'public' AND c.column_name = 'workspace_id' AND t.table_type = 'BASE TABLE'
      ORDER BY 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    for (const { row } of await rowsOf<{ row: string }>(
      lane,
      `SELECT t::text AS row FROM ${name} t`,
    )) {
      for (const word of words)
        if (row.toLowerCase().includes(word)) found.push(`${word} in ${name}: ${row}`);
    }
  }
  return found;
}

it('takes away what was said about it, and nothing of others', async () => {
  const { api, filing, clock } = lane;
  await api.call('PUT', '/v1/subjects/guest-zanzibar', { body: { name: 'Quokka Wombat' } });
  await filing.card({
    event_id: 'evt-1',
    metadata: { note: 'xylophone' },
    subject: 'guest-zanzibar',
    service: 'crane',
    operation: 'lift',
    outcome: 'failed',
    session: 'session-vervain',
    input: { load: 'jacaranda' },
    error: 'the ocelot is too heavy',
  });
  const other = await filing.card({
    subject: 'guest-2',
    service: 'crane',
    operation: 'lift',
    input: { load: 'iron' },
  });
  clock.advance(1_000);

  const dry = await erased(lane, { subject: 'guest-zanzibar' }, { dry_run: true });
  expect(dry).toMatchObject({
    status: 'completed',
    dry_run: true,
    counts: { purged: { events: 1, cards: 1 } },
  });
  expect((await lane.recall({ query: 'ocelot' })).body.cards).not.toHaveLength(0);

  const { status, counts, receipt } = await erased(
    lane,
    { subject: 'guest-zanzibar' },
    { reason: 'Quokka Wombat asked for it' },
  );
  expect({ status, found: receipt?.places.filter(({ found }) => found > 0) }).toEqual({
    status: 'completed',
    found: [],
  });
  expect(counts.purged).toMatchObject({ events: 1, cards: 1, captures: 1, subjects: 1 });
  const words = ['zanzibar', 'quokka', 'wombat', 'xylophone', 'vervain', 'jacaranda', 'ocelot'];
  expect(await rowsWith(words)).toEqual([]);
  expect((await api.call('GET', `/v1/cards/${other}`)).status).toBe(200);
});

it('takes what working memory has of it under any field or key, and sessions of which nothing is left', async () => {
  const { api, clock } = lane;
  const put = (path: string, value: unknown) =>
    api.call('PUT', `/v1/sessions/${path}`, {
      body: { value },
      headers: { 'cairn-agent': 'scout' },
    });
  await put('theirs/blackboard/plan', { for: 'guest-zanzibar', next: 'numbat' });
  await put('shared/blackboard/guests', ['guest-2', 'guest-zanzibar']);
  await put('shared/blackboard/rooms', { 'guest-zanzibar': 'the dugong room' });
  await put('shared/blackboard/guest-zanzibar', 'axolotl');
  await put('shared/blackboard/tide', { for: 'guest-2', not: 'guest-zanzibars' });
  clock.advance(1_000);
  const { status, counts } = await erased(lane, { subject: 'guest-zanzibar' });
  expect({ status, ...counts.purged }).toMatchObject({
    ...{ status: 'completed', blackboard: 4, sessions: 1 },
  });
  expect(await rowsWith(['numbat', 'dugong', 'axolotl'])).toEqual([]);
  const left = await rowsOf<{ key: string }>(lane, 'SELECT key FROM blackboard ORDER BY key');
  expect(left).toEqual([{ key: 'tide' }]);
  const sessions = await rowsOf<{ id: string }>(lane, 'SELECT id FROM sessions');
  expect(sessions).toEqual([{ id: 'shared' }]);
});

it('leaves what a note of somebody else says of it, and counts it as shared, with the names in it', async () => {
  const { api, filing, clock } = lane;
  await filing.card({ event_id: 'evt-1', subject: 'guest-zanzibar' });
  const kept = await api.call('PUT', '/v1/notes/tea', {
    body: { value: 'Tea for guest-zanzibar is in the kitchen.' },
    headers: { 'cairn-agent': 'scout' },
  });
  expect(kept.status).toBeLessThan(300);
  clock.advance(1_000);
  const { status, receipt } = await erased(lane, { subject: 'guest-zanzibar' });
  expect({ status, found: receipt?.places.filter(({ found }) => found > 0) }).toEqual({
    status: 'completed',
    found: [],
  });
  expect((await lane.recall({ query: 'tea kitchen' })).body.cards).toHaveLength(1);
});

it('leaves the rules that name an agent, and counts them as shared', async () => {
  const { filing, clock } = lane;
  await filing.card({ event_id: 'evt-1', agent: 'mate-zanzibar' });
  const rule = { match: { agent: 'mate-zanzibar' }, trust: 'web' };
  await setPolicy(lane, { capture: { trust_rules: [rule] } });
  clock.advance(1_000);
  const { status, receipt } = await erased(lane, { agent: 'mate-zanzibar' });
  expect(status).toBe('completed');
  const policies = receipt?.places.find(({ place }) => place === 'table policies');
  expect(policies).toMatchObject({ found: 0, shared: 1 });
});

it('has a receipt that says as what it ended, and holds no longer where something was found', async () => {
  const { api, filing, clock } = lane;
  await filing.card({ event_id: 'evt-1', subject: 'guest-zanzibar' });
  clock.advance(1_000);
  const clean = await erased(lane, { subject: 'guest-zanzibar' });
  expect(clean.receipt).toMatchObject({ status: 'completed' });
  await filing.card({ event_id: 'evt-2', subject: 'guest-quokka' });
  // Of a table that nobody thought of.
  await rowsOf(
    lane,
    `INSERT INTO teams (workspace_id, id, name, created_at) VALUES ('default', 'yard', 'guest-quokka', '2020-01-01')`,
  );
  clock.advance(1_000);
  const { receipt } = await erased(lane, { subject: 'guest-quokka' });
  expect(receipt).toMatchObject({ status: 'unverified' });
  const verified = async (body: unknown) =>
    (await api.call('POST', '/v1/erasures/verify', { body: { receipt: body } })).body;
  expect(await verified(clean.receipt)).toMatchObject({ ok: true, status: 'completed', left: [] });
  expect(await verified(receipt)).toMatchObject({
    ...{ ok: false, status: 'unverified', signature: 'valid', missing: 0, returned: [] },
    left: [{ place: 'table teams', found: 1 }],
  });
  const told = await verified({ ...receipt, status: 'completed' });
  expect(told).toMatchObject({ ok: false, signature: 'invalid' });
});

it('refuses what comes late, and takes what is new', async () => {
  const { api, filing, clock } = lane;
  const event = { subject: 'guest-1', event_id: 'evt-1', occurred_at: clock.text() };
  await filing.card(event);
  clock.advance(60_000);
  await erased(lane, { subject: 'guest-1' });
  const report = async (fields: Record<string, unknown>) => {
    const base = {
      kind: 'service_call',
      agent: 'scout',
      outcome: 'worked',
      occurred_at: clock.text(),
    };
    const answer = await api.call('POST', '/v1/events', {
      key: lane.runtimeKey,
      body: { ...base, ...fields },
    });
    return { status: answer.status, code: answer.body.code };
  };
  clock.advance(1_000);
  expect(await report(event)).toEqual({ status: 410, code: 'erased' });
  expect(
    await report({ event_id: 'evt-2', subject: 'guest-1', occurred_at: event.occurred_at }),
  ).toEqual({
    status: 410,
    code: 'erased',
  });
  expect(await report({ event_id: 'evt-3', parent_event: 'evt-1' })).toEqual({
    status: 410,
    code: 'erased',
  });
  expect((await report({ event_id: 'evt-4', subject: 'guest-1' })).status).toBe(202);
  expect((await report({ event_id: 'evt-5', subject: 'guest-2' })).status).toBe(202);
});

it('refuses it from the answer on, before anything is gone', async () => {
  const { api, clock } = lane;
  const occurred = clock.text();
  await askedErasure(lane, { subject: 'guest-1' });
  const event = {
    event_id: 'evt-1',
    kind: 'chat',
    agent: 'scout',
    outcome: 'neutral',
    text: 'hello',
    subject: 'guest-1',
  };
  const { status } = await api.call('POST', '/v1/events', {
    key: lane.runtimeKey,
    body: { ...event, occurred_at: occurred },
  });
  expect(status).toBe(410);
});
