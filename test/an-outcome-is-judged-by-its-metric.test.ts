import fc from 'fast-check';
import type { MetricSnapshot } from '../src/contracts/insight';
import { relativeChange } from '../src/domain/insights/change';
import { judgeOutcome, type Measuring, resultOf } from '../src/domain/insights/outcome';
import { sizeRefusal } from '../src/domain/insights/reported';

const TAKEN = '2026-03-10T00:00:00Z';
const MEASURED = '2026-03-31T00:00:00Z';

function snapshot(name: string, value: number, at: string, change: Partial<MetricSnapshot> = {}) {
  return { name, value, unit: null, at, goal: null, ...change };
}

function judged(change: Partial<Measuring>) {
  return judgeOutcome({
    baseline: [snapshot('food_waste', 100, '2026-03-01T00:00:00Z')],
    pushed: [],
    taken_at: TAKEN,
    measure_at: MEASURED,
    min_change: 0.05,
    ...change,
  });
}

test('the newest number after the action is held against the newest one before it', () => {
  const pushed = [
    snapshot('food_waste', 80, '2026-03-09T00:00:00Z'),
    snapshot('food_waste', 1, TAKEN.replace('10T', '02T')),
    snapshot('food_waste', 70, '2026-03-20T00:00:00Z'),
    snapshot('food_waste', 60, MEASURED),
    snapshot('food_waste', 1, '2026-04-01T00:00:00Z'),
    snapshot('sales', 7, '2026-03-30T00:00:00Z'),
  ];
  expect(judged({ pushed })).toMatchObject({
    ended: 'measured',
    result: 'improved',
    metric: { name: 'food_waste', before: { value: 80 }, after: { value: 60 }, size: -0.25 },
  });
  expect(judged({ pushed: [...pushed].reverse() })).toEqual(judged({ pushed }));
});

test('a number of the moment of the action is of before it', () => {
  const pushed = [snapshot('food_waste', 50, TAKEN)];
  expect(judged({ pushed })).toEqual({ ended: 'unmeasured', code: 'no_measurement', metrics: [] });
  pushed.push(snapshot('food_waste', 55, MEASURED));
  expect(judged({ pushed })).toMatchObject({ result: 'worse', metric: { before: { value: 50 } } });
});

test.each([
  ['down', 100, 94, 'improved'],
  ['down', 100, 95, 'improved'],
  ['down', 100, 96, 'unchanged'],
  ['down', 100, 104, 'unchanged'],
  ['down', 100, 105, 'worse'],
  ['up', 100, 105, 'improved'],
  ['up', 100, 95, 'worse'],
  ['up', -100, -50, 'improved'],
  ['down', -100, -50, 'worse'],
  ['down', 0, 3, 'worse'],
  ['up', 0, 3, 'improved'],
  ['up', 0, 0.01, 'unchanged'],
  ['up', 0, 0, 'unchanged'],
  ['up', 1, 0, 'worse'],
] as const)('%s: %d → %d is %s', (goal, before, after, result) => {
  const baseline = [snapshot('m', before, '2026-03-01T00:00:00Z', { goal })];
  const pushed = [snapshot('m', after, MEASURED)];
  expect(judged({ baseline, pushed })).toMatchObject({ ended: 'measured', result });
});

test('the first metric with a goal and a later number decides, and all are kept', () => {
  const at = '2026-03-01T00:00:00Z';
  const baseline = [
    snapshot('temperature', 5, at),
    snapshot('overtime', 10, at),
    snapshot('sales', 100, at),
  ];
  const pushed = [snapshot('temperature', 9, MEASURED), snapshot('sales', 50, MEASURED)];
  expect(judged({ baseline, pushed })).toMatchObject({
    result: 'worse',
    metric: { name: 'sales', goal: 'up', size: -0.5 },
    metrics: [{ name: 'temperature' }, { name: 'sales' }],
  });
});

test('a goal may be said by whoever pushes the number', () => {
  const baseline = [snapshot('temperature', 5, '2026-03-01T00:00:00Z')];
  const pushed = [snapshot('temperature', 4, MEASURED, { goal: 'down' })];
  expect(judged({ baseline, pushed })).toMatchObject({ result: 'improved' });
});

test('what is said of a goal stands above what the name tells, and the insight above what was pushed', () => {
  const own = (goal: MetricSnapshot['goal']) => [
    snapshot('waste', 100, '2026-03-01T00:00:00Z', { goal }),
  ];
  const pushed = [snapshot('waste', 60, MEASURED, { goal: 'up' })];
  const unsaid = [snapshot('waste', 60, MEASURED)];
  expect(judged({ baseline: own(null), pushed })).toMatchObject({ result: 'worse' });
  expect(judged({ baseline: own('down'), pushed })).toMatchObject({ result: 'improved' });
  expect(judged({ baseline: own(null), pushed: unsaid })).toMatchObject({ result: 'improved' });
});

