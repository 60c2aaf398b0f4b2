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
beforeAll(async () => {
  api = await startApi();
  runtime = await api.keyFor({ kind: 'runtime', id: 'harness' });
  reviewer = await api.keyOf('reviewer');
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

  it('an insight that recommends it in other writing is saved without it, and audited by its hash', async () => {
    await block(hash);
    const actions = [{ text: 'please cut the Zanzibar lunch shift!' }, { text: KEEP }];
    const saved = await scout.saved({ actions });
    expect([textsOf(saved), saved.removed]).toEqual([[KEEP], 1]);
    const rows = await audited(saved.id);
    expect(rows.map(({ action, hashes }: AuditRow) => [action, hashes])).toEqual([
      ['insight.saved', { card: saved.card_id }],
      ['action.removed', { action: hash }],
    ]);
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
