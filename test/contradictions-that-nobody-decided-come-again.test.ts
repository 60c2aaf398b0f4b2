import { insertCard } from '../src/store/card-writes';
import { openContradictions } from '../src/store/card-writes-contradicted';
import { insertEdges } from '../src/store/edge-writes';
import { DAY, type RecallLane, startRecallLane } from './support/filing';
import { plainCard } from './support/plain-card';
import { rowsOf, upkeep } from './support/upkeep';

jest.setTimeout(60_000);

let lane: RecallLane;
beforeEach(async () => {
  lane = await startRecallLane();
});
afterEach(() => lane.close());

interface Row {
  id: string;
  status: string;
  evidence: string[];
}
const proposals = () =>
  rowsOf<Row>(
    lane,
    "SELECT id, status, evidence FROM proposals WHERE type = 'contradiction' ORDER BY created_at, id",
  );

/** Two cards that no rule settles, and a proposal about them. */
async function contradicting(): Promise<string[]> {
  const now = lane.clock.now();
  const cards = ['The quay is closed.', 'The quay is open.'].map((text) => plainCard(text, now));
  const [one, other] = cards.map(({ id }) => id);
  await lane.api.database.inWorkspace('default', async (tx) => {
    for (const card of cards) await insertCard(tx, card, null, []);
    const edge = {
      type: 'conflicts',
      from: other ?? '',
      to: one ?? '',
      confidence: 1,
      reason: 'x',
    } as const;
    await openContradictions(tx, await insertEdges(tx, [edge], now), now);
  });
  return [one ?? '', other ?? ''];
}

const close = (status: string) =>
  rowsOf(lane, 'UPDATE proposals SET status = $1, closed_at = $2', [status, lane.clock.now()]);

it.each(['expired', 'lapsed'])('after the one before has %s', async (status) => {
  const cards = await contradicting();
  lane.clock.advance(20 * DAY);
  expect((await upkeep(lane, 'recalibration')).counts.contradictions).toBeUndefined();
  await close(status);
  const { counts, changes } = await upkeep(lane, 'recalibration', { twice: true });
  expect(counts.contradictions).toBe(1);
  const [, again, ...none] = await proposals();
  expect([again?.status, none]).toEqual(['open', []]);
  expect([...(again?.evidence ?? [])].sort()).toEqual([...cards].sort());
  expect(changes).toMatchObject([
    {
      change: 'proposed',
      reason: 'contradiction',
      related: [again?.id, ...(again?.evidence ?? [])],
    },
  ]);
  expect(await rowsOf(lane, "SELECT 1 FROM outbox WHERE action = 'start_proposal'")).toHaveLength(
    2,
  );
});

it('but not where one of the two is out of use, or a rule settles it by now', async () => {
  const [one] = await contradicting();
  await close('expired');
  await lane.api.call('DELETE', `/v1/cards/${one}`);
  await upkeep(lane, 'recalibration');
  expect(await proposals()).toHaveLength(1);
  await lane.api.call('POST', `/v1/cards/${one}/restore`);
  await close('expired');
  await rowsOf(lane, 'UPDATE cards SET confidence = 0.2 WHERE id = $1', [one]);
  const before = await proposals();
  await upkeep(lane, 'recalibration');
  expect(await proposals()).toEqual(before);
});

it('and a dry run only says so', async () => {
  const cards = await contradicting();
  await close('expired');
  const { changes, counts } = await upkeep(lane, 'recalibration', { dryRun: true, twice: true });
  expect(counts.contradictions).toBe(1);
  expect([...(changes[0]?.related ?? [])].sort()).toEqual([...cards].sort());
  expect(await proposals()).toHaveLength(1);
});
