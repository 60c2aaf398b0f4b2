import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { startApi, type TestApi } from './support/api';
import { type Fleet, makeFleet, writeCard } from './support/fleet';

let api: TestApi;
let fleet: Fleet;
let now = new Date('2026-03-02T08:00:00.000Z');
beforeAll(async () => {
  api = await startApi({ clock: () => now, embedder: createHashedEmbedder() });
  fleet = await makeFleet(api);
});
afterAll(() => api.close());

const edit = (id: string, version: number | null, body: unknown, key = fleet.planner) =>
  api.call('PATCH', `/v1/cards/${id}`, {
    key,
    body,
    ...(version === null ? {} : { headers: { 'if-match': `"${version}"` } }),
  });

const rows = <Row>(sql: string, ...values: unknown[]) =>
  api.database.inWorkspace('default', (tx) => tx.query<Row>(sql, values));

describe('an edit', () => {
  it('needs the version that was read, and fails on another', async () => {
    const { id } = await writeCard(
      api,
      { summary: 'Blue is the old one.' },
      { key: fleet.planner },
    );
    expect((await edit(id, null, { topic: 'colours' })).status).toBe(428);
    const first = await edit(id, 1, { topic: 'colours' });
    expect([first.status, first.body.version]).toEqual([200, 2]);
    expect(first.headers.get('etag')).toBe('"2"');
    const stale = await edit(id, 1, { topic: 'shades' });
    expect([stale.status, stale.body.code]).toEqual([412, 'stale_version']);
    expect((await edit(id, 2, {})).status).toBe(400);
  });

  it('lets one of many through', async () => {
    const { id } = await writeCard(api, { summary: 'Contended.' }, { key: fleet.planner });
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((topic) => edit(id, 1, { topic, summary: `It is ${topic}.` })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 412, 412, 412]);
    const { body } = await api.call('GET', `/v1/cards/${id}/history`, { key: fleet.planner });
    expect(body.items.map((item: { version: number }) => item.version)).toEqual([1, 2]);
  });

  it('keeps what was, who changed it and when', async () => {
    const card = await writeCard(
      api,
      { summary: 'The queue is called jobs.', hints: { service: 'queue' } },
      { key: fleet.planner },
    );
    now = new Date('2026-03-02T09:00:00.000Z');
    await edit(card.id, 1, { summary: 'The queue is called work.', hints: { operation: 'push' } });
    const { body } = await api.call('GET', `/v1/cards/${card.id}/history`, { key: fleet.planner });
    expect(body.total).toBe(2);
    expect(body.items[0]).toMatchObject({ version: 1, action: 'created', before: null });
    expect(body.items[0].after).toMatchObject({
      summary: 'The queue is called jobs.',
      id: card.id,
    });
    expect(body.items[1]).toMatchObject({
      version: 2,
      action: 'edited',
      at: '2026-03-02T09:00:00.000Z',
      actor: { kind: 'agent', id: 'planner' },
      changed: ['summary', 'hints'],
      before: {
        summary: 'The queue is called jobs.',
        hints: { service: 'queue', operation: null },
      },
      after: {
        summary: 'The queue is called work.',
        hints: { service: 'queue', operation: 'push' },
      },
    });
    expect(body.items[1].after.recorded_at).toBe('2026-03-02T08:00:00.000Z');
  });

  it('is found by its new words and not by its old ones', async () => {
    const { id } = await writeCard(api, { summary: 'Pelicans migrate.' }, { key: fleet.planner });
    const [before] = await rows<{ embedding: string }>(
      'SELECT embedding FROM card_embeddings WHERE card_id = $1',
      id,
    );
    await edit(id, 1, { summary: 'Herons migrate.', hints: { keywords: [] } });
    const found = async (q: string) =>
      (await api.call('GET', `/v1/cards?q=${q}`, { key: fleet.planner })).body.items.length;
    expect([await found('pelicans'), await found('herons')]).toEqual([0, 1]);
    const after = await rows<{ embedding: string; card_version: number }>(
      'SELECT embedding, card_version FROM card_embeddings WHERE card_id = $1',
      id,
    );
    expect(after.map((row) => row.card_version)).toEqual([2]);
    expect(after[0]?.embedding).not.toBe(before?.embedding);
  });

  it('that changes nothing makes no version', async () => {
    const card = await writeCard(api, { summary: 'Same.' }, { key: fleet.planner });
    const answer = await edit(card.id, 1, { summary: 'Same.', valid_from: card.valid_from });
    expect([answer.status, answer.body.version]).toEqual([200, 1]);
  });

  it('never touches scope, trust, status or provenance', async () => {
    const { id } = await writeCard(api, { summary: 'Fixed.' }, { key: fleet.planner });
    for (const body of [
      { scope: { type: 'team', id: 'red' } },
      { trust: 'person' },
      { status: 'validated' },
      { provenance: {} },
      { key: 'other' },
      { version: 9 },
    ]) {
      expect([body, (await edit(id, 1, body)).status]).toEqual([body, 400]);
    }
  });

  it('by an agent may narrow and not widen', async () => {
    const { id } = await writeCard(api, {
      summary: 'Seen by all.',
      visibility: 'organization',
      scope: { type: 'agent', id: 'planner' },
    });
    expect((await edit(id, 1, { visibility: 'household' })).status).toBe(403);
    expect((await edit(id, 1, { visibility: 'private' })).status).toBe(200);
    expect((await edit(id, 2, { visibility: 'organization' })).status).toBe(403);
    expect((await edit(id, 2, { visibility: 'organization' }, api.ownerKey)).status).toBe(200);
  });

  it("with an agent's words has no more trust than an agent", async () => {
    const card = await writeCard(api, {
      summary: 'A person said so.',
      scope: { type: 'agent', id: 'planner' },
    });
    const edited = await edit(card.id, 1, { summary: 'The agent says otherwise.' });
    expect(edited.body).toMatchObject({ trust: 'agent', status: 'pending' });
    const relabelled = await edit(card.id, 2, { importance: 9 }, api.ownerKey);
    expect(relabelled.body).toMatchObject({ trust: 'agent', importance: 9 });
  });

  it('redacts and checks what it brings', async () => {
    const mail = ['ada', 'example.org'].join('@');
    const { id } = await writeCard(api, { summary: 'Clean.' }, { key: fleet.planner });
    const edited = await edit(id, 1, { summary: `Now with ${mail}.`, subject: mail });
    expect(edited.text).not.toContain(mail);
    expect((await edit(id, 2, { project: mail })).status).toBe(422);
  });

  it('of a superseded card is refused', async () => {
    const first = await writeCard(api, { summary: 'Old value.', key: 'k' }, { key: fleet.planner });
    const second = await writeCard(
      api,
      { summary: 'New value.', key: 'k' },
      { key: fleet.planner },
    );
    const refused = await edit(first.id, 2, { topic: 'x' });
    expect([refused.status, refused.body.superseded_by]).toEqual([409, second.id]);
  });

  it('is audited by its fields and versions, without content', async () => {
    const { id } = await writeCard(api, { summary: 'Quokkas smile.' }, { key: fleet.planner });
    await edit(id, 1, { summary: 'Quokkas frown.' });
    const audit = await rows<{ action: string; changed: string[]; versions: number[] }>(
      'SELECT action, changed, versions FROM audit_log WHERE target_id = $1 ORDER BY seq',
      id,
    );
    expect(audit).toEqual([
      { action: 'card.created', changed: [], versions: [1] },
      { action: 'card.edited', changed: ['summary', 'hints'], versions: [1, 2] },
    ]);
    const [{ log } = { log: '' }] = await rows<{ log: string }>(
      'SELECT string_agg(a::text, chr(10)) AS log FROM audit_log a',
    );
    expect(log).not.toMatch(/quokka/i);
  });

  it('answers a repetition with what it did', async () => {
    const { id } = await writeCard(api, { summary: 'Again.' }, { key: fleet.planner });
    const send = () =>
      api.call('PATCH', `/v1/cards/${id}`, {
        key: fleet.planner,
        body: { topic: 'again' },
        headers: { 'if-match': '"1"', 'idempotency-key': `edit-${id}` },
      });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body).toEqual(first.body);
  });
});

