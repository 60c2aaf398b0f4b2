import type { AuditRow } from '../src/contracts/audit';
import type { Insight, KnownAction } from '../src/contracts/insight';
import { startApi, type TestApi } from './support/api';
import { Insights, OVERTIME } from './support/insights';
import { McpSession } from './support/mcp';

const CUT = 'Cut the zanzibar lunch shift.';
const KEEP = 'Hire a second cook.';
const WORD = 'zanzibar';

let api: TestApi;
let runtime: string;
let reviewer: string;
let scout: Insights;
let people: Insights;
beforeAll(async () => {
  api = await startApi();
  runtime = await api.keyFor({ kind: 'runtime', id: 'harness' });
  reviewer = await api.keyOf('reviewer');
  people = new Insights(api).as(reviewer);
  scout = new Insights(api).as(runtime).for('scout');
});
afterAll(() => api.close());

const block = (hash: string, key = reviewer, reason = 'it drove guests away') =>
  api.call('PUT', `/v1/actions/${hash}/block`, { key, body: { reason } });
const unblock = (hash: string, key = reviewer) =>
  api.call('DELETE', `/v1/actions/${hash}/block`, { key });
const known = async (query = ''): Promise<KnownAction[]> =>
  (await api.call('GET', `/v1/actions${query}`)).body.items;
const textsOf = ({ actions }: Insight) => actions.map(({ text }) => text);
/** The oldest first. */
const audited = async (target: string) =>
  (await api.call('GET', `/v1/audit?limit=500&target=${target}`)).body.items.reverse();
const both = { actions: [{ text: CUT }, { text: KEEP }] };

let insight: Insight;
let hash: string;
beforeEach(async () => {
  insight = await scout.saved(both);
  hash = insight.actions.find(({ text }) => text === CUT)?.hash ?? hash;
});
afterEach(() => unblock(hash));

