import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { startApi, type TestApi } from './support/api';
import { type Fleet, makeFleet, writeCard } from './support/fleet';

let api: TestApi;
let fleet: Fleet;
beforeAll(async () => {
  api = await startApi({ embedder: createHashedEmbedder() });
  fleet = await makeFleet(api);
});
afterAll(() => api.close());

const OLD = 'Customer Wolfgang lives at Hauptstrasse 5';
const edit = (id: string, version: number, body: unknown, key = api.ownerKey) =>
  api.call('PATCH', `/v1/cards/${id}`, { key, body, headers: { 'if-match': `"${version}"` } });
const rows = <Row>(sql: string, ...values: unknown[]) =>
  api.database.inWorkspace('default', (tx) => tx.query<Row>(sql, values));

/** Whether the words are anywhere that a card is found or compared by. */
async function traces(id: string): Promise<string> {
  const [row] = await rows<{ text: string }>(
    `SELECT concat_ws(' ', to_jsonb(c), (SELECT string_agg(t.term, ' ') FROM card_terms t
                                          WHERE t.workspace_id = 'default' AND t.card_id = c.id)) AS text
       FROM cards c WHERE c.workspace_id = 'default' AND c.id = $1`,
    id,
  );
  return (row?.text ?? '').toLowerCase();
}

async function expectGone(id: string): Promise<void> {
  expect(await traces(id)).not.toMatch(/wolfgang|hauptstra/);
  const found = await api.call('GET', '/v1/cards?q=Wolfgang');
  expect(found.body.items.map((card: { id: string }) => card.id)).not.toContain(id);
  const recalled = await api.call('POST', '/v1/recall', {
    key: fleet.planner,
    body: { query: 'Wolfgang Hauptstrasse' },
  });
  expect(recalled.status).toBe(200);
  expect(recalled.text).not.toMatch(/wolfgang|hauptstra/i);
}

it('a new summary has keywords, topic and signature of its own', async () => {
  const card = await writeCard(
    api,
    {
      summary: OLD,
      topic: 'where Wolfgang lives',
      hints: { error_signature: 'no door at Hauptstrasse', operation: 'find_address' },
    },
    { key: fleet.planner },
  );
  expect(card.hints.keywords).toEqual(['address', 'wolfgang', 'lives', 'hauptstrasse']);
  const { body } = await edit(card.id, 1, { summary: 'Customer moved to Bremen' });
  expect(body).toMatchObject({
    topic: null,
    hints: { keywords: ['address', 'moved', 'bremen'], error_signature: null },
  });
  await expectGone(card.id);
  expect((await api.call('GET', '/v1/cards?q=Bremen')).body.items).toMatchObject([{ id: card.id }]);
  const vectors = await rows<{ card_version: number }>(
    'SELECT card_version FROM card_embeddings WHERE card_id = $1',
    card.id,
  );
  expect(vectors).toEqual([{ card_version: 2 }]);
});

it('named keywords stay where they hold no word that is gone, and those of the request win', async () => {
  const card = await writeCard(
    api,
    { summary: OLD, topic: 'addresses', hints: { keywords: ['vip', 'herr Wolfgang'] } },
    { key: fleet.planner },
  );
  const first = await edit(card.id, 1, { summary: 'Customer moved' });
  expect(first.body).toMatchObject({ topic: 'addresses', hints: { keywords: ['vip'] } });
  await expectGone(card.id);
  const hints = { keywords: ['left'] };
  const second = await edit(card.id, 2, { summary: 'Customer left', topic: 'x', hints });
  expect(second.body).toMatchObject({ topic: 'x', hints });
});

it('a card of an event loses the inputs that hold them', async () => {
  const { id } = await writeCard(api, { summary: OLD }, { key: fleet.planner });
  await rows(
    `UPDATE cards SET event_id = 'of-input', keywords = '{wolfgang,b-17,strasse}',
            input_fields = '{"customer.name": "Wolfgang", "order": "b-17"}'
      WHERE workspace_id = 'default' AND id = $1`,
    id,
  );
  const { body } = await edit(id, 1, { summary: 'Customer moved' });
  expect(body.hints.keywords).toEqual(['b-17', 'moved']);
  await expectGone(id);
  const [row] = await rows('SELECT input_fields FROM cards WHERE id = $1', id);
  expect(row).toEqual({ input_fields: { order: 'b-17' } });
});

