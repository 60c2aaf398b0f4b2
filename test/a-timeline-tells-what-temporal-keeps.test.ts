import { Client, Connection } from '@temporalio/client';
import { timelineReader } from '../src/api/timeline-reader';
import type { Timeline } from '../src/contracts/timeline';
import {
  captureWorkflowId,
  proposalWorkflowId,
  sweepWorkflowId,
} from '../src/contracts/workflow-ids';
import { type CallOptions, startApi } from './support/api';
import { runCommand } from './support/cli';
import { DecidingLane } from './support/deciding-lane';

jest.setTimeout(120_000);

let lane: DecidingLane;
beforeAll(async () => {
  lane = await DecidingLane.start();
  await lane.work();
});
afterAll(() => lane?.stop());

const pathOf = (workflow: string, run?: string) =>
  `/v1/timeline?workflow_id=${encodeURIComponent(workflow)}${run === undefined ? '' : `&run_id=${run}`}`;

const ask = (workflow: string, options: CallOptions = {}, run?: string) =>
  lane.api.call('GET', pathOf(workflow, run), options);

async function read(workflow: string, run?: string): Promise<Timeline> {
  return (await lane.done('GET', pathOf(workflow, run), { key: lane.keys.auditor })).body;
}

const kinds = ({ steps }: Timeline) => steps.map(({ kind, status }) => `${kind} ${status}`);

/** Asked for until it says so, as a page does. */
async function until(workflow: string, holds: (timeline: Timeline) => boolean): Promise<Timeline> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const timeline = await read(workflow);
    if (holds(timeline)) return timeline;
    if (Date.now() > deadline) throw new Error(`it says ${JSON.stringify(timeline)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

it('of a capture: its steps, and the card that came of it', async () => {
  const event_id = 'Tool:a@c.d_1-2';
  const card = await lane.captured({ event_id });
  const workflow = captureWorkflowId('default', event_id);
  const timeline = await until(workflow, ({ status }) => status === 'completed');
  expect(timeline).toMatchObject({ workflow_id: workflow, type: 'capture', truncated: false });
  expect(kinds(timeline)).toEqual(['started done', 'local_activity done', 'ended done']);
  expect(timeline.steps[0]?.detail).toContain(`event ${event_id}`);
  expect(timeline.steps.at(-1)?.detail).toBe(`card ${card}`);
  expect(timeline.steps.at(-1)?.at).toBe(timeline.closed_at);
  expect(timeline.events).toBeGreaterThan(timeline.steps.length);
  expect(timeline.ui).toBe(
    `https://temporal.example.com/namespaces/default/workflows/${encodeURIComponent(workflow)}/${timeline.run_id}/history`,
  );

  // The same id once more: the last run is shown, and the other by its id.
  const options = { workflowId: workflow, taskQueue: 'cairn-workflows' };
  const input = { workspace: 'default', event_id, operation_id: 'op_again' };
  await lane.env.client.workflow.execute('capture', { ...options, args: [input] });
  const again = await until(workflow, ({ runs }) => runs.length === 2);
  expect(again.run_id).not.toBe(timeline.run_id);
  expect(again.runs.map(({ run_id }) => run_id)).toEqual([again.run_id, timeline.run_id]);
  expect(await read(workflow, timeline.run_id)).toMatchObject({
    run_id: timeline.run_id,
    steps: timeline.steps,
  });
});

it('of a proposal: what it waits for, and the decision once there is one', async () => {
  const { proposal_id } = await lane.asked(await lane.captured());
  const workflow = proposalWorkflowId('default', proposal_id);
  await lane.begun(proposal_id);
  const waiting = await until(workflow, ({ steps }) => steps.at(-1)?.kind === 'timer');
  expect(waiting).toMatchObject({ status: 'running', closed_at: null });
  expect(kinds(waiting)).toEqual(['started done', 'activity done', 'timer waiting']);

  const { status } = await lane.decide(proposal_id, { decision: 'approve' });
  expect(status).toBe(200);
  const decided = await until(workflow, ({ status }) => status === 'completed');
  expect(kinds(decided)).toEqual([
    'started done',
    'activity done',
    'timer done',
    'update done',
    'activity done',
    'ended done',
  ]);
  expect(JSON.stringify(decided)).not.toContain('waiting');
});

it('in lines, for whoever asks on a terminal', async () => {
  await lane.captured({ event_id: 'in-lines' });
  const workflow = captureWorkflowId('default', 'in-lines');
  await until(workflow, ({ status }) => status === 'completed');
  const { out, code } = await runCommand(['timeline', workflow], {
    CAIRN_URL: lane.api.url,
    CAIRN_KEY: lane.api.ownerKey,
  });
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/An event is to become a card +event in-lines/),
  ]);
});

it('and of nothing that is another workspace’s, everybody’s, or no workflow of Cairn', async () => {
  await lane.env.client.workflow.start('order', {
    workflowId: 'order/default/7',
    taskQueue: 'elsewhere',
    args: [{ card_id: 'of a customer' }],
  });
  await lane.env.client.workflow.start('sweep', {
    workflowId: sweepWorkflowId(),
    taskQueue: 'elsewhere',
    args: [],
  });
  await lane.captured({ event_id: 'foreign' });
  const made = await lane.api.call('POST', '/v1/workspaces', { body: { id: 'all', name: 'All' } });
  const key = made.body.owner_key;
  const foreign = captureWorkflowId('default', 'foreign');
  for (const [workflow, options] of [
    [foreign, { key }],
    [sweepWorkflowId(), { key }],
    ['order/default/7', {}],
    ['default', {}],
    ['capture/default', {}],
  ] as const) {
    const { status, text } = await ask(workflow, options);
    expect([workflow, status]).toEqual([workflow, 404]);
    expect(text).not.toContain('customer');
  }
  expect((await ask(foreign)).status).toBe(200);
});

it('says since when Temporal keeps histories, where one is gone', async () => {
  const { status, body } = await ask(captureWorkflowId('default', 'never-was'));
  expect([status, body.code]).toEqual([404, 'not_found']);
  expect(body.detail).toMatch(/keeps one for \d+ days? after its end/);
  expect(Date.parse(body.kept_since)).toBeLessThan(Date.now());
  await lane.captured({ event_id: 'of-no-such-run' });
  const workflow = captureWorkflowId('default', 'of-no-such-run');
  for (const run of ['0b8b7ab0-6f5b-4a4a-9d5f-5a4f4c0e6a11', 'no-run']) {
    expect((await ask(workflow, {}, run)).status).toBe(404);
  }
});

it('to people who govern, and for no one agent', async () => {
  await lane.captured({ event_id: 'for-staff' });
  const workflow = captureWorkflowId('default', 'for-staff');
  const { rita, operator, auditor, member, scout, runtime } = lane.keys;
  for (const key of [rita, operator, auditor]) {
    expect((await ask(workflow, { key })).status).toBe(200);
    const headers = { 'cairn-agent': 'scout' };
    expect((await ask(workflow, { key, headers })).status).toBe(403);
  }
  for (const key of [member, scout, runtime]) {
    expect((await ask(workflow, { key })).status).toBe(403);
  }
  expect((await lane.api.call('GET', '/v1/timeline')).status).toBe(400);
});

it('says that Temporal is away where it is', async () => {
  const connection = Connection.lazy({ address: '127.0.0.1:9' });
  const api = await startApi({ timelines: timelineReader(new Client({ connection })) });
  const { status, body } = await api.call('GET', pathOf('capture/default/one'));
  expect([status, body.code]).toEqual([503, 'unavailable']);
  await api.close();
  await connection.close();
});
