import type { SettledEvent } from '../src/contracts/event';
import type { ReadContext } from '../src/contracts/principal';
import { logAccess, type SeenCard } from '../src/store/access-log';
import { observeCompetence } from '../src/store/competence';
import { startApi, type TestApi } from './support/api';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const reader = (change: Partial<ReadContext>): ReadContext => ({
  workspace: 'default',
  principal: { kind: 'agent', id: 'reader', role: null, bootstrap: false },
  agent: 'reader',
  person: null,
  execution_mode: 'headless',
  session: null,
  ...change,
});

const log = (context: ReadContext, at: string, cards: SeenCard[]) =>
  api.database.inWorkspace('default', (tx) =>
    logAccess(tx, context, { surface: 'recall', at: new Date(at), cards }),
  );

const rowsOf = async (query: string) =>
  (await api.call('GET', `/v1/access-log?${query}`)).body.items;

describe('the access log', () => {
  it('has a row for each way, none for own cards, and is found by reader, card, way and time', async () => {
    await log(reader({}), '2026-06-01T00:00:00Z', [
      { id: 'c1', vias: ['team', 'explicit'] },
      { id: 'c2', vias: ['team'] },
      { id: 'c3', vias: ['own', 'team'] },
    ]);
    await log(
      reader({ agent: 'helper', person: 'ada', execution_mode: 'interactive', session: 's' }),
      '2026-06-02T00:00:00Z',
      [{ id: 'c2', vias: ['household'] }],
    );
    expect(await rowsOf('')).toMatchObject([
      { agent: 'helper', person: 'ada', via: 'household', count: 1, execution_mode: 'interactive' },
      { agent: 'reader', person: null, via: 'explicit', card_ids: ['c1'], session: null },
      { agent: 'reader', via: 'team', count: 2, card_ids: ['c1', 'c2'] },
    ]);
    expect(await rowsOf('card=c2')).toHaveLength(2);
    expect(await rowsOf('card=c3')).toHaveLength(0);
    expect(await rowsOf('via=explicit')).toHaveLength(1);
    expect(await rowsOf('agent=reader')).toHaveLength(2);
    expect(await rowsOf('person=ada')).toHaveLength(1);
    expect(await rowsOf('since=2026-06-02T00:00:00Z')).toHaveLength(1);
    expect(await rowsOf('until=2026-06-02T00:00:00Z')).toHaveLength(2);
    expect((await api.call('GET', '/v1/access-log?via=window')).status).toBe(400);
    expect((await api.call('GET', '/v1/access-log?limit=1')).body).toMatchObject({ total: 3 });
  });
});

describe('the record of who is good at what', () => {
  const observe = (agent: string, taskType: string, outcome: SettledEvent['outcome'], n: number) =>
    api.database.inWorkspace('default', (tx) =>
      observeCompetence(
        tx,
        {
          event_id: `${agent}-${taskType}-${n}`,
          kind: 'delegation',
          agent,
          task_type: taskType,
          outcome,
          occurred_at: '2026-06-01T00:00:00Z',
          delegate: { agent, cost: 2, duration_ms: 100 },
        },
        new Date('2026-06-03T12:00:00Z'),
      ),
    );

  it('is sorted by evidence, filtered, paged, and an agent sees its own team', async () => {
    for (const [agent, team] of [
      ['ann', 'red'],
      ['ben', 'red'],
      ['cat', 'blue'],
    ] as const) {
      await api.call('PUT', `/v1/teams/${team}`, { body: { name: team } });
      await api.call('PUT', `/v1/agents/${agent}`, { body: { team } });
    }
    for (let n = 0; n < 4; n += 1) {
      await observe('ann', 'pack', 'worked', n);
      await observe('ben', 'pack', n < 2 ? 'worked' : 'failed', n);
      await observe('cat', 'pack', 'worked', n);
      await observe('cat', 'ship', 'failed', n);
    }
    const list = async (query: string, key = api.ownerKey) =>
      (await api.call('GET', `/v1/competence?${query}`, { key })).body;
    const names = (page: { items: { agent: string; task_type: string }[] }) =>
      page.items.map((item) => `${item.agent} ${item.task_type}`);
    const all = await list('');
    expect(names(all)).toEqual(['ann pack', 'cat pack', 'ben pack', 'cat ship']);
    expect(all.items[0]).toMatchObject({
      attempts: 4,
      completed: 4,
      completion_rate: 1,
      cost_total: 8,
      cost_mean: 2,
      duration_ms_mean: 100,
    });
    expect(names(await list('task_type=ship'))).toEqual(['cat ship']);
    expect(names(await list('team=red'))).toEqual(['ann pack', 'ben pack']);
    expect(names(await list('agent=ben'))).toEqual(['ben pack']);
    const first = await list('limit=2');
    const second = await list(`limit=2&cursor=${encodeURIComponent(first.next_cursor)}`);
    expect([...names(first), ...names(second)]).toEqual(names(all));
    expect([first.total, second.next_cursor]).toEqual([4, null]);

    const ben = await api.keyFor({ kind: 'agent', id: 'ben' });
    expect(names(await list('', ben))).toEqual(['ann pack', 'ben pack']);
    expect(names(await list('team=blue', ben))).toEqual([]);
    const runtime = await api.keyFor({ kind: 'runtime', id: 'r' });
    expect((await list('', runtime)).total).toBe(4);
  });
});
