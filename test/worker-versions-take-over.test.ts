import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { readiness } from '../src/api/readiness';
import { TASK_QUEUES } from '../src/contracts/task-queues';
import { embedWorkflowId } from '../src/contracts/workflow-ids';
import type { Distiller } from '../src/models/distiller';
import { createLogger } from '../src/telemetry/logger';
import { Workers } from '../src/worker/workers';
import { CaptureLane, LANE_SECRET } from './support/capture-lane';
import { failedCall } from './support/distilling';
import { located, readRunRecord } from './support/run-record';
import { createSwitchableEmbedder, type SwitchableEmbedder } from './support/switchable-embedder';
import { workflowBundlePath } from './support/temporal';

jest.setTimeout(180_000);

let lane: CaptureLane;
let workspace: string;
const running: Workers[] = [];
const models: HeldModel[] = [];

beforeAll(async () => {
  lane = await CaptureLane.start('dev');
  workspace = await lane.workspace();
});
afterAll(async () => {
  for (const held of models) held.letGo();
  await Promise.all(running.map((workers) => workers.stop()));
  await lane?.stop();
});

/** A model that answers once it is let go; the words are the rules'. */
class HeldModel implements Distiller {
  readonly model = 'held';
  readonly promptVersion = 'none';
  asked = 0;
  letGo: () => void = () => {};
  private readonly held = new Promise<void>((resolve) => {
    this.letGo = resolve;
  });

  distill: Distiller['distill'] = async (_event, _warnings, standIn) => {
    this.asked += 1;
    await this.held;
    return { ...standIn, distilled_by: 'model' };
  };
}

interface Version {
  model: HeldModel;
  embedder: SwitchableEmbedder;
}

/** The workers of one process of `cairn worker`, as its build. */
async function startVersion(buildId: string): Promise<Version> {
  const model = new HeldModel();
  const embedder = createSwitchableEmbedder();
  const workers = await Workers.start({
    connection: lane.env.nativeConnection,
    namespace: lane.env.namespace ?? 'default',
    workflowBundle: workflowBundlePath(),
    database: lane.database,
    clock: () => new Date(),
    log: createLogger('silent'),
    embedder,
    distiller: model,
    drafter: null,
    secretKey: LANE_SECRET,
    connections: 8,
    buildId,
  });
  running.push(workers);
  models.push(model);
  return { model, embedder };
}

/** The command of docs/operations.md, by Temporal's own program; refused until the version has polled. */
async function takesOver(buildId: string): Promise<void> {
  const command = ['worker', 'deployment', 'set-current-version', '--deployment-name', 'cairn'];
  const words = [...command, '--build-id', buildId, '--yes', '--address', lane.env.address];
  await until(() =>
    promisify(execFile)(located(readRunRecord().temporalCli), words).then(
      () => true,
      () => false,
    ),
  );
}

async function capture(id: string) {
  const [input] = await lane.record(workspace, [
    failedCall({ event_id: id, input: { channel: id }, error: `ValueError: no channel ${id}` }),
  ]);
  if (input === undefined) throw new Error('nothing was recorded');
  return await lane.startCapture(input);
}

async function buildOf(workflowId: string): Promise<string | undefined> {
  const { raw } = await lane.env.client.workflow.getHandle(workflowId).describe();
  return raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId ?? undefined;
}

async function until(check: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error('it did not come to pass in time');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

test('a second version takes what begins after it is current; what began before ends where it began', async () => {
  const readyWorkers = async () => (await readiness(lane.database, lane.env.client)).workers;
  expect(await readyWorkers()).toContain('start `cairn worker`');

  const one = await startVersion('one');
  await until(async () => (await readyWorkers())?.includes('set-current-version') ?? false);
  const before = await capture('before');
  expect((await before.describe()).status.name).toBe('RUNNING');
  await takesOver('one');
  await new Promise((resolve) => setTimeout(resolve, 3000));
  await until(async () => (await readyWorkers()) === null);
  await until(() => one.model.asked === 1);

  const two = await startVersion('two');
  await takesOver('two');
  two.model.letGo();
  const after = await capture('after');
  expect(await after.result()).toMatchObject({ disposition: 'carded', distilled_by: 'model' });
  expect(await buildOf(after.workflowId)).toBe('two');
  expect([one.model.asked, two.model.asked]).toEqual([1, 1]);

  one.model.letGo();
  expect(await before.result()).toMatchObject({ disposition: 'carded', distilled_by: 'model' });
  expect(await buildOf(before.workflowId)).toBe('one');
  expect([one.model.asked, two.model.asked]).toEqual([1, 1]);
  expect(await readyWorkers()).toBeNull();
});

test('a pass that waits for an outage moves on with the deploy, so that its old version can go', async () => {
  const three = await startVersion('three');
  three.model.letGo();
  three.embedder.down = true;
  await takesOver('three');
  const carded = await capture('late');
  expect(await carded.result()).toMatchObject({ disposition: 'carded', embedded: false });
  const pass = await lane.env.client.workflow.start('embed', {
    workflowId: embedWorkflowId(workspace),
    taskQueue: TASK_QUEUES.workflows,
    args: [{ workspace }],
  });
  await until(() => three.embedder.calls > 1);
  expect(await buildOf(pass.workflowId)).toBe('three');

  const four = await startVersion('four');
  await takesOver('four');
  expect(await pass.result()).toMatchObject({ embedded: 1 });
  expect(four.embedder.calls).toBe(1);
  expect(await buildOf(pass.workflowId)).toBe('four');
});