describe('old versions', () => {
  it('are for people and the owning agent; others see the current one', async () => {
    const { id } = await writeCard(api, { summary: 'First words.' }, { key: fleet.planner });
    await edit(id, 1, { summary: 'Second words.' });
    await api.call('PUT', `/v1/cards/${id}/grants/coder`);
    const seenBy = (key: string) => api.call('GET', `/v1/cards/${id}/history`, { key });
    expect((await seenBy(fleet.planner)).body.total).toBe(2);
    expect((await seenBy(api.ownerKey)).body.total).toBe(2);
    const granted = await seenBy(fleet.coder);
    expect(granted.body).toMatchObject({ total: 1, items: [{ version: 2, before: null }] });
    expect(granted.text).not.toContain('First words');
    expect((await seenBy(fleet.outsider)).status).toBe(404);
  });
});

describe('deleting', () => {
  it('hides a card from everybody, and people bring it back', async () => {
    const { id } = await writeCard(
      api,
      { summary: 'Gone soon.', key: 'gone' },
      { key: fleet.planner },
    );
    expect((await api.call('DELETE', `/v1/cards/${id}`, { key: fleet.planner })).status).toBe(204);
    for (const key of [fleet.planner, api.ownerKey]) {
      expect((await api.call('GET', `/v1/cards/${id}`, { key })).status).toBe(404);
      expect((await api.call('GET', `/v1/cards/${id}/history`, { key })).status).toBe(404);
      expect((await api.call('DELETE', `/v1/cards/${id}`, { key })).status).toBe(404);
    }
    expect((await api.call('POST', `/v1/cards/${id}/restore`, { key: fleet.planner })).status).toBe(
      403,
    );
    const restored = await api.call('POST', `/v1/cards/${id}/restore`);
    expect(restored.body).toMatchObject({ id, status: 'pending', version: 3 });
    expect((await api.call('GET', `/v1/cards/${id}`, { key: fleet.planner })).status).toBe(200);
    expect((await api.call('POST', `/v1/cards/${id}/restore`)).status).toBe(409);
    const { body } = await api.call('GET', `/v1/cards/${id}/history`);
    expect(body.items.map((item: { action: string }) => item.action)).toEqual([
      'created',
      'deleted',
      'restored',
    ]);
  });

  it('is for good once the restore window is over', async () => {
    const { id } = await writeCard(api, { summary: 'Gone for good.' }, { key: fleet.planner });
    await api.call('DELETE', `/v1/cards/${id}`);
    const before = now;
    now = new Date(before.getTime() + 31 * 86_400_000);
    expect((await api.call('POST', `/v1/cards/${id}/restore`)).status).toBe(410);
    now = before;
    expect((await api.call('POST', `/v1/cards/${id}/restore`)).status).toBe(200);
  });

  it('frees the key, so that what took it stands in the way of restoring', async () => {
    const first = await writeCard(api, { summary: 'Old.', key: 'taken' }, { key: fleet.planner });
    await api.call('DELETE', `/v1/cards/${first.id}`);
    await writeCard(api, { summary: 'New.', key: 'taken' }, { key: fleet.planner });
    const refused = await api.call('POST', `/v1/cards/${first.id}/restore`);
    expect([refused.status, refused.body.code]).toEqual([409, 'key_taken']);
  });
});

