import type { TestApi } from './support/api';
import { type Call, LearningLane } from './support/learning-lane';

let lane: LearningLane;
let api: TestApi;
beforeAll(async () => {
  lane = await LearningLane.start();
  api = await lane.api();
  await lane.rows(
    'default',
    `INSERT INTO policies (workspace_id, version, document, created_at)
     SELECT 'default', COALESCE(max(version), 0) + 1, '{"learning": {"novelty": 1}}', now() FROM policies`,
  );
});
afterAll(async () => {
  await api.close();
  await lane.stop();
});

const ORDER: readonly Call[] = [
  ['orders.get_order_details'],
  ['orders.check_order_stock'],
  ['orders.change_order_items'],
  ['orders.confirm_order_change'],
];

async function lastRun(): Promise<string> {
  const [run] = await lane.rows<{ id: string }>(
    'default',
    "SELECT id FROM runs WHERE type = 'learning' ORDER BY created_at DESC, id DESC LIMIT 1",
  );
  if (run === undefined) throw new Error('no run');
  return run.id;
}

test('a version, then the skill, then the sentence on a failed task’s card', async () => {
  const first = await lane.teach('default', { task: 'one', calls: ORDER });
  const made = await lastRun();
  const longer: Call[] = [...ORDER, ['orders.notify_order_customer']];
  const second = { task: 'two', calls: longer, at: '2026-03-03T08:00:00Z' };
  const { result } = await lane.teach('default', second);
  expect(result).toMatchObject({ learned: 'merged', skill_version: 2 });
  const card = await lane.card('default', first.result.skill_card);

  const undone = await api.call('POST', `/v1/runs/${await lastRun()}/undo`);
  expect(undone.status).toBeLessThan(300);
  const [skill] = await lane.skills('default');
  expect(skill).toMatchObject({ current_version: 1, latest_version: 2 });
  expect(skill?.document.steps).toHaveLength(4);
  expect(card.summary).toContain('notify_order_customer');
  expect((await lane.card('default', skill?.card_id ?? null)).summary).not.toContain('notify');

  const { end } = await lane.teach('default', {
    task: 'three',
    outcome: 'failed',
    calls: [['orders.get_order', { outcome: 'failed', error: 'ValueError: order A-1 not found' }]],
  });
  const before = (await lane.card('default', end.card_id)).summary;
  expect(before).toContain('Next time');
  await api.call('POST', `/v1/runs/${await lastRun()}/undo`);
  expect((await lane.card('default', end.card_id)).summary).not.toContain('Next time');

  // The card of the skill has moved on since it was made: it stays, and is named.
  const { body } = await api.call('POST', `/v1/runs/${made}/undo`);
  expect(body.not_undone).toMatchObject([{ card_id: skill?.card_id, reason: 'moved' }]);
});
