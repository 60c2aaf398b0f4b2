import type { MetricSnapshot, UnmeasuredCode } from '../src/contracts/insight';
import type { FollowedAction } from '../src/contracts/insight-messages';
import { DAY_MS } from '../src/domain/durations';
import { saveHistory } from './support/histories';
import { ACTION, InsightLane, type Saved, type SavedFields } from './support/insight-lane';

jest.setTimeout(120_000);

let lane: InsightLane;
beforeAll(async () => {
  lane = await InsightLane.start();
});
afterAll(() => lane?.stop());

/** As many days from now. */
const after = async (days: number) =>
  new Date((await lane.now()).getTime() + days * DAY_MS).toISOString();

/** Pushed before anything is taken, and with a time to come: nobody has to wait for it. */
async function pushLater(saved: Saved, days: number, value: number, fields = {}): Promise<void> {
  await lane.push(saved, value, { at: await after(days), ...fields });
}

/** Taken now and followed to its end. */
async function followed(saved: Saved) {
  const measureAt = await lane.take(saved);
  const record = await lane.working(() => saved.handle.result());
  return { measureAt, record, standing: await lane.standing(saved) };
}

async function run({ workspace, handle }: Saved) {
  const [row] = await lane.rows<{ state: string; counts: object; result: object }>(
    workspace,
    "SELECT state, counts, result FROM runs WHERE type = 'insight' AND workflow_id = $1",
    [handle.workflowId],
  );
  return row;
}

describe('a metric that should go down', () => {
  /** From 34, by what it is pushed as. */
  test.each([
    [28.9, 'improved', -0.15, 'experience'],
    [33, 'unchanged', -0.0294117647, 'experience'],
    [34, 'unchanged', 0, 'experience'],
    [40.8, 'worse', 0.2, 'constraint'],
  ] as const)('and stands at %d then: %s', async (value, result, size, kind) => {
    const workspace = await lane.workspace();
    const saved = await lane.saved(workspace);
    await pushLater(saved, 13, value);
    const { record, standing, measureAt } = await followed(saved);
    const [card] = await lane.outcomeCards(workspace);
    expect(standing).toMatchObject({
      ...{ status: 'measured', result, metric: 'labor_percent', baseline: 34, value },
      ...{ channel: 'measured', by_kind: 'system', by_id: 'follow_up', card_id: card?.id },
      ...{ measure_at: measureAt, ended_code: null },
    });
    expect(standing.size).toBeCloseTo(size, 6);
    expect(card).toMatchObject({ kind, scope: 'agent/scout' });
    const action: Omit<FollowedAction, 'measure_at'> = {
      ...{ action_id: saved.actions[0] ?? '', status: 'measured', result },
      ...{ code: null, card_id: card?.id ?? '' },
    };
    const told = { insight_id: saved.id, card_id: saved.card, actions: [action] };
    expect(record).toEqual(told);
    expect((await saved.handle.describe()).memo).toEqual({
      card_id: saved.card,
      actions: [action],
    });
    expect(await run(saved)).toEqual({
      state: 'completed',
      counts: {
        ...{ taken: 1, improved: 0, unchanged: 0, worse: 0, unmeasured: 0, cancelled: 0 },
        [result]: 1,
      },
      result: told,
    });
    expect(await lane.audit(saved)).toEqual([
      'insight.action_taken status',
      `insight.measured ${result}`,
    ]);
    await saveHistory(`insight.${result}`, saved.handle);
  });
});

test('what should go up is judged the other way round', async () => {
  const workspace = await lane.workspace();
  const sales = { name: 'sales', unit: 'USD', value: 1_000, goal: 'up' } as const;
  const saved = await lane.saved(workspace, { metrics: [sales] });
  await pushLater(saved, 3, 1_200, sales);
  await pushLater(saved, 10, 800, { ...sales, value: 800 });
  const { standing } = await followed(saved);
  expect(standing).toMatchObject({ result: 'worse', size: -0.2 });
});