it('a note that is written again does the same', async () => {
  const put = (value: string) =>
    api.call('PUT', '/v1/notes/customer', { key: fleet.planner, body: { value } });
  const { card_id: id } = (await put(OLD)).body;
  expect((await put('Customer moved')).status).toBe(200);
  await expectGone(id);
  expect((await api.call('GET', `/v1/cards/${id}`)).body.hints.keywords).toEqual(['moved']);
});

describe('what may not be written', () => {
  it('is not written into an older card: a subject that is off', async () => {
    await api.call('PUT', '/v1/subjects/quiet', { body: { memory: 'off' } });
    const { id } = await writeCard(api, { summary: 'Likes tea.' }, { key: fleet.planner });
    for (const key of [fleet.planner, api.ownerKey]) {
      const refused = await edit(id, 1, { subject: 'quiet' }, key);
      expect([refused.status, refused.body.code]).toEqual([403, 'memory_off']);
    }
  });

  it('is not added by an agent about one that was switched off since; a person corrects', async () => {
    const card = { summary: 'Likes coffee.', subject: 'later' };
    const { id } = await writeCard(api, card, { key: fleet.planner });
    await api.call('PUT', '/v1/subjects/later', { body: { memory: 'off' } });
    // To an agent what is off is not there.
    for (const patch of [{ summary: 'Likes tea.' }, { visibility: 'private' }]) {
      expect((await edit(id, 1, patch, fleet.planner)).status).toBe(404);
    }
    expect((await edit(id, 1, { summary: 'Likes neither.' })).status).toBe(200);
  });

  it('is not written by an agent that is stopped or off', async () => {
    const { id } = await writeCard(api, { summary: 'Before.' }, { key: fleet.coder });
    for (const [set, back, answer] of [
      [{ writes_stopped: true }, { writes_stopped: false }, [403, 'stopped']],
      [{ memory_mode: 'off' }, { memory_mode: 'automatic' }, [404, 'not_found']],
    ] as const) {
      await api.call('PUT', '/v1/agents/coder', { body: set });
      const refused = await edit(id, 1, { summary: 'After.' }, fleet.coder);
      expect([refused.status, refused.body.code]).toEqual(answer);
      await api.call('PUT', '/v1/agents/coder', { body: back });
    }
  });

  it('is not put under a service that the policy keeps out', async () => {
    const { id } = await writeCard(api, { summary: 'A balance.' }, { key: fleet.planner });
    const policy = await api.call('GET', '/v1/policy');
    const capture = { write_rules: [{ match: { service: 'payroll' }, route: 'sensitive' }] };
    const put = await api.call('PUT', '/v1/policy', {
      body: { capture },
      headers: { 'if-match': policy.headers.get('etag') ?? '' },
    });
    expect(put.status).toBe(200);
    for (const key of [fleet.planner, api.ownerKey]) {
      const refused = await edit(id, 1, { hints: { service: 'payroll' } }, key);
      expect([refused.status, refused.body.code]).toEqual([403, 'sensitive']);
    }
  });
});

it('a member corrects summary and metadata, and nothing else', async () => {
  const key = await api.keyOf('member', 'ada');
  const card = { summary: 'Prefers the morning.', subject: 'ada' };
  const { id } = await writeCard(api, card, { key: fleet.planner });
  for (const body of [
    { visibility: 'household' },
    { visibility: 'organization' },
    { importance: 9 },
    { subject: null },
    { kind: 'constraint' },
    { hints: { keywords: ['x'] } },
    { summary: 'Both.', expires_at: null },
  ]) {
    const refused = await edit(id, 1, body, key);
    expect([body, refused.status, refused.body.code]).toEqual([body, 403, 'not_allowed']);
  }
  const corrected = await edit(id, 1, { summary: 'Prefers noon.', metadata: { by: 'me' } }, key);
  expect(corrected.body).toMatchObject({ version: 2, summary: 'Prefers noon.' });
});
