import type { Card } from '../src/contracts/card';
import type { SettledEvent } from '../src/contracts/event';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { observeCompetence } from '../src/store/competence';
import { startApi, type TestApi } from './support/api';
import { DAY, Filing, TestClock } from './support/filing';

jest.setTimeout(60_000);

const clock = new TestClock('2026-03-02T09:00:00.000Z');
let api: TestApi;
let filing: Filing;

beforeAll(async () => {
  api = await startApi({ clock: clock.now, embedder: createHashedEmbedder() });
  filing = new Filing({ api, clock });
  await api.call('PUT', '/v1/teams/desk', { body: { name: 'Desk' } });
  for (const agent of ['lead', 'ada', 'bob']) {
    await api.call('PUT', `/v1/agents/${agent}`, { body: { team: 'desk' } });
  }
});

afterAll(() => api.close());

const delegated = (
  agent: string,
  task_type: string,
  outcome: SettledEvent['outcome'],
  more: Partial<SettledEvent> = {},
) =>
  filing.file({
    kind: 'delegation',
    agent: 'lead',
    task_type,
    outcome,
    text: `${agent} was asked to do one ${task_type}`,
    delegate: { agent, cost: 0.5, duration_ms: 2_000 },
    ...more,
  });

const competenceCards = async (query = ''): Promise<Card[]> => {
  const { body } = await api.call('GET', `/v1/cards?kind=competence&limit=200${query}`);
  return body.items;
};

const record = async (agent: string, taskType: string) => {
  const { body } = await api.call('GET', `/v1/competence?agent=${agent}&task_type=${taskType}`);
  return body.items[0];
};

describe('a settled delegation', () => {
  it('updates the record of the delegate, and the one card that says it', async () => {
    for (const outcome of ['worked', 'worked', 'failed'] as const) {
      clock.advance(1_000);
      await delegated('ada', 'refund', outcome);
    }
    const figures = await record('ada', 'refund');
    expect(figures).toMatchObject({
      attempts: 3,
      completed: 2,
      cost_total: 1.5,
      cost_mean: 0.5,
      duration_ms_mean: 2_000,
    });
    const current = (await competenceCards('&status=active')).filter(
      (card) => card.hints.task_type === 'refund',
    );
    expect(current).toHaveLength(1);
    const [card] = current;
    expect(card).toMatchObject({
      id: figures.card_id,
      summary: expect.stringContaining('ada completed 2 of 3 refund tasks'),
      scope: { type: 'team', id: 'desk' },
      confidence: Math.round(figures.lower_bound * 10_000) / 10_000,
    });
  });

  it('replaces the last card, which says what replaced it, and names the delegation it comes from', async () => {
    const { card_id } = await record('ada', 'refund');
    const superseded = (await competenceCards('&status=superseded')).filter(
      (card) => card.hints.task_type === 'refund',
    );
    expect(superseded).toHaveLength(2);
    const answers = await Promise.all(
      superseded.map(async ({ id }) => (await api.call('GET', `/v1/cards/${id}`)).body),
    );
    expect(answers.map((one) => one.superseded_by)).toContain(card_id);
    const { body } = await api.call('GET', `/v1/cards/${card_id}/lineage`);
    expect(body.sources.map((source: Card) => source.kind)).toContain('delegation');
  });

  it('counts once an event', async () => {
    const event = { event_id: 'once', occurred_at: clock.text() };
    await delegated('bob', 'invoice', 'worked', event);
    const before = await record('bob', 'invoice');
    expect(before.attempts).toBe(1);
    const again = await api.database.inWorkspace('default', (tx) =>
      observeCompetence(
        tx,
        {
          ...event,
          kind: 'delegation',
          agent: 'lead',
          task_type: 'invoice',
          outcome: 'worked',
          delegate: { agent: 'bob' },
        },
        clock.now(),
      ),
    );
    expect(again).toBeNull();
    expect(await record('bob', 'invoice')).toEqual(before);
  });

  it('is counted whole where ten settle at the same moment, in one card', async () => {
    await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        delegated('bob', 'translation', 'worked', { text: `translation ${n} was delegated` }),
      ),
    );
    expect(await record('bob', 'translation')).toMatchObject({ attempts: 10, completed: 10 });
    const current = (await competenceCards('&status=active')).filter(
      (card) => card.hints.task_type === 'translation',
    );
    expect(current).toHaveLength(1);
    expect(current[0]?.summary).toContain('10 of 10');
  });

  it("counts in no record of its reporter's own, nor of another team, where an agent's key says it", async () => {
    const by = (id: string) => ({ kind: 'agent', id }) as const;
    await api.call('PUT', '/v1/teams/far', { body: { name: 'Far' } });
    await api.call('PUT', '/v1/agents/stranger', { body: { team: 'far' } });
    const told = (reporter: string, delegate: string) =>
      filing.file(
        {
          kind: 'delegation',
          agent: reporter,
          task_type: 'audit',
          outcome: 'worked',
          text: `${reporter} says of ${delegate} that it was done`,
          delegate: { agent: delegate },
        },
        by(reporter),
      );
    await told('ada', 'ada');
    await told('stranger', 'ada');
    expect(await record('ada', 'audit')).toBeUndefined();
    await told('lead', 'ada');
    expect(await record('ada', 'audit')).toMatchObject({ attempts: 1 });
  });

  it('counts for less by the day', async () => {
    const before = await record('ada', 'refund');
    clock.advance(100 * DAY);
    const after = await record('ada', 'refund');
    expect(after.lower_bound).toBe(before.lower_bound);
    expect(after.lower_bound_now).toBeCloseTo(before.lower_bound * 0.99 ** 100, 6);
    clock.advance(-100 * DAY);
  });
});

describe('a recall that plans', () => {
  it('leads with who is best at it', async () => {
    clock.advance(60_000);
    for (let n = 0; n < 9; n += 1) {
      await delegated('ada', 'translation', n < 2 ? 'worked' : 'failed', { text: `try ${n}` });
    }
    const { body } = await api.call('POST', '/v1/recall', {
      body: { query: 'whom should I delegate a translation to', intent: 'plan' },
      headers: { 'Cairn-Agent': 'lead' },
    });
    expect(body.cards[0]).toMatchObject({ kind: 'competence' });
    expect(body.cards[0].summary).toContain('bob completed 10 of 10 translation tasks');
    const who = body.sections.find((section: { name: string }) => section.name === 'who');
    expect(who.cards).toContain(body.cards[0].id);
  });
});
