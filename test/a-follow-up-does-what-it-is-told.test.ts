import {
  CANCEL_FOLLOW_UP,
  EXTEND,
  type FollowUpAnswer,
  MEASURE_NOW,
} from '../src/contracts/insight';
import { DAY_MS } from '../src/domain/durations';
import { saveHistory } from './support/histories';
import { ACTION, InsightLane, REVIEWER, type Saved, SCOUT } from './support/insight-lane';
import { until } from './support/proposal-lane';

jest.setTimeout(120_000);

let lane: InsightLane;
beforeAll(async () => {
  lane = await InsightLane.start();
});
afterAll(() => lane?.stop());

const later = async (days: number) =>
  new Date((await lane.now()).getTime() + days * DAY_MS).toISOString();

/** An insight whose action was taken a day ago, with a number of this morning. */
async function waiting(value: number | null = 28.9): Promise<Saved> {
  const saved = await lane.saved(await lane.workspace(), { metrics: [{ at: await later(-2) }] });
  if (value !== null) await lane.push(saved, value, { at: await later(-0.5) });
  await lane.take(saved, { at: new Date(await later(-1)), isDated: true });
  return saved;
}

/** With workers, once the workflow knows how it stands. */
async function told<T>(saved: Saved, work: () => Promise<T>): Promise<T> {
  return await lane.working(async () => {
    await lane.begun(saved);
    return await work();
  });
}

const ended = async ({ handle }: Saved) =>
  await until(async () => (await handle.describe()).status.name === 'COMPLETED');

describe('measure_now', () => {
  test('measures before the window is over, and ends the follow-up', async () => {
    const saved = await waiting();
    const answer = await told(saved, async () => {
      const given = await lane.order(saved, MEASURE_NOW);
      await ended(saved);
      return given;
    });
    const { measure_at, ...standing } = await lane.standing(saved);
    expect(answer).toEqual({
      ...{ action_id: saved.actions[0], status: 'measured', result: 'improved' },
      ...{ measure_at, code: null },
    });
    expect(standing).toMatchObject({ by_kind: 'person', by_id: 'reviewer', channel: 'measured' });
    expect(Date.parse(measure_at ?? '')).toBeGreaterThan((await lane.now()).getTime());
    expect(await lane.audit(saved)).toEqual([
      'insight.action_taken status',
      'insight.measured improved',
    ]);
    await saveHistory('insight.early', saved.handle);
  });

  test('of what it cannot measure says why, and measures it again when there is a number', async () => {
    const saved = await waiting(null);
    await told(saved, async () => {
      expect(await lane.order(saved)).toMatchObject({
        ...{ status: 'unmeasured', code: 'no_measurement' },
      });
      await ended(saved);
    });
    await lane.push(saved, 40.8);
    const again = await lane.working(async () => {
      const { outcome, ...told } = await lane.ask(saved, MEASURE_NOW);
      expect([outcome, told]).toMatchObject(['answered', { answer: { result: 'worse' } }]);
      return await saved.handle.result();
    });
    expect(again.actions).toMatchObject([{ status: 'measured', result: 'worse' }]);
    const runs = await lane.rows(
      saved.workspace,
      "SELECT state FROM runs WHERE type = 'insight' ORDER BY created_at",
    );
    expect(runs).toEqual([{ state: 'completed' }, { state: 'completed' }]);
    await saveHistory('insight.measured-again', saved.handle);
  });

  test('asked for twice at once, and while its window ends, has one outcome', async () => {
    const saved = await waiting();
    const { measure_at } = await lane.standing(saved);
    const answers = await lane.working(async () => {
      await lane.begun(saved);
      await lane.until(Date.parse(measure_at ?? '') - 1_000);
      const asked = [lane.order(saved), lane.order(saved)];
      await lane.until(measure_at ?? '');
      return await Promise.all(asked);
    });
    for (const answer of answers) expect(answer).toMatchObject({ result: 'improved', code: null });
    expect(await lane.outcomeCards(saved.workspace)).toHaveLength(1);
    expect(await lane.rows(saved.workspace, 'SELECT 1 FROM action_outcomes')).toHaveLength(1);
  });
});