test('what an agent brought is its word, and gives way to a number that was pushed', () => {
  const one = snapshot('waste', 9999, '2026-03-09T00:00:00Z');
  const own = (goal: MetricSnapshot['goal'] = null) => [{ ...one, goal, is_agents: true }];
  const after = snapshot('waste', 101, MEASURED);
  const before = snapshot('waste', 100, '2026-03-02T00:00:00Z');
  const metric = (isAgentsWord: boolean, value: number) => ({
    metric: { isAgentsWord, before: { value } },
  });
  expect(judged({ baseline: own(), pushed: [after] })).toMatchObject(metric(true, 9999));
  const measured = judged({ baseline: own(), pushed: [before, after] });
  expect(measured).toMatchObject({ result: 'unchanged', ...metric(false, 100) });
  const contrary = judged({ baseline: own('up'), pushed: [before, after] });
  expect(contrary).toMatchObject(metric(true, 100));
  expect(judged({ baseline: [one], pushed: [before, after] })).toMatchObject(metric(false, 9999));
});

test('without a metric, a later number or a goal it is unmeasured, and says which', () => {
  const baseline = [snapshot('temperature', 5, '2026-03-01T00:00:00Z')];
  const pushed = [snapshot('temperature', 4, MEASURED)];
  expect(judged({ baseline: [] })).toMatchObject({ code: 'no_baseline' });
  expect(judged({})).toMatchObject({ code: 'no_measurement' });
  expect(judged({ baseline, pushed })).toMatchObject({
    code: 'no_goal',
    metrics: [{ name: 'temperature' }],
  });
});

test('numbers of another unit are not compared', () => {
  const baseline = [snapshot('overtime', 2, '2026-03-01T00:00:00Z', { unit: 'h' })];
  const pushed = [snapshot('overtime', 60, MEASURED, { unit: 'min' })];
  expect(judged({ baseline, pushed })).toMatchObject({ code: 'no_measurement' });
});

test('what was saved without a unit is held against numbers of the unit of what stood before', () => {
  const baseline = [snapshot('overtime', 2, '2026-03-01T00:00:00Z')];
  const before = snapshot('overtime', 3, '2026-03-05T00:00:00Z', { unit: 'h' });
  const other = snapshot('overtime', 60, MEASURED, { unit: 'min' });
  expect(judged({ baseline, pushed: [before, other] })).toMatchObject({ code: 'no_measurement' });
  const same = snapshot('overtime', 6, '2026-03-20T00:00:00Z', { unit: 'h' });
  expect(judged({ baseline, pushed: [before, other, same] })).toMatchObject({
    metric: { before: { value: 3 }, after: { value: 6 }, unit: 'h', size: 1 },
  });
});

test.each([
  ['improved', 0.5, false],
  ['improved', -0.5, true],
  ['worse', -0.5, false],
  ['worse', 0.5, true],
  ['improved', 0, true],
  ['unchanged', -0.9, false],
  ['unchanged', 0.05, false],
  ['unchanged', 0.04, true],
] as const)('reported %s by %d where less is better fits: %s', (result, size, fits) => {
  const baseline = [
    { name: 'overtime', goal: null },
    { name: 'temperature', goal: null },
  ];
  expect(sizeRefusal({ result, size }, baseline, 0.05) === null).toBe(fits);
  // Where metrics want different things, or nobody says, only what is unchanged can be judged.
  const mixed = [...baseline, { name: 'sales', goal: null }];
  for (const unknown of [mixed, []]) {
    const known = result === 'unchanged' ? fits : true;
    expect(sizeRefusal({ result, size }, unknown, 0.05) === null).toBe(known);
  }
});

test('a baseline that is newer than the action is held against what came after both', () => {
  const baseline = [snapshot('overtime', 10, '2026-03-20T00:00:00Z')];
  const early = snapshot('overtime', 1, '2026-03-12T00:00:00Z');
  expect(judged({ baseline, pushed: [early] })).toMatchObject({ code: 'no_measurement' });
  const pushed = [early, snapshot('overtime', 5, MEASURED)];
  expect(judged({ baseline, pushed })).toMatchObject({
    metric: { before: { value: 10 }, size: -0.5 },
  });
  const before = snapshot('overtime', 20, '2026-03-05T00:00:00Z');
  expect(judged({ baseline, pushed: [...pushed, before] })).toMatchObject({
    metric: { before: { value: 20 }, size: -0.75 },
  });
});

test('the other goal turns improved into worse, and a change is always a number', () => {
  const value = fc.double({ noNaN: true, noDefaultInfinity: true });
  const opposite = { improved: 'worse', worse: 'improved', unchanged: 'unchanged' };
  fc.assert(
    fc.property(value, value, fc.double({ min: 0, max: 1, noNaN: true }), (from, to, min) => {
      const pair = {
        before: snapshot('m', from, TAKEN),
        after: snapshot('m', to, MEASURED),
      };
      expect(resultOf(pair, 'down', min)).toBe(opposite[resultOf(pair, 'up', min)]);
      const change = relativeChange(from, to);
      expect(change === null ? from === 0 : Number.isFinite(change)).toBe(true);
    }),
  );
});
