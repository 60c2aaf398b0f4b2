import { rollUpAll } from '../src/store/rollup';
import { DAY, type RecallLane, startRecallLane } from './support/filing';
import { rowsOf, upkeep } from './support/upkeep';

jest.setTimeout(60_000);

let lane: RecallLane;
beforeEach(async () => {
  lane = await startRecallLane();
});
afterEach(() => lane.close());

const COUNTED = {
  scopes: `SELECT scope_type, scope_id, visibility, cards::int, words::int FROM scope_statistics ORDER BY 1, 2, 3`,
  words: 'SELECT term, cards::int FROM term_statistics ORDER BY term',
};
const THERE = {
  scopes: `SELECT scope_type, scope_id, visibility, count(*)::int AS cards, sum(index_length)::int AS words
             FROM cards WHERE evicted_at IS NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
  words: 'SELECT term, count(*)::int AS cards FROM card_terms GROUP BY term ORDER BY term',
};
const counts = async (from: typeof COUNTED) => [
  await rowsOf(lane, from.scopes),
  await rowsOf(lane, from.words),
];

it('after edits, moves and removals, which the counts do not hear of', async () => {
  const ids: string[] = [];
  for (let at = 0; at < 6; at += 1) {
    ids.push(
      await lane.filing.card({
        service: 'crane',
        operation: 'lift',
        input: { load: `crate ${at}` },
      }),
    );
  }
  lane.clock.advance(DAY);
  await rollUpAll(lane.api.database, lane.clock.now());
  const patch = (id: string | undefined, body: Record<string, unknown>) =>
    lane.api.call('PATCH', `/v1/cards/${id}`, { headers: { 'if-match': '"1"' }, body });
  await patch(ids[0], { summary: 'A narwhal was lifted.' });
  await patch(ids[1], { visibility: 'organization' });
  await rowsOf(lane, "INSERT INTO term_statistics VALUES ('default', 'nobody', 3)");
  expect(await counts(COUNTED)).not.toEqual(await counts(THERE));

  const { counts: done } = await upkeep(lane, 'recalibration');

  expect(await counts(COUNTED)).toEqual(await counts(THERE));
  expect(done.words_counted).toBe((await rowsOf(lane, COUNTED.words)).length);

  // What is counted afterwards is added to it.
  await lane.filing.card({ service: 'crane', operation: 'park', input: { at: 'the dock' } });
  lane.clock.advance(DAY);
  await rollUpAll(lane.api.database, lane.clock.now());
  expect(await counts(COUNTED)).toEqual(await counts(THERE));

  // Nor does what leaves the index or is purged put them wrong.
  await lane.api.call('DELETE', `/v1/cards/${ids[2]}`);
  lane.clock.advance(31 * DAY);
  await upkeep(lane, 'retention');
  expect(await counts(COUNTED)).toEqual([
    await rowsOf(
      lane,
      THERE.scopes.replace('evicted_at IS NULL', 'evicted_at IS NULL AND purged_at IS NULL'),
    ),
    await rowsOf(lane, THERE.words),
  ]);
});

it('while cards are filed and counted beside it', async () => {
  for (let at = 0; at < 5; at += 1) {
    await lane.filing.card({ service: 'crane', operation: 'lift', input: { load: `crate ${at}` } });
  }
  lane.clock.advance(DAY);
  await Promise.all([
    rollUpAll(lane.api.database, lane.clock.now()),
    upkeep(lane, 'recalibration'),
    rollUpAll(lane.api.database, lane.clock.now()),
  ]);
  expect(await counts(COUNTED)).toEqual(await counts(THERE));
});

it('in a dry run not at all', async () => {
  await lane.filing.card({ service: 'crane', operation: 'lift', input: { load: 'crate' } });
  lane.clock.advance(DAY);
  await rollUpAll(lane.api.database, lane.clock.now());
  await rowsOf(lane, "INSERT INTO term_statistics VALUES ('default', 'nobody', 3)");
  const before = await counts(COUNTED);
  await upkeep(lane, 'recalibration', { dryRun: true });
  expect(await counts(COUNTED)).toEqual(before);
});
