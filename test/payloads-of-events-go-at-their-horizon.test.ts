import { Intake } from '../src/intake/intake';
import { readCardsToRedistill } from '../src/store/filing-redistilled';
import { DAY, type RecallLane, startRecallLane } from './support/filing';
import { rowsOf, setPolicy, upkeep } from './support/upkeep';

jest.setTimeout(60_000);

let lane: RecallLane;
beforeEach(async () => {
  lane = await startRecallLane();
});
afterEach(() => lane.close());

const withPayload = async () =>
  (
    await rowsOf<{ event_id: string }>(
      lane,
      'SELECT event_id FROM events WHERE payload IS NOT NULL ORDER BY event_id',
    )
  ).map(({ event_id }) => event_id);
const call = { service: 'crane', operation: 'lift', input: { load: 'marbles' } };

it('by when it was recorded, to the moment; the event, its capture and its card stay', async () => {
  // Said to have happened long ago: it counts from when we heard of it.
  const id = await lane.filing.card({ ...call, occurred_at: '2024-01-01T00:00:00Z' });
  lane.clock.advance(30 * DAY - 1);
  expect((await upkeep(lane, 'retention')).counts).toEqual({});
  lane.clock.advance(1);
  const { counts, changes } = await upkeep(lane, 'retention');
  expect(counts).toEqual({ payloads_dropped: 1 });
  expect(changes).toEqual([
    {
      change: 'purged',
      card_id: null,
      version_before: null,
      version_after: null,
      related: ['event-1'],
      reason: 'payloads',
    },
  ]);
  expect(await withPayload()).toEqual([]);
  const event = await lane.api.call('GET', '/v1/events/event-1');
  expect([event.status, event.body.disposition, event.body.card_id]).toEqual([200, 'carded', id]);
  expect(event.text).not.toContain('marbles');
  expect((await lane.api.call('GET', `/v1/cards/${id}`)).body.summary).toContain('marbles');
});

it('by the policy of the day, in as many batches as it takes, with one row of audit each', async () => {
  await setPolicy(lane, { retention: { event_payload: 'P1D' } });
  await rowsOf(
    lane,
    `INSERT INTO events (workspace_id, event_id, agent_id, reporter_kind, reporter_id, recorded_at, payload, content_hash)
     SELECT 'default', 'bulk-' || lpad(n::text, 4, '0'), 'scout', 'runtime', 'harness', $1, '{}', ''
       FROM generate_series(1, 450) n`,
    [lane.clock.now()],
  );
  lane.clock.advance(DAY);
  expect((await upkeep(lane, 'retention')).counts).toEqual({ payloads_dropped: 450 });
  const { body } = await lane.api.call('GET', '/v1/audit?action=event.payload_dropped');
  const events = body.items.map(({ hashes }: { hashes: { events: number } }) => hashes.events);
  expect(events.reverse()).toEqual([200, 200, 50]);
});

it('but not while its capture is under way: it is all that its card will be made from', async () => {
  const intake = new Intake({
    database: lane.api.database,
    clock: lane.clock.now,
    secretKey: lane.api.secretKey,
  });
  const principal = { kind: 'runtime', id: 'harness', role: null, bootstrap: false } as const;
  const event = {
    event_id: 'waits',
    kind: 'service_call',
    agent: 'scout',
    outcome: 'worked',
  } as const;
  const [item] = await intake.record({ workspace: 'default', principal }, [
    { ...event, ...call, occurred_at: lane.clock.text() },
  ]);
  await lane.filing.card({ ...call, input: { load: 'sand' } });
  lane.clock.advance(90 * DAY);
  await upkeep(lane, 'retention');
  expect(await withPayload()).toEqual(['waits']);
  const key = { event_id: 'waits', operation_id: item?.operation_id ?? '' };
  expect((await lane.filing.atOnce(key)).filed?.card_id).toMatch(/^card_/);
  await upkeep(lane, 'retention');
  expect(await withPayload()).toEqual([]);
});

it('and a card that still waited for the words of a model keeps those that it has', async () => {
  const id = await lane.filing.card(call);
  expect(await rowsOf(lane, 'SELECT 1 FROM captures WHERE needs_distill')).toHaveLength(1);
  lane.clock.advance(30 * DAY);
  await upkeep(lane, 'retention');
  const next = await lane.api.database.inWorkspace('default', (tx) =>
    readCardsToRedistill(tx, '', 10),
  );
  expect(next).toMatchObject({ cards: [], settled: 1 });
  expect(await rowsOf(lane, 'SELECT distill_end FROM captures WHERE card_id = $1', [id])).toEqual([
    { distill_end: 'payload_missing' },
  ]);
});
