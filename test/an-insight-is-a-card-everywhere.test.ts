import type { Insight } from '../src/contracts/insight';
import { DAY, type RecallLane, startRecallLane } from './support/filing';
import { Insights, OVERTIME } from './support/insights';
import { rowsOf, upkeep } from './support/upkeep';

jest.setTimeout(120_000);

let lane: RecallLane;
let runtime: string;
let people: Insights;
let scout: Insights;
beforeAll(async () => {
  lane = await startRecallLane();
  runtime = await lane.api.keyFor({ kind: 'runtime', id: 'a-harness' });
  people = new Insights(lane.api);
  scout = people.as(runtime).for('scout');
});
afterAll(() => lane.close());

const asScout = () => ({ key: runtime, headers: { 'cairn-agent': 'scout' } });
const card = ({ card_id }: Pick<Insight, 'card_id'>, what = '') => `/v1/cards/${card_id}${what}`;
const status = async (id: string, as = scout) => (await as.get(`/${id}`)).status;

async function patch(insight: Insight, body: object): Promise<void> {
  const { headers } = await lane.api.call('GET', card(insight));
  const match = { 'if-match': headers.get('etag') ?? '' };
  const answer = await lane.api.call('PATCH', card(insight), { headers: match, body });
  if (answer.status !== 200) throw new Error(`not changed: ${answer.text}`);
}

const kept = (id: string) =>
  rowsOf<{ title: string | null; finding: string | null; urgency: unknown }>(
    lane,
    'SELECT title, finding, urgency FROM insights WHERE id = $1',
    [id],
  );

it('is recalled as a lesson, in the words of its card alone', async () => {
  const insight = await scout.saved({ title: 'The terrace loses money' });
  const answer = await lane.api.call('POST', '/v1/recall', {
    ...asScout(),
    body: { query: 'does the terrace lose money', intent: 'look_up' },
  });
  const lessons = answer.body.sections.find(({ name }: { name: string }) => name === 'lessons');
  expect(lessons.cards).toContain(insight.card_id);
  expect(answer.body.context).toContain('The terrace loses money. Overtime at the quay');
  expect(answer.text).not.toContain('Hire a second cook');
});

it('says what its card says once that is corrected, and keeps no word of before', async () => {
  const insight = await scout.saved();
  expect(insight.urgency.basis.dollars?.quote).toContain('1,200');
  await patch(insight, { summary: 'Overtime cost less than was said.' });
  const shown = await scout.shown(insight.id);
  expect([shown.title, shown.finding]).toEqual([null, 'Overtime cost less than was said.']);
  expect(shown.urgency).toMatchObject({ score: insight.urgency.score, basis: { dollars: null } });
  const rows = await kept(insight.id);
  expect(rows).toMatchObject([{ title: null, finding: null }]);
  expect(JSON.stringify(rows)).not.toContain('1,200');
});

it('keeps no word of before where its card became another kind first', async () => {
  const insight = await scout.saved();
  await patch(insight, { kind: 'knowledge' });
  expect((await scout.shown(insight.id)).title).toBe('Overtime is up');
  await patch(insight, { summary: 'Overtime is as it was.' });
  expect(await kept(insight.id)).toMatchObject([{ title: null, finding: null }]);
  expect((await scout.shown(insight.id)).finding).toBe('Overtime is as it was.');
});

it('goes with its card, and comes back with it', async () => {
  const insight = await scout.saved();
  await lane.api.call('DELETE', card(insight));
  expect([await status(insight.id), await status(insight.id, people)]).toEqual([404, 404]);
  expect((await scout.listed()).map(({ id }) => id)).not.toContain(insight.id);
  await lane.api.call('POST', card(insight, '/restore'), { body: {} });
  expect(await scout.shown(insight.id)).toEqual(insight);
});

it('is seen by whom its card is shared with, until that is taken back', async () => {
  const insight = await scout.saved();
  await lane.api.call('PUT', '/v1/agents/mate', { body: {} });
  const mate = people.as(runtime).for('mate');
  expect(await status(insight.id, mate)).toBe(404);
  await lane.api.call('PUT', card(insight, '/grants/mate'), { body: {} });
  expect((await mate.shown(insight.id)).id).toBe(insight.id);
  expect((await mate.listed()).map(({ id }) => id)).toEqual([insight.id]);
  const { body } = await lane.api.call('GET', '/v1/access-log?limit=500');
  const rows = body.items.filter(({ agent }: { agent: string }) => agent === 'mate');
  expect(rows.map(({ surface, via }: { surface: string; via: string }) => [surface, via])).toEqual([
    ['insights.list', 'explicit'],
    ['insights.get', 'explicit'],
  ]);
  await lane.api.call('DELETE', card(insight, '/grants/mate'));
  expect(await status(insight.id, mate)).toBe(404);
  expect(await mate.listed()).toEqual([]);
});

it('is out of agents’ sight while it is quarantined, and people see it', async () => {
  const insight = await scout.saved();
  await lane.api.call('POST', card(insight, '/quarantine'), { body: {} });
  expect([await status(insight.id), await status(insight.id, people)]).toEqual([404, 200]);
  const [action] = insight.actions;
  const taken = await people.post(`/${insight.id}/actions/${action?.id}/taken`);
  expect([taken.status, taken.body.code]).toEqual([409, 'not_in_use']);
  await lane.api.call('POST', card(insight, '/release'), { body: {} });
  expect(await status(insight.id)).toBe(200);
});

it('is purged with its card: words, numbers, actions and outcomes', async () => {
  const words = {
    title: 'The zanzibar is late',
    finding: 'The quokka cost $7,777.',
    domain: 'yuzu',
  };
  const insight = await scout.learned('Call the ocelot.', 'improved', {
    ...{ ...OVERTIME, ...words },
    metrics: [{ name: 'wombat_rate', value: 3 }],
  });
  const other = await scout.saved({ actions: [{ text: 'Keep the shared one.' }] });
  const both = await scout.saved({ actions: [{ text: 'Keep the shared one.' }] });
  const outcome = insight.actions[0]?.outcome?.card_id;
  for (const id of [insight.card_id, both.card_id, outcome]) {
    expect((await lane.api.call('DELETE', `/v1/cards/${id}`)).status).toBe(204);
  }
  lane.clock.advance(31 * DAY);
  await upkeep(lane, 'retention');
  for (const table of [
    'insights',
    'insight_actions',
    'action_outcomes',
    'metric_snapshots',
    'actions',
  ]) {
    const rows = await rowsOf<{ row: string }>(lane, `SELECT t::text AS row FROM ${table} t`);
    for (const word of ['zanzibar', 'quokka', '7,777', 'yuzu', 'ocelot', 'wombat', insight.id]) {
      expect([table, word, rows.some(({ row }) => row.includes(word))]).toEqual([
        table,
        word,
        false,
      ]);
    }
  }
  expect((await scout.shown(other.id)).actions.map(({ text }) => text)).toEqual([
    'Keep the shared one.',
  ]);
});