test('only numbers from after it was taken and up to the end of its window count', async () => {
  const workspace = await lane.workspace();
  const saved = await lane.saved(workspace);
  await lane.push(saved, 10, { at: await after(-1) });
  await pushLater(saved, 5, 30);
  await pushLater(saved, 15, 50);
  const { standing } = await followed(saved);
  expect(standing).toMatchObject({ result: 'improved', baseline: 34, value: 30 });
});

test('a number that was pushed between saving and taking is where it stood', async () => {
  const workspace = await lane.workspace();
  const saved = await lane.saved(workspace, { metrics: [{ at: await after(-20) }] });
  await lane.push(saved, 40, { at: await after(-2) });
  await pushLater(saved, 5, 36);
  const { standing } = await followed(saved);
  expect(standing).toMatchObject({ result: 'improved', size: -0.1, baseline: 40, value: 36 });
});

test('of several metrics the first with a goal and a number decides, and all are kept', async () => {
  const workspace = await lane.workspace();
  const saved = await lane.saved(workspace, {
    metrics: [
      { name: 'mood', value: 3, unit: null, goal: null },
      { name: 'waste', value: 100, unit: 'kg', goal: 'down' },
      { name: 'sales', value: 10, unit: null, goal: 'up' },
    ],
  });
  await pushLater(saved, 2, 5, { name: 'mood', unit: null, goal: null });
  await pushLater(saved, 2, 20, { name: 'sales', unit: null, goal: 'up' });
  const { standing } = await followed(saved);
  expect(standing).toMatchObject({ result: 'improved', metric: 'sales', size: 1 });
  const kept = await lane.rows<Pick<MetricSnapshot, 'name' | 'value'>>(
    workspace,
    "SELECT name, value FROM metric_snapshots WHERE role = 'outcome' AND insight_id = $1 ORDER BY name",
    [saved.id],
  );
  expect(kept).toEqual([
    { name: 'mood', value: 5 },
    { name: 'sales', value: 20 },
  ]);
});

describe('an action that cannot be measured ends with its code', () => {
  const CODES: [UnmeasuredCode, SavedFields][] = [
    ['no_measurement', {}],
    ['no_baseline', { metrics: [] }],
    ['no_goal', { metrics: [{ name: 'mood', goal: null }] }],
  ];
  test.each(CODES)('%s', async (code, fields) => {
    const workspace = await lane.workspace();
    const saved = await lane.saved(workspace, fields);
    await pushLater(saved, 2, 5, { name: 'mood', goal: null });
    const { standing, record } = await followed(saved);
    expect(standing).toMatchObject({ status: 'unmeasured', ended_code: code, result: null });
    expect(record.actions).toMatchObject([{ status: 'unmeasured', code, card_id: null }]);
    expect(await run(saved)).toMatchObject({ counts: { taken: 1, unmeasured: 1 } });
    expect(await lane.outcomeCards(workspace)).toEqual([]);
    expect(await lane.card(workspace, saved.card)).toMatchObject({ status: 'active', version: 1 });
    expect(await lane.audit(saved)).toEqual([
      'insight.action_taken status',
      `insight.unmeasured ${code}`,
    ]);
    await saveHistory(`insight.${code.replaceAll('_', '-')}`, saved.handle);
  });

  test.each(['deleted', 'rejected', 'quarantined', 'superseded'])(
    'insight_gone, where its card is %s by then',
    async (status) => {
      const workspace = await lane.workspace();
      const saved = await lane.saved(workspace);
      await pushLater(saved, 2, 20);
      await lane.rows(workspace, 'UPDATE cards SET status = $2 WHERE id = $1', [
        saved.card,
        status,
      ]);
      const { standing } = await followed(saved);
      expect(standing).toMatchObject({ status: 'unmeasured', ended_code: 'insight_gone' });
      expect(await lane.outcomeCards(workspace)).toEqual([]);
      if (status === 'deleted') await saveHistory('insight.insight-gone', saved.handle);
    },
  );

  test('and nothing at all, where the insight was erased with its rows', async () => {
    const workspace = await lane.workspace();
    const saved = await lane.saved(workspace);
    await lane.take(saved);
    const record = await lane.working(async () => {
      await lane.begun(saved);
      for (const table of ['metric_snapshots', 'insight_actions']) {
        await lane.rows(workspace, `DELETE FROM ${table} WHERE insight_id = $1`, [saved.id]);
      }
      await lane.rows(workspace, 'DELETE FROM insights WHERE id = $1', [saved.id]);
      return await saved.handle.result();
    });
    expect(record).toEqual({ insight_id: saved.id, card_id: null, actions: [] });
    expect(await run(saved)).toMatchObject({ state: 'completed' });
    await saveHistory('insight.erased', saved.handle);
  });
});

