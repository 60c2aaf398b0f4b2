import type { Insight } from '../src/contracts/insight';
import { startApi, type TestApi } from './support/api';
import { Insights } from './support/insights';

/** Of another text for each test, so that none learns from another. */
let texts = 0;
let text: string;

let api: TestApi;
let people: Insights;
let runtime: Insights;
beforeAll(async () => {
  api = await startApi();
  people = new Insights(api);
  runtime = people.as(await api.keyFor({ kind: 'runtime', id: 'harness' }));
  const put = (path: string, body: object) => api.call('PUT', path, { body });
  for (const team of ['red', 'blue']) await put(`/v1/teams/${team}`, { name: team });
  await put('/v1/agents/writer', { team: 'red' });
  await put('/v1/agents/mate', { team: 'red' });
  await put('/v1/agents/outsider', { team: 'blue' });
  await put('/v1/agents/guest', {});
});
afterAll(() => api.close());
beforeEach(() => {
  texts += 1;
  text = `Move delivery to hour ${texts}.`;
});

const team = { scope: { type: 'team', id: 'red' } };
const workspace = { scope: { type: 'workspace', id: 'default' } };
const asking = (as: Insights, body: object = {}) => as.saved({ ...body, actions: [{ text }] });
const judged = ({ actions: [action] }: Insight) => [
  action?.evidence.outcomes,
  action?.boost,
  action?.priority,
];

describe('an action is judged by what came of it', () => {
  it('in its own scope, the team’s and the workspace’s', async () => {
    const writer = runtime.for('writer');
    const insight = await asking(writer);
    expect(judged(insight)).toEqual([0, 1, 'normal']);
    await writer.learned(text, 'improved');
    expect(judged(await writer.shown(insight.id))).toEqual([1, 1.5, 'normal']);
    await people.learned(text, 'improved', team);
    await people.learned(text, 'improved', workspace);
    const shown = await writer.shown(insight.id);
    expect(judged(shown)).toEqual([3, 1.75, 'high']);
    expect(shown.actions[0]?.rationale).toContain('Improved 3 of 3 times');
    expect(judged(await people.shown(insight.id))).toEqual([3, 1.75, 'high']);
    expect(judged(await asking(writer, { title: 'Another' }))).toEqual([3, 1.75, 'high']);
  });

  it('and one that made things worse comes last, with a caution', async () => {
    const writer = runtime.for('writer');
    await writer.learned(text, 'worse');
    const insight = await writer.saved({ actions: [{ text }, { text: `${text} Or not.` }] });
    const [first, last] = insight.actions;
    expect([first?.priority, first?.caution]).toEqual(['normal', undefined]);
    expect([last?.text, last?.boost, last?.priority]).toEqual([text, 0.5, 'low']);
    expect(last?.caution).toContain('worse');
  });
});

describe('nothing is told by what came of it', () => {
  it('in the scope of another agent, or another team', async () => {
    await runtime.for('mate').learned(text, 'improved');
    await runtime.for('outsider').learned(text, 'improved');
    await people.learned(text, 'improved', { scope: { type: 'team', id: 'blue' } });
    expect(judged(await asking(runtime.for('writer')))).toEqual([0, 1, 'normal']);
  });

  it('in a narrower scope than its own', async () => {
    await runtime.for('writer').learned(text, 'improved');
    expect(judged(await asking(people, team))).toEqual([0, 1, 'normal']);
    await people.learned(text, 'improved', team);
    expect(judged(await asking(people, workspace))).toEqual([0, 1, 'normal']);
  });

  it('to a guest who sees this insight and not the others', async () => {
    const insight = await asking(runtime.for('writer'));
    await runtime.for('writer').learned(text, 'improved');
    await people.learned(text, 'improved', team);
    await people.learned(text, 'improved', workspace);
    const grant = `/v1/cards/${insight.card_id}/grants/guest`;
    await api.call('PUT', grant, { body: {} });
    const guest = runtime.for('guest');
    // The workspace's everybody sees.
    expect(judged(await guest.shown(insight.id))).toEqual([1, 1.5, 'normal']);
    expect(judged((await guest.listed()).find(({ id }) => id === insight.id) as Insight)).toEqual([
      ...[1, 1.5, 'normal'],
    ]);
    expect(judged(await runtime.for('writer').shown(insight.id))).toEqual([3, 1.75, 'high']);
    await api.call('DELETE', grant);
    expect((await guest.get(`/${insight.id}`)).status).toBe(404);
  });

  it('once its insight is deleted or found wrong, and by it again when that is taken back', async () => {
    const writer = runtime.for('writer');
    const insight = await asking(writer);
    const past = await writer.learned(text, 'improved');
    const count = async () => (await writer.shown(insight.id)).actions[0]?.evidence.outcomes;
    expect(await count()).toBe(1);
    await api.call('DELETE', `/v1/cards/${past.card_id}`);
    expect(await count()).toBe(0);
    await api.call('POST', `/v1/cards/${past.card_id}/restore`, { body: {} });
    expect(await count()).toBe(1);
    const wrong = { verdict: 'wrong' };
    await api.call('POST', `/v1/cards/${past.card_id}/validation`, { body: wrong });
    expect(await count()).toBe(0);
  });

  it('next door', async () => {
    const made = await api.call('POST', '/v1/workspaces', { body: { id: 'next', name: 'Next' } });
    const next = people.as(made.body.owner_key);
    const theirs = { scope: { type: 'workspace', id: 'next' } };
    await people.learned(text, 'improved', workspace);
    const insight = await asking(next, theirs);
    expect(judged(insight)).toEqual([0, 1, 'normal']);
    expect((await people.get(`/${insight.id}`)).status).toBe(404);
    expect((await next.listed()).map(({ id }) => id)).toEqual([insight.id]);
  });
});

it('an outcome names the card that tells it to whoever sees that', async () => {
  const told = await runtime.for('writer').learned(text, 'improved');
  const cardIn = async (as: Insights) => (await as.shown(told.id)).actions[0]?.outcome?.card_id;
  const card = await cardIn(runtime.for('writer'));
  expect((await api.call('GET', `/v1/cards/${card}`)).status).toBe(200);
  await api.call('PUT', `/v1/cards/${told.card_id}/grants/guest`, { body: {} });
  expect(await cardIn(runtime.for('guest'))).toBeNull();
});
