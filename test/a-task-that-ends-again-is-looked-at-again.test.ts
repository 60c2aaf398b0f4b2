import { type LearnRecord, TASK_ENDED_SIGNAL } from '../src/contracts/learning';
import { TASK_QUEUES } from '../src/contracts/task-queues';
import { saveHistory } from './support/histories';
import { BOOKING, type Call, LearningLane } from './support/learning-lane';

let lane: LearningLane;
beforeAll(async () => {
  lane = await LearningLane.start();
});
afterAll(() => lane.stop());

const CARE: readonly Call[] = [['care.open_ticket'], ['care.answer_ticket'], ['care.close_ticket']];
const LATER = '2026-03-02T12:00:00Z';

describe('a task that ends again', () => {
  test('is looked at by the loop that runs, each ending with what was done for it, once', async () => {
    const ws = await lane.workspace();
    await lane.file(ws, { task: 'one task', calls: BOOKING });
    await lane.file(ws, { task: 'one task', calls: CARE, at: LATER });
    const queued = await lane.queued(ws);
    expect(new Set(queued.map(({ workflow_id }) => workflow_id)).size).toBe(1);

    const { record, handle } = await lane.run();
    await saveHistory('learn.ended-again', handle);
    expect(record).toMatchObject({ endings: 2, last: { learned: 'created' } });
    const skills = await lane.skills(ws);
    expect(skills.map(({ document }) => document.steps.length)).toEqual([3, 3]);
    const services = skills.flatMap(({ document }) => document.steps.map(({ service }) => service));
    expect(services.sort()).toEqual(['booking', 'care', 'care', 'care', 'flights', 'mailer']);
    const runs = await lane.rows(
      ws,
      "SELECT state, result ->> 'learned' AS learned FROM runs WHERE type = 'learning'",
    );
    expect(runs).toEqual([
      { state: 'completed', learned: 'created' },
      { state: 'completed', learned: 'created' },
    ]);
  });

  test('after its loop has ended gets another one', async () => {
    const ws = await lane.workspace();
    const first = await lane.teach(ws, { task: 'one task', calls: BOOKING });
    const second = await lane.teach(ws, { task: 'one task', calls: CARE, at: LATER });
    expect(second.handle.workflowId).toBe(first.handle.workflowId);
    expect(second.result.event_id).not.toBe(first.result.event_id);
    expect(await lane.skills(ws)).toHaveLength(2);
  });

  test('and is told of twice is looked at once', async () => {
    const ws = await lane.workspace();
    await lane.file(ws, { task: 'one task', calls: BOOKING });
    const [item] = await lane.queued(ws);
    if (item === undefined) throw new Error('nothing was queued');
    const args = item.arguments as never;
    const record = await lane.working({}, async () => {
      const handle = await lane.captures.env.client.workflow.signalWithStart('learn', {
        ...{ workflowId: item.workflow_id, taskQueue: TASK_QUEUES.workflows },
        ...{ args: [args], signal: TASK_ENDED_SIGNAL, signalArgs: [args] },
      });
      await handle.signal(TASK_ENDED_SIGNAL, args);
      return (await handle.result()) as LearnRecord;
    });
    expect(record.endings).toBe(1);
    await lane.send();
  });
});