describe('extend', () => {
  test('moves the end of the window, and the timer with it', async () => {
    const saved = await waiting(null);
    const { measure_at } = await lane.standing(saved);
    const moved = await later(40);
    await lane.push(saved, 20, { at: await later(30) });
    await lane.push(saved, 99, { at: await later(60) });
    const record = await told(saved, async () => {
      expect(await lane.order(saved, EXTEND, { until: moved })).toMatchObject({
        ...{ status: 'taken', measure_at: moved, code: null },
      });
      // Once more is the same, and is on record once.
      expect(await lane.order(saved, EXTEND, { until: moved })).toMatchObject({ code: null });
      expect(await lane.order(saved, EXTEND, { until: measure_at })).toBe('not_later');
      return await saved.handle.result();
    });
    expect(record.actions).toMatchObject([{ status: 'measured', result: 'improved' }]);
    expect(await lane.standing(saved)).toMatchObject({ measure_at: moved, value: 20 });
    expect(await lane.audit(saved)).toEqual([
      'insight.action_taken status',
      'insight.extended measure_at',
      'insight.measured improved',
    ]);
    await saveHistory('insight.extended', saved.handle);
  });
});

describe('cancel', () => {
  test('ends it without an outcome; one that was cancelled is neither measured nor extended', async () => {
    const saved = await lane.saved(await lane.workspace(), {
      actions: [ACTION, 'PLANTED close at nine'],
    });
    const [, other = ''] = saved.actions;
    await lane.take(saved);
    await lane.take(saved, { actionId: other, window: 'P2D' });
    const record = await told(saved, async () => {
      expect(await lane.order(saved, CANCEL_FOLLOW_UP)).toMatchObject({
        ...{ status: 'cancelled', result: null, code: 'cancelled' },
      });
      expect(await lane.order(saved, CANCEL_FOLLOW_UP)).toMatchObject({ status: 'cancelled' });
      expect(await lane.order(saved, MEASURE_NOW)).toBe('already_ended');
      expect(await lane.order(saved, EXTEND, { until: await later(90) })).toBe('already_ended');
      return await saved.handle.result();
    });
    expect(record.actions).toMatchObject([
      { status: 'cancelled', code: 'cancelled' },
      { status: 'unmeasured', code: 'no_measurement' },
    ]);
    expect(await lane.outcomeCards(saved.workspace)).toEqual([]);
    expect((await lane.audit(saved)).filter((row) => row.includes('cancelled'))).toHaveLength(1);
    await saveHistory('insight.cancelled', saved.handle);
  });
});

describe('an outcome that is reported meanwhile', () => {
  test('ends the follow-up, which measures no more', async () => {
    const saved = await waiting();
    await told(saved, async () => {
      expect(await lane.report(saved, { result: 'worse', size: 0.3 })).toBe('reported');
      await ended(saved);
    });
    const { actions } = await saved.handle.result();
    expect(actions).toMatchObject([{ status: 'measured', result: 'worse' }]);
    expect(await lane.standing(saved)).toMatchObject({ channel: 'reported', size: 0.3 });
    expect(await lane.outcomeCards(saved.workspace)).toHaveLength(1);
    await saveHistory('insight.reported', saved.handle);
  });
});

