import type { Insight } from '../src/contracts/insight';
import { DAY_MS } from '../src/domain/durations';
import { type CallOptions, startApi } from './support/api';
import { DecidingLane } from './support/deciding-lane';
import { InsightLane } from './support/insight-lane';

jest.setTimeout(120_000);

const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

const FINDING = {
  origin: 'automated_run',
  title: 'Labor runs high',
  finding: 'Tuesdays are staffed as Fridays are.',
  domain: 'labor',
  severity: 'high',
  metrics: [{ name: 'labor_percent', value: 34, unit: '%', at: day(-2) }],
  actions: [{ text: 'Cut the Tuesday double shift' }, { text: 'Close at nine on Tuesdays' }],
};

describe('with everything that runs', () => {
  let lane: DecidingLane;
  beforeAll(async () => {
    lane = await DecidingLane.start();
    await lane.work();
  });
  afterAll(() => lane?.stop());

  const post = (path: string, options: CallOptions = {}) =>
    lane.api.call('POST', path, { key: lane.keys.scout, ...options });

  /** An insight of `scout`, with its first action taken yesterday. */
  async function taken(value = 28.9) {
    const forScout = { key: lane.keys.runtime, headers: { 'cairn-agent': 'scout' } };
    const saved = await post('/v1/insights', { ...forScout, body: FINDING });
    expect([saved.status, saved.text]).toEqual([201, saved.text]);
    const insight = saved.body as Insight;
    const [first, second] = insight.actions;
    const actions = `/v1/insights/${insight.id}/actions`;
    const path = `${actions}/${first?.id}`;
    const metric = { name: 'labor_percent', value, unit: '%', at: day(-0.5) };
    await lane.done('POST', '/v1/metrics', { key: lane.keys.runtime, body: metric });
    const answer = await post(`${path}/taken`, { body: { at: day(-1) } });
    expect([answer.status, answer.text]).toEqual([202, answer.text]);
    return { insight, path, other: `${actions}/${second?.id}`, operation: answer.body };
  }

  const shown = async ({ insight }: { insight: Insight }, key = lane.keys.scout) =>
    (await lane.done('GET', `/v1/insights/${insight.id}`, { key })).body as Insight;

  test('measure answers with the outcome, once more too, and its operation completes', async () => {
    const one = await taken();
    const { status, body } = await post(`${one.path}/measure`);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...{ action_id: one.insight.actions[0]?.id, status: 'measured', result: 'improved' },
      ...{ measure_at: one.operation.measure_at, code: null },
    });
    expect((await post(`${one.path}/measure`, { body: {} })).body).toEqual(body);

    const insight = await shown(one);
    const [action] = insight.actions.filter(({ id }) => id === body.action_id);
    expect(action).toMatchObject({
      status: 'measured',
      outcome: { result: 'improved', size: -0.15, metric: 'labor_percent', channel: 'measured' },
    });
    const card = await lane.done('GET', `/v1/cards/${action?.outcome?.card_id}`, {
      key: lane.keys.scout,
    });
    expect(card.body).toMatchObject({ kind: 'experience', sign: 'worked' });
    expect(card.body.summary).toContain('Tried: Cut the Tuesday double shift.');
    const edges = await lane.done('GET', `/v1/cards/${card.body.id}/edges`, {
      key: lane.keys.scout,
    });
    expect(edges.body.items.map(({ type }: { type: string }) => type).sort()).toEqual([
      'derived_from',
      'satisfies',
    ]);
  });

  test('extend takes a time or a window from when it was taken, and nothing earlier', async () => {
    const one = await taken();
    const extend = (body: object) => post(`${one.path}/extend`, { body });
    const until = day(60);
    expect((await extend({ until })).body).toMatchObject({ status: 'taken', measure_at: until });
    const window = await extend({ window: 'P90D' });
    const takenAt = Date.parse(one.operation.measure_at) - 21 * DAY_MS;
    expect(Date.parse(window.body.measure_at)).toBe(takenAt + 90 * DAY_MS);
    const earlier = await extend({ until: day(30) });
    expect([earlier.status, earlier.body.code]).toEqual([409, 'not_later']);
    for (const body of [{}, { until, window: 'P1D' }, { until: '2026-11-11' }, { days: 3 }]) {
      expect((await extend(body)).status).toBe(400);
    }
    const other = await post(`${one.other}/extend`, { body: { until } });
    expect([other.status, other.body.code]).toEqual([409, 'not_taken']);
  });

  test('cancel keeps the reason where it can be erased, once per Idempotency-Key', async () => {
    const one = await taken();
    const headers = { 'idempotency-key': 'the-same' };
    const body = { reason: 'The shift was never cut' };
    const answer = await post(`${one.path}/cancel`, { headers, body });
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { status: 'cancelled', code: 'cancelled' },
    ]);
    expect((await post(`${one.path}/cancel`, { headers, body })).body).toEqual(answer.body);
    expect((await post(`${one.path}/cancel`, { headers })).status).toBe(422);
    const measure = await post(`${one.path}/measure`);
    expect([measure.status, measure.body.code]).toEqual([409, 'already_ended']);
    const rows = (await lane.audited(one.insight.id)).filter(
      ({ action }) => action === 'insight.cancelled',
    );
    expect(rows).toHaveLength(1);
    const [kept] = await lane.api.database.inWorkspace('default', (tx) =>
      tx.query<{ text: string }>(
        `SELECT r.text FROM audit_log a JOIN reasons r ON r.workspace_id = a.workspace_id AND r.id = a.reason_id
          WHERE a.action = 'insight.cancelled' AND a.target_id = $1`,
        [one.insight.id],
      ),
    );
    expect(kept?.text).toBe(body.reason);
    expect(rows[0]?.channel).toBe('api');
  });

  test('an outcome is reported once, and what waits for it hears of it', async () => {
    const one = await taken();
    const actionId = one.insight.actions[0]?.id;
    const report = (body: object, options: CallOptions = {}) =>
      post(`/v1/insights/${one.insight.id}/outcome`, { body, ...options });
    const body = {
      action_id: actionId,
      result: 'worse',
      size: 0.12,
      note: 'The kitchen fell behind',
    };
    const contrary = await report({ ...body, result: 'improved' });
    expect([contrary.status, contrary.body.pointer]).toEqual([400, '/size']);
    const headers = { 'idempotency-key': 'one-report' };
    const answer = await report(body, { headers });
    expect(answer.status).toBe(200);
    const [action] = (answer.body as Insight).actions.filter(({ id }) => id === actionId);
    expect(action).toMatchObject({
      status: 'measured',
      outcome: { result: 'worse', size: 0.12, channel: 'reported', by: { kind: 'agent' } },
    });
    expect((await report(body, { headers })).status).toBe(200);
    const second = await report({ ...body, result: 'improved' });
    expect([second.status, second.body.code]).toEqual([409, 'already_ended']);
    for (const wrong of [{ action_id: actionId, result: 'better' }, { result: 'worse' }]) {
      expect((await report(wrong)).status).toBe(400);
    }
    expect((await report({ ...body, action_id: 'act_other' })).status).toBe(404);
    const { operation_id } = await shown(one);
    const deadline = Date.now() + 30_000;
    for (;;) {
      const { body: run } = await lane.done('GET', `/v1/operations/${operation_id}`);
      if (run.state === 'completed') {
        expect(run.result.actions).toMatchObject([{ status: 'measured', result: 'worse' }]);
        break;
      }
      if (Date.now() > deadline) throw new Error(`it is ${run.state} still`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });

  test('whoever may not is refused: unseen 404, seen 403', async () => {
    const one = await taken();
    const status = async (key: string) => (await post(`${one.path}/measure`, { key })).status;
    expect(await status(lane.keys.stranger)).toBe(404);
    expect(await status(lane.keys.auditor)).toBe(403);
    expect(await status(lane.keys.member)).toBe(403);
    await lane.done('PUT', `/v1/cards/${one.insight.card_id}/grants/mate`, {
      key: lane.keys.scout,
      body: {},
    });
    expect(await status(lane.keys.mate)).toBe(403);
    const forScout = { key: lane.keys.runtime, headers: { 'cairn-agent': 'scout' } };
    expect(
      (await post(`${one.path}/extend`, { ...forScout, body: { until: day(50) } })).status,
    ).toBe(200);
    expect(await status(lane.keys.rita)).toBe(200);
  });
});

