import { erased } from './support/erasing';
import { type RecallLane, startRecallLane } from './support/filing';
import { rowsOf } from './support/upkeep';

jest.setTimeout(180_000);

let lane: RecallLane;
beforeEach(async () => {
  lane = await startRecallLane();
});
afterEach(() => lane.close());

it('in the sealed log of who read what, and nowhere else: the erasure ends verified', async () => {
  const { api, clock, filing } = lane;
  await filing.card({ event_id: 'evt-1', subject: 'quokka-7', session: 'quokka-7' });
  const other = await filing.card({ event_id: 'evt-2', service: 'crane', operation: 'lift' });
  // With their own eyes, in a session of that name.
  const { status } = await api.call('GET', `/v1/cards/${other}`, {
    headers: { 'cairn-session': 'quokka-7' },
  });
  expect(status).toBe(200);
  expect((await lane.recall({ query: 'lift' }, { 'cairn-session': 'quokka-7' })).status).toBe(200);
  const reads = () =>
    rowsOf<{ session: string }>(lane, `SELECT session FROM access_log WHERE session = 'quokka-7'`);
  const before = await reads();
  expect(before.length).toBeGreaterThan(0);
  clock.advance(60_000);
  const { status: end, receipt } = await erased(lane, { subject: 'quokka-7' });
  const found = receipt?.places.filter((place) => place.found > 0);
  expect({ end, found }).toEqual({ end: 'completed', found: [] });
  expect(await reads()).toEqual(before);
});