describe('a verdict', () => {
  it('of a person validates or rejects', async () => {
    const { id } = await writeCard(api, { summary: 'It holds.' }, { key: fleet.planner });
    const say = (verdict: string, note?: string) =>
      api.call('POST', `/v1/cards/${id}/validation`, {
        body: { verdict, ...(note ? { note } : {}) },
      });
    const good = await say('success', 'seen it work');
    expect(good.body).toMatchObject({ status: 'validated', confidence: 0.6, version: 2 });
    expect((await say('wrong')).body.status).toBe('rejected');
    expect((await api.call('GET', `/v1/cards/${id}`, { key: fleet.planner })).status).toBe(404);
    expect((await api.call('GET', `/v1/cards/${id}`)).status).toBe(200);
    expect((await say('maybe')).status).toBe(400);
    const reasons = await rows<{ text: string }>(
      `SELECT r.text FROM audit_log a JOIN reasons r ON r.id = a.reason_id WHERE a.target_id = $1`,
      id,
    );
    expect(reasons).toEqual([{ text: 'seen it work' }]);
  });

  it("of an agent about its own card is a use of what it recalled; about another's it is nothing", async () => {
    const { id } = await writeCard(api, { summary: 'It helped.' }, { key: fleet.planner });
    const body = { query: 'it helped' };
    await api.call('POST', '/v1/recall', { key: fleet.planner, body });
    const say = (key: string) =>
      api.call('POST', `/v1/cards/${id}/validation`, { key, body: { verdict: 'success' } });
    const used = await say(fleet.planner);
    expect(used.body).toMatchObject({
      status: 'pending',
      use_count: 1,
      version: 1,
      confidence: 0.6,
    });
    await api.call('PUT', `/v1/cards/${id}/grants/coder`);
    expect((await say(fleet.coder)).status).toBe(403);
  });
});

describe('quarantine', () => {
  it('takes a card out of sight until it is released, whatever happens between', async () => {
    const { id } = await writeCard(api, { summary: 'Suspicious.' }, { key: fleet.planner });
    await api.call('POST', `/v1/cards/${id}/validation`, { body: { verdict: 'success' } });
    const post = (verb: string) => api.call('POST', `/v1/cards/${id}/${verb}`, { body: {} });
    expect((await post('quarantine')).body.status).toBe('quarantined');
    expect((await api.call('GET', `/v1/cards/${id}`, { key: fleet.planner })).status).toBe(404);
    await api.call('DELETE', `/v1/cards/${id}`);
    expect((await post('restore')).body.status).toBe('quarantined');
    expect((await post('release')).body.status).toBe('validated');
    expect((await post('release')).status).toBe(409);
    expect((await api.call('GET', `/v1/cards/${id}`, { key: fleet.planner })).status).toBe(200);
    const refused = await api.call('POST', `/v1/cards/${id}/quarantine`, { key: fleet.planner });
    expect(refused.status).toBe(403);
  });
});
