import { TASK_QUEUES } from '../src/contracts/task-queues';
import { captureWorkflowId, learnWorkflowId } from '../src/contracts/workflow-ids';
import { forgetInPlaces } from '../src/store/erasure-places';
import { idPart } from '../src/store/ids';
import { TemporalHistories } from '../src/store/temporal-histories';
import { CaptureLane } from './support/capture-lane';

jest.setTimeout(180_000);

let lane: CaptureLane;
beforeAll(async () => {
  lane = await CaptureLane.start('dev');
});
afterAll(() => lane?.stop());

/** As a name that fits the id of a workflow, and one that does not, of which a part of its hash stands there. */
test.each(['quokka-1', 'a flight with 2 quokkas & more'])('of its own: %s', async (task) => {
  const workspace = await lane.workspace();
  const { client } = lane.env;
  const started = [
    learnWorkflowId(workspace, idPart(task)),
    learnWorkflowId(workspace, idPart('another task altogether')),
    captureWorkflowId(workspace, 'event-1'),
  ];
  for (const workflowId of started) {
    const taskQueue = TASK_QUEUES.workflows;
    await client.workflow.start('learn', { workflowId, taskQueue, args: [{ workspace }] });
  }
  const listed = async () => {
    const ids: string[] = [];
    for await (const { workflowId } of client.workflow.list()) {
      if (workflowId.includes(`/${workspace}/`)) ids.push(workflowId);
    }
    return ids.sort();
  };
  while ((await listed()).length < started.length);

  const places = await forgetInPlaces(
    { database: lane.database, histories: new TemporalHistories(client), files: null },
    { workspace, terms: { ids: [task], texts: [] }, requestedAt: new Date() },
  );
  expect(places).toContainEqual({ place: 'temporal histories', searched: 3, found: 0 });
  const [, ...others] = started;
  while ((await listed()).length > others.length);
  expect(await listed()).toEqual(others.sort());
});