const RUNS = "SELECT state FROM runs WHERE type = 'insight' ORDER BY created_at";

describe('while Temporal is away', () => {
  test('an action is taken all the same, and followed when it is back; nothing else is lost', async () => {
    const lane = await InsightLane.start();
    const { databaseUrl: url, database } = lane;
    const kind = database.isOneSession ? 'pglite' : 'native';
    const api = await startApi({ testDatabase: { url, kind, drop: async () => undefined } });
    try {
      const scope = { type: 'workspace', id: 'default' };
      const saved = await api.call('POST', '/v1/insights', { body: { ...FINDING, scope } });
      const insight = saved.body as Insight;
      const [first, second] = insight.actions;
      const path = `/v1/insights/${insight.id}`;
      const taken = await api.call('POST', `${path}/actions/${first?.id}/taken`, {
        body: { window: 'PT1H' },
      });
      expect(taken.status).toBe(202);
      const measure = await api.call('POST', `${path}/actions/${first?.id}/measure`);
      expect([measure.status, measure.body.code]).toEqual([503, 'follow_up_unheard']);
      expect(measure.headers.get('retry-after')).toBe('5');
      const report = { action_id: second?.id, result: 'unchanged' };
      expect((await api.call('POST', `${path}/outcome`, { body: report })).status).toBe(200);

      await lane.deliver();
      const handle = lane.handle('default', insight.id);
      const record = await lane.working(() => handle.result());
      expect(record.actions).toMatchObject([
        { action_id: first?.id, status: 'unmeasured', code: 'no_measurement' },
        { action_id: second?.id, status: 'measured', result: 'unchanged' },
      ]);

      // What is asked for again of one that has ended, and not heard, leaves no run that waits for ever.
      const again = await api.call('POST', `${path}/actions/${first?.id}/measure`);
      expect(again.status).toBe(503);
      const states = async () =>
        (await lane.rows<{ state: string }>('default', RUNS)).map(({ state }) => state);
      expect(await states()).toEqual(['completed', 'pending']);
      await lane.until((await lane.now()).getTime() + 5 * 60_000);
      await lane.deliver();
      await lane.working(() => handle.result());
      expect(await states()).toEqual(['completed', 'completed']);
    } finally {
      await api.close();
      await lane.stop();
    }
  });
});