describe('once a person has blocked an action', () => {
  it('the next read of an insight leaves it out, and counts it', async () => {
    expect(textsOf(insight)).toEqual([CUT, KEEP]);
    const blocked = await block(hash);
    expect(blocked).toMatchObject({
      status: 200,
      body: { hash, blocked: { by: 'the-reviewer', reason: 'it drove guests away' } },
    });
    for (const shown of [
      await scout.shown(insight.id),
      await new Insights(api).shown(insight.id),
      ...(await scout.listed()).filter(({ id }) => id === insight.id),
    ]) {
      expect([textsOf(shown), shown.removed]).toEqual([[KEEP], 1]);
    }
    await unblock(hash);
    const again = await scout.shown(insight.id);
    expect([textsOf(again), again.removed]).toEqual([[CUT, KEEP], 0]);
  });

  it('an insight that recommends it in other writing is saved without it, and audited', async () => {
    await block(hash);
    const actions = [{ text: 'please cut the Zanzibar lunch shift!' }, { text: KEEP }];
    const saved = await scout.saved({ actions });
    expect([textsOf(saved), saved.removed]).toEqual([[KEEP], 1]);
    const rows = await audited(saved.id);
    expect(rows.map(({ action, hashes }: AuditRow) => [action, hashes])).toEqual([
      ['insight.saved', { card: saved.card_id }],
    ]);
    const removed = (await audited(hash)).at(-1);
    expect(removed).toMatchObject({
      ...{ action: 'action.removed', target: { type: 'action', id: hash } },
      hashes: { insight: saved.id, action: expect.stringMatching(/^act_/) },
    });
  });

  it('the log holds no hash of its words, which anybody could guess', async () => {
    await block(hash);
    await scout.saved(both);
    await scout.post(`/${insight.id}/actions/${insight.actions[1]?.id}/taken`);
    const rows = await api.database.inWorkspace('default', (tx) =>
      tx.query<{ text: string }>('SELECT a::text AS text FROM audit_log a'),
    );
    const dump = rows.map(({ text }) => text).join();
    expect(dump).toContain('action.removed');
    for (const one of insight.actions) expect(dump).not.toContain(one.hash);
  });

  it('no writing of it that looks the same comes back', async () => {
    await block(hash);
    const alike = [
      'Cut the zan\u00adzibar lunch shift.',
      'C\u200but the zanzibar lunch\u2060 shift',
    ];
    for (const text of alike) {
      const saved = await scout.saved({ actions: [{ text }, { text: KEEP }] });
      expect([textsOf(saved), saved.removed]).toEqual([[KEEP], 1]);
    }
    const nothing = await scout.post('', { ...OVERTIME, actions: [{ text: '\u200b\u00ad' }] });
    expect(nothing.status).toBe(400);
  });

  it('no read of anybody but people who decide says it', async () => {
    await block(hash);
    await scout.saved({ ...both, title: 'Overtime again' });
    const { card_id } = insight;
    const asScout = { key: runtime, headers: { 'cairn-agent': 'scout' } };
    const reads = [
      api.call('GET', '/v1/insights?limit=500', asScout),
      api.call('GET', '/v1/insights?limit=500'),
      api.call('GET', `/v1/insights/${insight.id}`, asScout),
      ...['', '/history', '/edges', '/lineage', '/readers', '/story'].flatMap((what) => [
        api.call('GET', `/v1/cards/${card_id}${what}`, asScout),
        api.call('GET', `/v1/cards/${card_id}${what}`),
      ]),
      api.call('GET', '/v1/cards?limit=500', asScout),
      api.call('GET', '/v1/graph', asScout),
      api.call('POST', '/v1/recall', {
        ...asScout,
        body: { query: `${WORD} lunch overtime`, explain: true },
      }),
      api.call('GET', '/v1/audit'),
      api.call('GET', '/v1/actions', { headers: { 'cairn-agent': 'scout' } }),
    ];
    for (const answer of await Promise.all(reads)) {
      expect(answer.status).toBe(200);
      expect(answer.text.replace(`${WORD} lunch overtime`, '').toLowerCase()).not.toContain(WORD);
    }
    const session = await McpSession.http(api, runtime, { 'cairn-agent': 'scout' });
    const found = await session.call('memory_search', { query: 'overtime lunch shift' });
    expect(found.text).toContain('Overtime is up');
    expect(found.text.toLowerCase()).not.toContain(WORD);
    await session.close();
  });

  it('it can be neither taken nor found again by its id', async () => {
    const { id } = insight.actions.find((one) => one.hash === hash) ?? { id: '' };
    await block(hash);
    const taken = await scout.post(`/${insight.id}/actions/${id}/taken`);
    const nowhere = await scout.post(`/${insight.id}/actions/act_nowhere/taken`);
    expect([taken.status, nowhere.status]).toEqual([404, 404]);
    expect(taken.text).toBe(nowhere.text);
  });

  it('a write of a restricted agent waits without it', async () => {
    await api.call('PUT', '/v1/agents/planner', { body: {} });
    const child = { parent_agent: 'planner', restricted: true };
    await api.call('PUT', '/v1/agents/child', { body: child });
    const held = await scout.for('child').post('', { ...OVERTIME, ...both });
    expect(held.status).toBe(202);
    await block(hash);
    const path = `/v1/pending-writes/${held.body.pending_write_id}`;
    const waiting = await api.call('GET', path);
    expect(waiting.body.write.insight.actions.map(({ text }: { text: string }) => text)).toEqual([
      KEEP,
    ]);
    const { body } = await api.call('POST', path, { body: { accept: true } });
    const saved = (await new Insights(api).listed('?agent=planner')).find(
      ({ card_id }) => card_id === body.card_id,
    );
    expect(saved === undefined ? null : textsOf(saved)).toEqual([KEEP]);
  });
});

