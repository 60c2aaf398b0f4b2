import { saveHistory } from './support/histories';
import { BOOKING, type Call, LearningLane } from './support/learning-lane';

let lane: LearningLane;
beforeAll(async () => {
  lane = await LearningLane.start();
});
afterAll(() => lane.stop());

/** The first in other words of the same procedure: one more step, and one more failure that was overcome. */
const ORDER: readonly Call[] = [
  ['orders.get_order_details'],
  ['orders.check_order_stock'],
  ['orders.change_order_items'],
  ['orders.confirm_order_change'],
];
const LONGER: readonly Call[] = [
  ['orders.get_order_details'],
  ['orders.check_order_stock'],
  [
    'orders.change_order_items',
    {
      outcome: 'failed',
      input: { order: 'A-1', version: 'one' },
      error: 'ConflictError: the order was modified, version mismatch',
    },
  ],
  ['orders.change_order_items', { input: { order: 'A-1', version: 'two' } }],
  ['orders.notify_order_customer'],
  ['orders.confirm_order_change'],
];
const ANY_SCORE = { learning: { novelty: 1, similarity: 0.8 } };
const SECOND = '2026-03-03T08:00:00Z';

describe('a task whose skill is like one that there is', () => {
  test('becomes its next version, which passes the tests of both tasks', async () => {
    const ws = await lane.workspace(ANY_SCORE);
    const first = await lane.teach(ws, { task: 'one', calls: ORDER });
    const { result, handle } = await lane.teach(ws, { task: 'two', calls: LONGER, at: SECOND });
    await saveHistory('learn.merged', handle);

    expect(result).toMatchObject({
      learned: 'merged',
      skill_card: first.result.skill_card,
      skill_version: 2,
    });
    expect(result.similarity).toBeGreaterThanOrEqual(0.8);
    const [skill, ...others] = await lane.skills(ws);
    expect(others).toEqual([]);
    expect(skill).toMatchObject({ current_version: 2, latest_version: 2 });
    expect(skill?.document.steps.map(({ operation }) => operation)).toEqual([
      'get_order_details',
      'check_order_stock',
      'change_order_items',
      'notify_order_customer',
      'confirm_order_change',
    ]);
    expect(skill?.document.failure_handling).toHaveLength(1);
    expect(skill?.test_result).toMatchObject({ passed: 3, failed: 0 });
    const kinds = await lane.rows<{ kind: string }>(
      ws,
      'SELECT kind FROM skill_tests ORDER BY kind',
    );
    expect(kinds.map(({ kind }) => kind)).toEqual(['failure', 'origin', 'origin']);
    const versions = await lane.rows(
      ws,
      'SELECT version, status, run_id IS NOT NULL AS has_run, writer_id FROM skill_versions ORDER BY version',
    );
    expect(versions).toEqual([
      { version: 1, status: 'retired', has_run: true, writer_id: 'learning' },
      { version: 2, status: 'current', has_run: true, writer_id: 'learning' },
    ]);
    const card = await lane.card(ws, result.skill_card);
    expect(card.version).toBe(2);
    expect(card.summary).toContain('notify_order_customer');
  });

  test('says nothing new: it is skipped with the reason', async () => {
    const ws = await lane.workspace(ANY_SCORE);
    const first = await lane.teach(ws, { task: 'one', calls: LONGER });
    const { result } = await lane.teach(ws, { task: 'two', calls: LONGER, at: SECOND });
    expect(result).toMatchObject({
      learned: 'identical',
      reason: 'identical',
      skill_card: first.result.skill_card,
    });
    const [skill] = await lane.skills(ws);
    expect(skill).toMatchObject({ current_version: 1, latest_version: 1 });
    expect(
      await lane.rows(ws, "SELECT reason, card_id FROM run_changes WHERE change = 'skipped'"),
    ).toEqual([{ reason: 'identical', card_id: first.result.skill_card }]);
  });

  test('would be a step back: the version in use stays, and what failed is kept as failed', async () => {
    const ws = await lane.workspace(ANY_SCORE);
    const { result: first } = await lane.teach(ws, { task: 'one', calls: ORDER });
    await lane.rows(
      ws,
      `INSERT INTO skill_tests (workspace_id, card_id, id, kind, "case", added_at)
       VALUES ($1, $2, 'case_by_hand', 'manual', $3, now())`,
      [ws, first.skill_card, '{"must_mention": [], "must_not_mention": ["notify order customer"]}'],
    );
    const { result } = await lane.teach(ws, { task: 'two', calls: LONGER, at: SECOND });
    expect(result).toMatchObject({ learned: 'regressed', reason: 'regression', skill_version: 2 });
    const [skill] = await lane.skills(ws);
    expect(skill).toMatchObject({ current_version: 1, latest_version: 2 });
    expect(skill?.document.steps).toHaveLength(4);
    expect((await lane.card(ws, first.skill_card)).version).toBe(1);
    expect(await lane.rows(ws, 'SELECT status FROM skill_versions ORDER BY version')).toEqual([
      { status: 'current' },
      { status: 'failed' },
    ]);
  });

  test('is like one that a person keeps: that one is left as it is', async () => {
    const ws = await lane.workspace(ANY_SCORE);
    const { result: first } = await lane.teach(ws, { task: 'one', calls: ORDER });
    await lane.rows(ws, "UPDATE skill_versions SET writer_kind = 'person', writer_id = 'ada'");
    const { result } = await lane.teach(ws, { task: 'two', calls: LONGER, at: SECOND });
    expect(result).toMatchObject({ learned: 'rejected', reason: 'kept_by_a_person' });
    expect(await lane.skills(ws)).toMatchObject([
      { card_id: first.skill_card, current_version: 1, latest_version: 1 },
    ]);
  });

  test('is not put together with one of another kind of work, whatever its words', async () => {
    const ws = await lane.workspace({ learning: { novelty: 1, similarity: 0 } });
    await lane.teach(ws, { task: 'one', calls: ORDER });
    const { result } = await lane.teach(ws, { task: 'two', calls: BOOKING, at: SECOND });
    expect(result).toMatchObject({ learned: 'created', similarity: null });
    expect(await lane.skills(ws)).toHaveLength(2);
  });

  test('is compared by its steps where there are no vectors', async () => {
    const ws = await lane.workspace(ANY_SCORE);
    const broken = {
      id: 'broken',
      dims: 3,
      embed: () => Promise.reject(new Error('away')),
      close: async () => undefined,
    };
    await lane.teach(ws, { task: 'one', calls: ORDER }, { embedder: broken });
    const two = { task: 'two', calls: LONGER, at: SECOND };
    const { result } = await lane.teach(ws, two, { embedder: broken });
    expect(result).toMatchObject({ learned: 'merged', similarity: 0.889 });
  });
});
