import { cardIds, DAY, MINUTE, type RecallLane, startRecallLane } from './support/filing';
import { consolidateByHand } from './support/night';

jest.setTimeout(60_000);

let lane: RecallLane;
beforeAll(async () => {
  lane = await startRecallLane();
});
afterAll(() => lane?.close());

const call = (outcome: 'worked' | 'failed') => ({
  agent: 'scout',
  service: 'broker',
  operation: 'publish',
  input: { stream: 'orders', batch: 50 },
  ...(outcome === 'worked'
    ? { output: { published: 50 } }
    : { outcome, error: 'batches over 20 are no longer accepted' }),
});

test('a failure after the night contradicts what the night summed up, and the note with it', async () => {
  for (let at = 0; at < 5; at += 1) {
    lane.clock.advance(MINUTE);
    await lane.filing.card(call('worked'));
  }
  const scope = { type: 'agent', id: 'scout' } as const;
  const [outcome] = await consolidateByHand(lane.api.database, 'default', scope, lane.clock.now());
  const note = outcome?.card_id ?? '';
  lane.clock.advance(DAY);
  const query = 'publish to stream orders with batch 50';
  const before = await lane.recall({ query, intent: 'act' });
  expect(cardIds(before)).toContain(note);

  const warnings: string[] = [];
  for (let at = 0; at < 3; at += 1) {
    lane.clock.advance(DAY);
    warnings.push(await lane.filing.card(call('failed')));
  }
  const after = await lane.recall({ query, intent: 'act', explain: true });
  expect(cardIds(after).some((id) => warnings.includes(id))).toBe(true);
  expect(cardIds(after)).not.toContain(note);
  expect(after.body.context).not.toContain('worked all 5 times');
  expect(after.body.dropped).toContainEqual(
    expect.objectContaining({ id: note, reason: 'derived_from_loser' }),
  );
});
