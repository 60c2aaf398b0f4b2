import type { Card } from '../src/contracts/card';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { startApi, type TestApi } from './support/api';
import { Filing, MINUTE, TestClock } from './support/filing';

jest.setTimeout(60_000);

const clock = new TestClock('2026-03-02T09:00:00.000Z');
let api: TestApi;
let filing: Filing;
let reviewer: string;

beforeAll(async () => {
  api = await startApi({ clock: clock.now, embedder: createHashedEmbedder() });
  filing = new Filing({ api, clock });
  reviewer = await api.keyOf('reviewer');
  await api.call('PUT', '/v1/teams/desk', { body: { name: 'Desk' } });
  for (const agent of ['lead', 'ada', 'bob', 'cleo']) {
    await api.call('PUT', `/v1/agents/${agent}`, { body: { team: 'desk' } });
  }
});
afterAll(() => api.close());
beforeEach(() => clock.advance(MINUTE));

const delegated = async (agent: string, task_type: string, outcome: 'worked' | 'failed') => {
  clock.advance(MINUTE);
  return await filing.card({
    kind: 'delegation',
    agent: 'lead',
    task_type,
    outcome,
    text: `${agent} was asked to do one ${task_type} at ${clock.text()}`,
    delegate: { agent, cost: 0.5, duration_ms: 2_000 },
  });
};
const stop = async (card: string, body: object = {}) => {
  const answer = await api.call('POST', `/v1/cards/${card}/stop`, {
    key: reviewer,
    body: { derived: true, ...body },
  });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body;
};
const recordsOf = async (agent: string) =>
  (await api.call('GET', `/v1/competence?agent=${agent}`)).body.items;
const cardsOf = async (agent: string, status: string): Promise<Card[]> => {
  const { body } = await api.call('GET', `/v1/cards?kind=competence&limit=200&status=${status}`);
  return body.items.filter(({ summary }: Card) => summary.startsWith(`${agent} completed`));
};
const audited = async (action: string) =>
  await api.database.inWorkspace('default', (tx) =>
    tx.query<{ target_id: string; hashes: object }>(
      'SELECT target_id, hashes FROM audit_log WHERE action = $1 ORDER BY seq',
      [action],
    ),
  );

describe('a delegation that is stopped with all that came of it', () => {
  it('is taken out of the record, whose card says what is left', async () => {
    const planted = await delegated('ada', 'refund', 'worked');
    await delegated('ada', 'refund', 'worked');
    const last = await delegated('ada', 'refund', 'failed');
    const [before] = await cardsOf('ada', 'active');

    const dry = await stop(planted, { dry_run: true });
    expect(dry).toMatchObject({ recounted: 1, counts: { cards: 1, changed: 1 } });
    expect(await recordsOf('ada')).toMatchObject([{ attempts: 3, card_id: before?.id }]);

    expect(await stop(planted)).toMatchObject({ recounted: 1, counts: { changed: 1 } });
    const [record] = await recordsOf('ada');
    expect(record).toMatchObject({
      attempts: 2,
      completed: 1,
      cost_total: 1,
      cost_mean: 0.5,
      duration_ms_mean: 2_000,
    });
    const current = await cardsOf('ada', 'active');
    expect(current).toMatchObject([
      {
        id: record.card_id,
        summary: expect.stringContaining('ada completed 1 of 2 refund tasks'),
        scope: { type: 'team', id: 'desk' },
        provenance: { writer: { kind: 'person' } },
      },
    ]);
    const replaced = (await api.call('GET', `/v1/cards/${before?.id}`)).body;
    expect(replaced).toMatchObject({ status: 'superseded', superseded_by: record.card_id });
    const { sources } = (await api.call('GET', `/v1/cards/${record.card_id}/lineage`)).body;
    expect(sources.map(({ id }: Card) => id)).toContain(last);
    expect((await audited('competence.recounted')).map(({ hashes }) => hashes)).toEqual([
      { stopped_with: planted },
    ]);
  });

  it('goes on being counted from there, and is not counted again once it is lifted', async () => {
    const planted = await delegated('bob', 'invoice', 'worked');
    await delegated('bob', 'invoice', 'failed');
    await stop(planted);
    const released = await api.call('POST', `/v1/cards/${planted}/release`, { key: reviewer });
    expect(released.status).toBe(200);
    expect(await recordsOf('bob')).toMatchObject([{ attempts: 1, completed: 0 }]);
    await delegated('bob', 'invoice', 'worked');
    expect(await recordsOf('bob')).toMatchObject([{ attempts: 2, completed: 1 }]);
    expect(await cardsOf('bob', 'active')).toMatchObject([
      { summary: expect.stringContaining('bob completed 1 of 2') },
    ]);
  });

  it('leaves no record and no card of it where it was the only one', async () => {
    const planted = await delegated('cleo', 'audit', 'worked');
    const [card] = await cardsOf('cleo', 'active');
    expect(await stop(planted, { action: 'delete' })).toMatchObject({ recounted: 1 });
    expect(await recordsOf('cleo')).toEqual([]);
    expect(await cardsOf('cleo', 'active')).toEqual([]);
    expect(await audited('card.archived')).toEqual([
      { target_id: card?.id, hashes: { stopped_with: planted } },
    ]);
    expect(await stop(planted, { action: 'delete' })).toMatchObject({ recounted: 0 });
    await delegated('cleo', 'audit', 'failed');
    expect(await cardsOf('cleo', 'active')).toMatchObject([
      { summary: expect.stringContaining('cleo completed 0 of 1') },
    ]);
  });
});
