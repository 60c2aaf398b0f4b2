import { type RecallLane, startRecallLane } from './support/filing';

let lane: RecallLane;
beforeAll(async () => {
  lane = await startRecallLane();
});
afterAll(() => lane.close());

async function strikesOf(days: readonly number[], step: string): Promise<(number | null)[]> {
  const counts: (number | null)[] = [];
  for (const day of days) {
    const filed = await lane.filing.file({
      event_id: `${step}-${day}`,
      team: 'desk',
      service: 'backup',
      operation: step,
      outcome: 'failed',
      occurred_at: new Date(Date.UTC(2026, 0, day)).toISOString(),
      input: { day },
      error: 'no space left',
    });
    counts.push(filed.strikes);
  }
  return counts;
}

test.each([
  ['in order', 'forward', [10, 11, 12]],
  ['the latest first', 'backward', [12, 11, 10]],
  ['the middle last', 'mixed', [10, 12, 11]],
])('three failures of a step within the window are three strikes, %s', async (_how, step, days) => {
  expect(await strikesOf(days, step)).toEqual([1, 2, 3]);
});

test('what lies in no common window does not add up', async () => {
  expect(await strikesOf([1, 40, 20], 'spread')).toEqual([1, 1, 2]);
});
