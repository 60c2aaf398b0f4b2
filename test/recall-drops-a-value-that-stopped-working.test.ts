import { cardIds, DAY, droppedFor, HOUR, type RecallLane, startRecallLane } from './support/filing';

let lane: RecallLane;
let old: string;
let failure: string;
let now: string;
let hidden: string;

const release = (build: string, mode: string) => ({
  service: 'deploys',
  operation: 'release_build',
  input: { build, mode, region: 'oslo' },
});
const QUERY = { query: 'release build fern-2: deploys release_build', intent: 'act', limit: 20 };

beforeAll(async () => {
  lane = await startRecallLane();
  old = await lane.filing.card({ ...release('amber-1', 'fast'), output: 'done' });
  lane.clock.advance(DAY);
  // Somebody else's own: scout sees none of it.
  hidden = await lane.filing.card({
    ...release('linden-3', 'slow'),
    agent: 'stranger',
    outcome: 'failed',
    error: 'Error: mode slow is not allowed',
  });
  lane.clock.advance(DAY);
  failure = await lane.filing.card({
    ...release('fern-2', 'fast'),
    outcome: 'failed',
    error: 'Error: mode fast is not allowed',
  });
  lane.clock.advance(HOUR);
});
afterAll(() => lane.close());

it('marks the last success where nothing has worked since, and keeps its other fields', async () => {
  const reply = await lane.recall({ ...QUERY, explain: true });
  expect(cardIds(reply).sort()).toEqual([old, failure].sort());
  const shown = reply.body.cards.find(({ id }: { id: string }) => id === old);
  expect(shown.outdated).toMatchObject({ field: 'mode', value: 'fast', by: failure });
  expect(shown.summary).toContain('fast');
  expect(shown).not.toHaveProperty('input_fields');
  const line = reply.body.context.split('\n').find((text: string) => text.startsWith('- ✅'));
  expect(line).toMatch(/\[outdated\].*region oslo.*; mode fast fails here since today\)/);
});

it('leaves it out once another value works, and names the failure in explain', async () => {
  now = await lane.filing.card({ ...release('fern-2', 'slow'), output: 'done' });
  lane.clock.advance(HOUR);
  const reply = await lane.recall({ ...QUERY, explain: true });
  expect(cardIds(reply).sort()).toEqual([failure, now].sort());
  expect(droppedFor(reply, 'outdated_value')).toEqual([
    expect.objectContaining({ id: old, winner: failure }),
  ]);
});

it('a failure that the reader cannot see decides nothing', async () => {
  const reply = await lane.recall(QUERY);
  expect(cardIds(reply)).not.toContain(hidden);
  expect(cardIds(reply)).toContain(now);
});

it('brings it back as of a time at which it held', async () => {
  const before = new Date(lane.clock.now().getTime() - DAY).toISOString();
  const reply = await lane.recall({ ...QUERY, as_of: before, known_at: before });
  expect(cardIds(reply)).toEqual([old]);
  expect(reply.body.cards[0]).not.toHaveProperty('outdated');
});

it('two of them were never linked: they are about two things', async () => {
  const conflicts = await lane.api.database.inWorkspace('default', (tx) =>
    tx.query(`SELECT 1 FROM edges WHERE type = 'conflicts'`, []),
  );
  expect(conflicts).toEqual([]);
});
