import type { PolicyPatch } from '../src/contracts/policy';
import { startApi, type TestApi } from './support/api';
import { runCommand } from './support/cli';
import { DAY, LANE_START, TestClock } from './support/filing';
import { Insights } from './support/insights';

const clock = new TestClock(LANE_START);
let api: TestApi;
beforeAll(async () => {
  api = await startApi({ clock: clock.now });
  const scout = new Insights(api)
    .as(await api.keyFor({ kind: 'runtime', id: 'harness' }))
    .for('scout');
  // 8 + 35 + 15: before the window of a preview.
  await scout.saved({ severity: 'low', finding: 'It costs €200,000.' });
  clock.advance(31 * DAY);
  // 23 + 22.1 + 15
  await scout.saved({ severity: 'high', finding: 'It costs $1,800 a week.' });
  // 23 + 34.1 + 8
  await scout.saved({ severity: 'high', finding: 'It costs €80,000.', domain: 'menu' });
  // 8 + 0 + 15
  await scout.saved({ severity: 'low', finding: 'It costs nothing.' });
});
afterAll(() => api.close());

const effectsOf = async (body: PolicyPatch) =>
  (await api.call('POST', '/v1/policy/preview', { body })).body.effects;

test('by the bound, the rates and what a domain is worth, of the insights of a month', async () => {
  expect(await effectsOf({ insights: { urgent_above: 60 } })).toEqual({
    urgent_insights: { before: 0, after: 2 },
  });
  expect(await effectsOf({ insights: { urgent_above: 65.1 } })).toMatchObject({
    urgent_insights: { after: 0 },
  });
  expect(
    await effectsOf({ insights: { urgent_above: 60, time_sensitivity: { labor: 0 } } }),
  ).toMatchObject({ urgent_insights: { before: 0, after: 1 } });
  expect(
    await effectsOf({ insights: { urgent_above: 60, rates: { EUR: 0.000_1 } } }),
  ).toMatchObject({ urgent_insights: { before: 0, after: 1 } });
});

test('a candidate that is about something else says nothing of them', async () => {
  expect(await effectsOf({ insights: { window: 'P7D', min_change: 0.1 } })).toEqual({});
});

test.each([
  [{ rates: { euro: 1 } }, '/insights/rates/euro'],
  [{ rates: { EUR: 0 } }, '/insights/rates/EUR'],
  [{ rates: { EUR: -1 } }, '/insights/rates/EUR'],
  [{ urgent_above: 101 }, '/insights/urgent_above'],
  [{ min_change: 2 }, '/insights/min_change'],
  [{ time_sensitivity: { labor: 16 } }, '/insights/time_sensitivity/labor'],
])('%j is refused', async (insights, pointer) => {
  const { body } = await api.call('POST', '/v1/policy/preview', { body: { insights } });
  expect(body).toMatchObject({ valid: false, problems: [{ pointer }] });
});

test('a terminal shows it', async () => {
  const environment = { CAIRN_URL: api.url, CAIRN_KEY: api.ownerKey };
  const input = JSON.stringify({ insights: { urgent_above: 60 } });
  const { out } = await runCommand(['policy', 'preview', '-'], environment, input);
  expect(out).toContain('0 → 2 urgent insights');
});
