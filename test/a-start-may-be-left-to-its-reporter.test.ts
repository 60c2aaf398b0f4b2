import { CairnClient } from '../src/client/client';
import { startApi, type TestApi } from './support/api';
import { failedCall } from './support/distilling';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** Milliseconds between the commit and the time at which the outbox starts the capture. */
async function heldBack(eventId: string): Promise<number> {
  const rows = await api.database.inWorkspace('default', (tx) =>
    tx.query<{ next_at: string; created_at: string }>(
      "SELECT next_at, created_at FROM outbox WHERE arguments ->> 'event_id' = $1",
      [eventId],
    ),
  );
  expect(rows).toHaveLength(1);
  return Date.parse(rows[0]?.next_at ?? '') - Date.parse(rows[0]?.created_at ?? '');
}

test('the outbox waits for as long as the reporter says, and not at all where it says nothing', async () => {
  const client = new CairnClient({ url: api.url, key: api.ownerKey });
  await client.capture(failedCall({ event_id: 'left' }), { startAfterMs: 10_000 });
  await client.capture(failedCall({ event_id: 'sent', operation: 'other' }));
  expect([await heldBack('left'), await heldBack('sent')]).toEqual([10_000, 0]);
});

test.each(['-1', '30001', '1.5', 'soon'])('it cannot wait %s milliseconds', async (ms) => {
  const body = failedCall({ event_id: 'never' });
  const { status } = await api.call('POST', `/v1/events?start_after_ms=${ms}`, { body });
  expect(status).toBe(400);
  const found = await api.call('GET', '/v1/events/never');
  expect(found.status).toBe(404);
});
