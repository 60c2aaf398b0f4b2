import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Client, WorkflowHandle } from '@temporalio/client';
import type { Workflow } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { WorkerOptions } from '@temporalio/worker';
import {
  type CairnActivities,
  type CairnActivitiesOptions,
  createCairnActivities,
} from '../../../src/adapters/temporal/activities';
import type { PrincipalKind } from '../../../src/contracts/names';
import { insertKey } from '../../../src/store/api-keys';
import { keyHash } from '../../../src/store/credentials';
import { newId } from '../../../src/store/ids';
import { CaptureLane, LANE_SECRET } from '../capture-lane';
import { readRunRecord } from '../run-record';
import { createWorker, runWorkers } from '../temporal';

export const RUNTIME_QUEUE = 'a-runtime-of-its-own';

/** The bundle of a file of workflows, made for this call. */
export async function bundled(entry: string): Promise<string> {
  const file = join(readRunRecord().dir, `runtime-${randomUUID()}.js`);
  await promisify(execFile)(process.execPath, [join(__dirname, 'bundle.mjs'), entry, file]);
  return file;
}

let workflows: Promise<string> | undefined;

/** Of `workflows.ts`, once a test file. */
export async function runtimeBundle(): Promise<string> {
  workflows ??= bundled(join(__dirname, 'workflows.ts'));
  return await workflows;
}

/** A lane beside which workflows of a runtime run. */
export async function startRuntimeLane(
  server: Parameters<typeof CaptureLane.start>[0],
): Promise<CaptureLane> {
  const [lane] = await Promise.all([CaptureLane.start(server), runtimeBundle()]);
  return lane;
}

/** Starts a workflow of the runtime. @param workflowId Default: one of its own */
export async function startAgent<T extends Workflow>(
  client: Client,
  type: string,
  args: unknown[],
  workflowId = `agent-${randomUUID()}`,
): Promise<WorkflowHandle<T>> {
  const options = { workflowId, taskQueue: RUNTIME_QUEUE, args };
  return (await client.workflow.start<Workflow>(type, options)) as WorkflowHandle<T>;
}

/** A key of this workspace, as `POST /v1/keys` would make it. */
export async function keyFor(
  { database }: CaptureLane,
  workspace: string,
  principal: { kind: PrincipalKind; id: string },
): Promise<string> {
  const key = `key-${randomBytes(24).toString('hex')}`;
  const now = new Date();
  await database.inWorkspace(workspace, (tx) =>
    insertKey(tx, {
      id: newId('key', now),
      hash: keyHash(key),
      principal,
      name: null,
      expiresAt: null,
      now,
    }),
  );
  return key;
}

/** Activities that record on the lane's Postgres with a runtime's key of this workspace. */
export async function runtimeActivities(
  lane: CaptureLane,
  workspace: string,
  options: Partial<CairnActivitiesOptions> = {},
): Promise<CairnActivities> {
  return createCairnActivities({
    databaseUrl: lane.databaseUrl,
    secretKey: LANE_SECRET,
    key: await keyFor(lane, workspace, { kind: 'runtime', id: 'harness' }),
    ...options,
  });
}

/** Runs `work` beside the worker of a runtime, and closes what its activities hold. */
export async function asRuntime<T>(
  env: TestWorkflowEnvironment,
  cairn: CairnActivities,
  work: () => Promise<T>,
  options: Partial<WorkerOptions> = {},
): Promise<T> {
  const { activities = {}, ...more } = options;
  const worker = await createWorker(env, {
    workflows: false,
    taskQueue: RUNTIME_QUEUE,
    workflowBundle: { codePath: await runtimeBundle() },
    activities: { ...cairn, ...activities },
    ...more,
  } as Parameters<typeof createWorker>[1]);
  try {
    return await runWorkers([worker], work);
  } finally {
    await cairn.close();
  }
}