describe('who may not', () => {
  const NOBODY = [
    { kind: 'person', id: 'member' },
    { kind: 'person', id: 'nobody' },
    { kind: 'agent', id: 'mate' },
    { kind: 'runtime', id: 'till' },
  ];

  test('changes nothing, and is on record', async () => {
    const saved = await waiting();
    await lane.lane.agent(saved.workspace, 'mate');
    await told(saved, async () => {
      for (const by of NOBODY) {
        for (const order of [MEASURE_NOW, EXTEND, CANCEL_FOLLOW_UP] as const) {
          const said = { by, until: await later(90) };
          const answer = (await lane.order(saved, order, said)) as FollowUpAnswer;
          expect(answer).toMatchObject({ status: 'taken', code: 'not_allowed' });
        }
      }
    });
    expect(await lane.standing(saved)).toMatchObject({ status: 'taken' });
    const audited = await lane.audit(saved);
    expect(audited.filter((row) => row.endsWith('not_allowed'))).toHaveLength(12);
    await saved.handle.terminate('nobody waits for it');
  });

  test('any more: a right that was taken away before it is applied is none', async () => {
    const saved = await waiting();
    const demoted = "UPDATE people SET role = 'member' WHERE id = 'reviewer'";
    await lane.working(
      async () => {
        await lane.begun(saved);
        expect(await lane.order(saved, MEASURE_NOW)).toMatchObject({ code: 'not_allowed' });
        expect(await lane.order(saved, CANCEL_FOLLOW_UP, { by: SCOUT })).toMatchObject({
          status: 'cancelled',
        });
      },
      (activities) => ({
        ...activities,
        orderFollowUp: async (step) => {
          if (step.request.by.id === REVIEWER.id) await lane.rows(saved.workspace, demoted);
          return await activities.orderFollowUp(step);
        },
      }),
    );
  });

  test('an agent that no longer sees its insight looks after it no more', async () => {
    const saved = await waiting();
    await lane.rows(
      saved.workspace,
      "UPDATE cards SET scope_type = 'team', scope_id = 'elsewhere' WHERE id = $1",
      [saved.card],
    );
    await told(saved, async () => {
      const by = SCOUT;
      expect(await lane.order(saved, MEASURE_NOW, { by })).toMatchObject({ code: 'not_allowed' });
      expect(await lane.order(saved)).toMatchObject({ status: 'measured' });
    });
  });
});

describe('what is no request', () => {
  const MALFORMED: [string, unknown][] = [
    ['no action', { action_id: null }],
    ['an action that is a sentence', { action_id: 'cut the double shift' }],
    ['nobody', { by: null }],
    ['an unknown kind', { by: { kind: 'system', id: 'cairn' } }],
    [
      'somebody who is an e-mail',
      { by: { kind: 'person', id: ['rita', 'example.com'].join('@') } },
    ],
  ];
  const EXTENDING: [string, unknown][] = [
    ['no time', {}],
    ['a day without a time', { until: '2026-11-11' }],
    ['a time without a zone', { until: '2026-11-11T10:00:00' }],
    ['a time that no timer holds', { until: '9999-01-01T00:00:00Z' }],
  ];

  test('is refused before it leaves anything in the history', async () => {
    const saved = await waiting();
    await told(saved, async () => {
      const before = (await saved.handle.fetchHistory()).events?.length;
      for (const [, request] of MALFORMED) {
        expect(await lane.order(saved, MEASURE_NOW, request)).toBe('malformed');
      }
      for (const [, request] of EXTENDING) {
        expect(await lane.order(saved, EXTEND, request)).toBe('malformed');
      }
      const accepted = (await saved.handle.fetchHistory()).events?.filter(
        ({ workflowExecutionUpdateAcceptedEventAttributes: update }) => update,
      );
      expect(accepted).toEqual([]);
      expect(before).toBeGreaterThan(0);
      expect(await lane.order(saved, MEASURE_NOW, { action_id: 'act_other' })).toMatchObject({
        ...{ status: null, code: 'no_action' },
      });
      await lane.order(saved, CANCEL_FOLLOW_UP);
    });
  });

  test('nothing but its fields goes further', async () => {
    const saved = await waiting();
    const seen: unknown[] = [];
    await lane.working(
      async () => {
        await lane.begun(saved);
        await lane.order(saved, MEASURE_NOW, { note: 'PLANTED words', until: 'PLANTED' });
      },
      (activities) => ({
        ...activities,
        orderFollowUp: (step) => {
          seen.push(step.request);
          return activities.orderFollowUp(step);
        },
      }),
    );
    expect(seen).toEqual([{ action_id: saved.actions[0], by: REVIEWER }]);
  });
});

test('of what is only recommended there is nothing to ask', async () => {
  const saved = await lane.saved(await lane.workspace(), { actions: [ACTION, 'PLANTED other'] });
  await lane.take(saved);
  await told(saved, async () => {
    const action_id = saved.actions[1];
    for (const order of [MEASURE_NOW, EXTEND, CANCEL_FOLLOW_UP] as const) {
      const said = { action_id, until: await later(90) };
      expect(await lane.order(saved, order, said)).toMatchObject({ code: 'not_taken' });
    }
    await lane.order(saved, CANCEL_FOLLOW_UP);
  });
});