describe('a card that tells of a blocked action', () => {
  const TRIED = 'Juggle the zanzibar flarnblades.';
  const asScout = () => ({ key: runtime, headers: { 'cairn-agent': 'scout' } });
  const recalled = async () => {
    const body = { query: `${WORD} flarnblades`, intent: 'act', budget_tokens: 4_000 };
    const answer = await api.call('POST', '/v1/recall', { ...asScout(), body });
    return answer.text.replaceAll(body.query, '').toLowerCase();
  };
  const seen = async (id: string) => (await api.call('GET', `/v1/cards/${id}`, asScout())).status;
  const cardOf = ({ actions }: Insight) => actions[0]?.outcome?.card_id ?? '';

  it('as of one that did no harm is held back until that is over; a warning stays', async () => {
    const helped = cardOf(await scout.learned(TRIED, 'improved'));
    const nothing = cardOf(await scout.learned(TRIED, 'unchanged'));
    const bad = await scout.saved({ actions: [{ text: TRIED }] });
    const report = { action_id: bad.actions[0]?.id, result: 'worse' };
    const warned = cardOf((await people.post(`/${bad.id}/outcome`, report)).body);
    const tried = bad.actions[0]?.hash ?? '';
    expect(await recalled()).toContain('it helped');
    await block(tried);
    expect([await seen(helped), await seen(nothing), await seen(warned)]).toEqual([404, 404, 200]);
    const text = await recalled();
    expect(text).not.toMatch(/it helped|nothing that counts/);
    expect(text).toContain('worse');
    const card = await api.call('GET', `/v1/cards/${helped}`);
    expect([card.status, card.body.status]).toEqual([200, 'quarantined']);
    await unblock(tried);
    expect([await seen(helped), await seen(nothing), await seen(warned)]).toEqual([200, 200, 200]);
    expect(await recalled()).toContain('it helped');
    const rows = (await audited(helped)).map(({ action }: AuditRow) => action);
    expect(rows).toEqual(['card.created', 'card.quarantined', 'card.released']);
  });

  it('stays held back where a person did so, or where its insight is gone', async () => {
    const [one, other] = [
      await scout.learned(TRIED, 'improved'),
      await scout.learned(TRIED, 'improved'),
    ];
    const tried = one.actions[0]?.hash ?? '';
    await api.call('POST', `/v1/cards/${cardOf(one)}/quarantine`, { body: {} });
    await block(tried);
    await api.call('DELETE', `/v1/cards/${other.card_id}`);
    await unblock(tried);
    expect([await seen(cardOf(one)), await seen(cardOf(other))]).toEqual([404, 404]);
  });
});

describe('blocking', () => {
  it('is for owners and reviewers, and for nobody else', async () => {
    const keys = {
      operator: await api.keyOf('operator'),
      auditor: await api.keyOf('auditor'),
      runtime,
      agent: await api.keyFor({ kind: 'agent', id: 'scout' }),
    };
    for (const [who, key] of Object.entries(keys)) {
      expect([who, (await block(hash, key)).status]).toEqual([who, 403]);
      expect([who, (await unblock(hash, key)).status]).toEqual([who, 403]);
    }
    expect((await block(hash, api.ownerKey)).status).toBe(200);
    expect((await unblock(hash, api.ownerKey)).status).toBe(204);
    // Once more changes nothing.
    expect((await unblock(hash)).status).toBe(204);
  });

  it('is told with its reason to people who look at actions, and audited', async () => {
    await block(hash);
    const [listed] = await known('?blocked=true');
    expect(listed).toMatchObject({
      ...{ hash, text: CUT, boost: 1 },
      blocked: { by: 'the-reviewer', reason: 'it drove guests away', at: expect.any(String) },
    });
    expect((await known('?blocked=false')).map((one) => one.hash)).not.toContain(hash);
    await unblock(hash);
    expect((await known('?blocked=true')).length).toBe(0);
    const rows = (await audited(hash)).slice(-2);
    expect(rows.map(({ action, reason_id }: AuditRow) => [action, reason_id !== null])).toEqual([
      ['action.blocked', true],
      ['action.unblocked', false],
    ]);
  });

  it('answers 404 for what nobody ever recommended, and 400 for what is no hash', async () => {
    expect((await block('0'.repeat(64))).status).toBe(404);
    expect((await unblock('0'.repeat(64))).status).toBe(404);
    expect((await block('nothing')).status).toBe(400);
  });
});