describe('several actions of one insight', () => {
  test('are measured by one workflow, each when its own window is over', async () => {
    const workspace = await lane.workspace();
    const actions = [ACTION, 'PLANTED order less lettuce', 'PLANTED close at nine'];
    const saved = await lane.saved(workspace, { actions });
    await pushLater(saved, 2, 30);
    await pushLater(saved, 20, 40);
    const times: string[] = [];
    for (const [index, window] of ['P21D', 'P3D'].entries()) {
      times.push(await lane.take(saved, { actionId: saved.actions[index] ?? '', window }));
    }
    const measured: string[] = [];
    await lane.working(
      () => saved.handle.result(),
      (activities) => ({
        ...activities,
        measureAction: (step) => {
          measured.push(step.action_id);
          expect(Date.parse(step.at)).toBeGreaterThanOrEqual(
            Date.parse(times[saved.actions.indexOf(step.action_id)] ?? ''),
          );
          return activities.measureAction(step);
        },
      }),
    );
    expect(measured).toEqual([saved.actions[1], saved.actions[0]]);
    expect(await lane.standing(saved, 0)).toMatchObject({ result: 'worse', value: 40 });
    expect(await lane.standing(saved, 1)).toMatchObject({ result: 'improved', value: 30 });
    expect(await lane.standing(saved, 2)).toMatchObject({ status: 'recommended' });
    await saveHistory('insight.two-actions', saved.handle);
  });

  test('one that is taken when the first has ended has a run and a workflow of its own', async () => {
    const workspace = await lane.workspace();
    const saved = await lane.saved(workspace, { actions: [ACTION, 'PLANTED close at nine'] });
    await followed(saved);
    const actionId = saved.actions[1] ?? '';
    await lane.take(saved, { actionId, window: 'P1D' });
    const record = await lane.working(() => saved.handle.result());
    expect(record.actions.map(({ status }) => status)).toEqual(['unmeasured', 'unmeasured']);
    const runs = await lane.rows(
      workspace,
      "SELECT state FROM runs WHERE type = 'insight' AND workflow_id = $1",
      [saved.handle.workflowId],
    );
    expect(runs).toEqual([{ state: 'completed' }, { state: 'completed' }]);
  });
});

test('what was taken long ago is measured at once, by what stood at the end of its window', async () => {
  const workspace = await lane.workspace();
  const saved = await lane.saved(workspace, { metrics: [{ at: await after(-60) }] });
  await lane.push(saved, 30, { at: await after(-40) });
  await lane.push(saved, 50, { at: await after(-20) });
  const takenAt = new Date(await after(-50));
  const measureAt = await lane.take(saved, { at: takenAt, isDated: true });
  expect(Date.parse(measureAt)).toBe(takenAt.getTime() + 14 * DAY_MS);
  await lane.working(() => saved.handle.result());
  const [outcome] = await lane.rows(workspace, 'SELECT result, value, at FROM action_outcomes');
  expect(outcome).toEqual({ result: 'improved', value: 30, at: measureAt });
});
