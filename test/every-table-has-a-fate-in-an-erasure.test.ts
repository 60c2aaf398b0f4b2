import { TABLE_FATES } from '../src/store/erasure-tables';
import { type RecallLane, startRecallLane } from './support/filing';
import { rowsOf } from './support/upkeep';

let lane: RecallLane;
beforeAll(async () => {
  lane = await startRecallLane();
});
afterAll(() => lane.close());

it('says of every table what an erasure does with it', async () => {
  const rows = await rowsOf<{ name: string }>(
    lane,
    `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND c.relname <> 'schema_migrations' ORDER BY 1`,
  );
  const tables = rows.map(({ name }) => name);
  const known = Object.keys(TABLE_FATES);
  // Without an answer: say in src/store/erasure-tables.ts what becomes of what it holds of somebody who is erased.
  expect(tables.filter((name) => !known.includes(name))).toEqual([]);
  expect(known.filter((name) => !tables.includes(name))).toEqual([]);
});
