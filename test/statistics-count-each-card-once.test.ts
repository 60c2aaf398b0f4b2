import { rollUp, rollUpAll } from '../src/store/rollup';
import { HOUR, MINUTE, type RecallLane, startRecallLane } from './support/filing';

let lane: RecallLane;
beforeAll(async () => {
  lane = await startRecallLane();
  for (let at = 0; at < 5; at += 1) {
    lane.clock.advance(MINUTE);
    await lane.filing.card({ service: 'crane', operation: 'lift', input: { load: `crate ${at}` } });
  }
});
afterAll(() => lane.close());

const rows = <Row>(sql: string) =>
  lane.api.database.inWorkspace('default', (tx) => tx.query(sql, []) as Promise<Row[]>);

const counted = () =>
  rows('SELECT scope_type, scope_id, cards::int, words::int FROM scope_statistics ORDER BY 1, 2');
const there = () =>
  rows(`SELECT scope_type, scope_id, count(*)::int AS cards, sum(index_length)::int AS words
          FROM cards GROUP BY 1, 2 ORDER BY 1, 2`);
const words = () => rows('SELECT term, cards::int FROM term_statistics ORDER BY term');
const wordsThere = () =>
  rows('SELECT term, count(*)::int AS cards FROM card_terms GROUP BY term ORDER BY term');

const round = () => lane.api.database.inWorkspace('default', (tx) => rollUp(tx, lane.clock.now()));

it('a card is counted once it has settled, and never again', async () => {
  expect(await round()).toBeLessThan(5);
  lane.clock.advance(HOUR);
  await rollUpAll(lane.api.database, lane.clock.now());
  for (let again = 0; again < 3; again += 1) {
    expect(await counted()).toEqual(await there());
    expect(await words()).toEqual(await wordsThere());
    expect(await round()).toBe(0);
  }
});

it('what is filed later is added, by however many servers at once', async () => {
  lane.clock.advance(MINUTE);
  await lane.filing.card({ service: 'crane', operation: 'lower', input: { load: 'crate 9' } });
  lane.clock.advance(HOUR);
  const rounds = await Promise.all([round(), round(), round()]);
  expect(rounds.sort()).toEqual([0, 0, 1]);
  expect(await counted()).toEqual(await there());
  expect(await words()).toEqual(await wordsThere());
});
