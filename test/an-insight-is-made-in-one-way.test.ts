import { INSIGHT_ORIGINS } from '../src/contracts/insight';
import { startApi, type TestApi } from './support/api';
import { LANE_START, TestClock } from './support/filing';
import { Insights, OVERTIME } from './support/insights';

const clock = new TestClock(LANE_START);
let api: TestApi;
let scout: Insights;
beforeAll(async () => {
  api = await startApi({ clock: clock.now });
  const runtime = await api.keyFor({ kind: 'runtime', id: 'harness' });
  scout = new Insights(api).as(runtime).for('scout');
});
afterAll(() => api.close());

const rows = <Row>(sql: string, values: unknown[] = []) =>
  api.database.inWorkspace('default', (tx) => tx.query<Row>(sql, values));

describe('an insight', () => {
  it.each(INSIGHT_ORIGINS)(
    'of the origin %s has card, score, baseline and actions',
    async (origin) => {
      const insight = await scout.saved({ origin });
      expect(insight).toMatchObject({
        origin,
        title: 'Overtime is up',
        finding: OVERTIME.finding,
        domain: 'labor',
        severity: 'high',
        scope: { type: 'agent', id: 'scout' },
        owner: { kind: 'agent', id: 'scout' },
        urgency: { severity: 23, time_sensitivity: 15, basis: { dollars: { dollars: 1200 } } },
        baseline: [{ name: 'overtime_hours', value: 41, unit: 'h', goal: null, at: clock.text() }],
        removed: 0,
        window: 'P21D',
        created_at: clock.text(),
        operation_id: null,
        workflow_id: null,
      });
      expect(insight.actions.map(({ text }) => text)).toEqual(
        OVERTIME.actions.map(({ text }) => text),
      );
      expect(insight.actions[0]).toMatchObject({
        ...{ priority: 'normal', boost: 1, status: 'recommended', outcome: null, taken_at: null },
        evidence: { outcomes: 0, improved: 0, unchanged: 0, worse: 0 },
      });
      const { score, severity, dollars, velocity, time_sensitivity } = insight.urgency;
      expect(score).toBeCloseTo(severity + dollars + velocity + time_sensitivity, 1);
      const { body: card } = await api.call('GET', `/v1/cards/${insight.card_id}`);
      expect(card).toMatchObject({
        kind: 'insight',
        sign: 'neutral',
        topic: 'labor',
        importance: 8,
        summary: `Overtime is up. ${OVERTIME.finding}`,
        scope: { type: 'agent', id: 'scout' },
      });
      expect(await scout.shown(insight.id)).toEqual(insight);
    },
  );

  it('has no fifth origin, over HTTP or in the database', async () => {
    const refused = await scout.post('', { ...OVERTIME, origin: 'rumour' });
    expect([refused.status, refused.body.pointer]).toEqual([400, '/origin']);
    const { id } = await scout.saved();
    const insert = rows(
      `INSERT INTO insights SELECT (jsonb_populate_record(i, '{"id": "x", "origin": "rumour"}')).*
         FROM insights i WHERE i.workspace_id = $1 AND i.id = $2`,
      ['default', id],
    );
    await expect(insert).rejects.toThrow('insights_origin_check');
  });

  it('is saved once for its key, and refused with another body', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await scout.post('', OVERTIME, headers);
    const again = await scout.post('', OVERTIME, headers);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    const other = await scout.post('', { ...OVERTIME, title: 'Another' }, headers);
    expect(other.status).toBe(422);
  });

  it.each<[string, object, string]>([
    ['an unknown field', { colour: 'red' }, '/colour'],
    ['an action without words', { actions: [{ text: ' ' }] }, '/actions/0/text'],
    ['a metric of which nothing was pushed', { metrics: [{ name: 'nowhere' }] }, '/metrics/0/name'],
    [
      'a number of the future',
      { metrics: [{ name: 'x', value: 1, at: '2999-01-01T00:00:00Z' }] },
      '/metrics/0/at',
    ],
    ['a source that is not there', { sources: ['card_nowhere'] }, '/sources/0'],
    ['a window that ends at once', { window: 'PT0S' }, '/window'],
  ])('is refused with %s', async (_what, body, pointer) => {
    const { status, body: problem } = await scout.post('', { ...OVERTIME, ...body });
    expect([status, problem.pointer]).toEqual([400, pointer]);
  });

  it('recommends an action once, however often it is written', async () => {
    const texts = ['Cap shifts at 8 hours.', 'Hire a cook.', 'please cap shifts at 8 hours'];
    const { actions } = await scout.saved({ actions: texts.map((text) => ({ text })) });
    expect(actions.map(({ text }) => text)).toEqual(texts.slice(0, 2));
  });

  it('keeps what it was made from as lineage', async () => {
    const source = await scout.saved({ title: 'Shifts are long' });
    const { card_id } = await scout.saved({ sources: [source.card_id] });
    const { body } = await api.call('GET', `/v1/cards/${card_id}/lineage`);
    expect(body.sources.map(({ id }: { id: string }) => id)).toEqual([source.card_id]);
  });
});

describe('what an insight is scored by', () => {
  it('stays as it was when it was saved', async () => {
    const runtime = await api.keyFor({ kind: 'runtime', id: 'till' });
    const push = (value: number) =>
      api.call('POST', '/v1/metrics', {
        key: runtime,
        body: { name: 'waste_kg', value, at: clock.text() },
      });
    await push(10);
    clock.advance(7 * 24 * 3_600_000);
    await push(14);
    const insight = await scout.saved({ metrics: [{ name: 'waste_kg' }] });
    expect(insight.baseline).toEqual([
      { name: 'waste_kg', value: 14, unit: null, goal: null, at: clock.text() },
    ]);
    expect(insight.urgency.velocity).toBe(20);
    expect(insight.urgency.basis.velocity).toMatchObject({ metric: 'waste_kg' });
    clock.advance(3_600_000);
    await push(30);
    const { urgency, baseline } = await scout.shown(insight.id);
    expect({ urgency, baseline }).toEqual({ urgency: insight.urgency, baseline: insight.baseline });
  });
});
