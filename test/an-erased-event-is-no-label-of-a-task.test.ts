import { erased } from './support/erasing';
import { type RecallLane, startRecallLane } from './support/filing';
import { dumped, rowsWith } from './support/others-rows';
import { rowsOf } from './support/upkeep';

jest.setTimeout(180_000);

let lane: RecallLane;
beforeEach(async () => {
  lane = await startRecallLane();
});
afterEach(() => lane.close());

/** As the loop that learns from a task leaves its record. */
async function learnt(operation: string, task: string, event: string): Promise<void> {
  await rowsOf(
    lane,
    `INSERT INTO runs (workspace_id, id, type, scope_type, scope_id, state, workflow_id, created_at, result)
     VALUES ('default', $1, 'learning', 'workspace', 'default', 'completed', 'learn/default/' || $2, now(),
             jsonb_build_object('event_id', $3::text))`,
    [operation, task, event],
  );
}

const runs = () =>
  rowsOf<{ id: string; workflow_id: string; result: unknown }>(
    lane,
    `SELECT id, workflow_id, result FROM runs WHERE type = 'learning' ORDER BY id`,
  );

it('that others worked on: their work stays together under another', async () => {
  const { filing, clock } = lane;
  const work = { service: 'crane', operation: 'lift', task: 'quokka-1' };
  await filing.card({ event_id: 'quokka-1', subject: 'guest-1', ...work });
  const others = [
    await filing.card({ event_id: 'evt-2', subject: 'guest-2', ...work }),
    await filing.card({ event_id: 'evt-3', subject: 'guest-2', ...work, input: { load: 'iron' } }),
  ];
  await learnt('op-2', 'quokka-1', 'evt-3');
  await rowsOf(lane, `UPDATE cards SET workflow_id = 'learn/default/quokka-1' WHERE id = $1`, [
    others[1],
  ]);
  clock.advance(1_000);
  const { status, receipt } = await erased(lane, { event_ids: ['quokka-1'] });
  expect({ status, found: receipt?.places.filter(({ found }) => found > 0) }).toEqual({
    status: 'completed',
    found: [],
  });
  const dump = await dumped((statement) => rowsOf(lane, statement));
  expect(rowsWith(dump, ['quokka'])).toEqual([]);
  const tasks = await rowsOf<{ task: string; said: string }>(
    lane,
    `SELECT c.task, e.payload ->> 'task' AS said FROM cards c JOIN events e ON e.event_id = c.event_id
      WHERE c.id = ANY ($1)`,
    [others],
  );
  const [{ task } = { task: '' }] = tasks;
  expect(task).toMatch(/^erased-[0-9a-f]{16}$/);
  expect(tasks).toEqual([1, 2].map(() => ({ task, said: task })));
  expect(await runs()).toEqual([
    { id: 'op-2', workflow_id: 'erased/op-2', result: { event_id: 'evt-3' } },
  ]);
});

it('nor the task of an erased event of which nothing is left', async () => {
  const { filing, clock } = lane;
  await filing.card({ event_id: 'evt-1', subject: 'guest-1', task: 'quokka-task' });
  await filing.card({ event_id: 'evt-2', subject: 'guest-1', task: 'shared-task' });
  await filing.card({ event_id: 'evt-3', subject: 'guest-2', task: 'shared-task' });
  await learnt('op-1', 'quokka-task', 'evt-1');
  await learnt('op-2', 'shared-task', 'evt-2');
  clock.advance(1_000);
  const { status } = await erased(lane, { subject: 'guest-1' });
  expect(status).toBe('completed');
  expect(await runs()).toEqual([
    { id: 'op-1', workflow_id: 'erased/op-1', result: { event_id: null } },
    { id: 'op-2', workflow_id: 'learn/default/shared-task', result: { event_id: null } },
  ]);
});

it('nor the task of a card whose event has no payload any more', async () => {
  const { filing, clock } = lane;
  await filing.card({ event_id: 'evt-1', subject: 'guest-1', task: 'quokka-task' });
  await learnt('op-1', 'quokka-task', 'evt-1');
  await lane.api.database.inWorkspace('default', async (tx) => {
    await tx.query(`SELECT set_config('cairn.redacting', 'on', true)`);
    await tx.query(`UPDATE events SET payload = NULL WHERE event_id = 'evt-1'`);
  });
  clock.advance(1_000);
  const { status } = await erased(lane, { subject: 'guest-1' });
  expect(status).toBe('completed');
  expect(await runs()).toMatchObject([{ id: 'op-1', workflow_id: 'erased/op-1' }]);
  expect(rowsWith(await dumped((ask) => rowsOf(lane, ask)), ['quokka'])).toEqual([]);
});
