import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { Worker } from '@temporalio/worker';
import pino from 'pino';
import { createCaptureActivities } from '../../src/activities/capture';
import { createEmbedActivities } from '../../src/activities/embed';
import { createModelActivities, type ModelActivities } from '../../src/activities/model';
import { sanitizingInterceptor } from '../../src/activities/sanitize';
import type { SettledEvent } from '../../src/contracts/event';
import type { CaptureInput } from '../../src/contracts/messages';
import { TASK_QUEUES } from '../../src/contracts/task-queues';
import { captureWorkflowId } from '../../src/contracts/workflow-ids';
import { Intake } from '../../src/intake/intake';
import type { Distiller } from '../../src/models/distiller';
import type { Embedder } from '../../src/models/embedder';
import { Database } from '../../src/store/database';
import type { capture } from '../../src/workflows/capture';
import { createTestDatabase, type TestDatabase } from './database';
import { createTimeSkippingEnv, createWorker, runWorkers } from './temporal';

export const LANE_SECRET = 'a key of the tests, of at least 32 characters';

export interface LaneModels {
  embedder: Embedder;
  /** Null: the stand-in distills. */
  distiller: Distiller | null;
  /** Wraps the model activity, to see each attempt from inside. */
  aroundModel?: (activities: ModelActivities) => ModelActivities;
}

/**
 * Events in, captures run, on a real Postgres and a server whose clock jumps: what production puts
 * together, without the API.
 */
export class CaptureLane {
  private constructor(
    readonly env: TestWorkflowEnvironment,
    readonly database: Database,
    private readonly testDatabase: TestDatabase,
  ) {}

  static async start(): Promise<CaptureLane> {
    const [env, testDatabase] = await Promise.all([createTimeSkippingEnv(), createTestDatabase()]);
    const database = new Database({
      url: testDatabase.url,
      connections: testDatabase.kind === 'pglite' ? 1 : 8,
      acquireTimeoutMs: 20_000,
      onIdleError: () => undefined,
    });
    return new CaptureLane(env, database, testDatabase);
  }

  async stop(): Promise<void> {
    await this.env.teardown();
    await this.database.close();
    await this.testDatabase.drop();
  }

  /** A fresh workspace, so that the tests of a file do not meet. */
  async workspace(): Promise<string> {
    const id = `ws-${randomUUID().slice(0, 8)}`;
    await this.database.inWorkspace(id, (tx) =>
      tx.query('INSERT INTO workspaces (workspace_id, name, created_at) VALUES ($1, $1, now())', [id]),
    );
    return id;
  }

  /** Records events as a runtime would report them. */
  async record(workspace: string, events: readonly SettledEvent[]): Promise<CaptureInput[]> {
    const intake = new Intake({
      database: this.database,
      clock: () => new Date(),
      secretKey: LANE_SECRET,
    });
    const principal = { kind: 'runtime', id: 'runtime', role: null, bootstrap: false } as const;
    const items = await intake.record({ workspace, principal }, events);
    return items.map((item) => {
      if (item.status !== 'accepted') throw new Error(`not accepted: ${JSON.stringify(item)}`);
      return {
        workspace,
        event_id: item.event_id as string,
        operation_id: item.operation_id as string,
      };
    });
  }

  /** Runs `work` with the workers that a process would have. */
  async working<T>(models: LaneModels, work: () => Promise<T>): Promise<T> {
    return await runWorkers(await this.workers(models), work);
  }

  async startCapture(input: CaptureInput): Promise<WorkflowHandle<typeof capture>> {
    return await this.env.client.workflow.start<typeof capture>('capture', {
      workflowId: captureWorkflowId(input.workspace, input.event_id),
      taskQueue: TASK_QUEUES.workflows,
      args: [input],
    });
  }

  private async workers(models: LaneModels): Promise<Worker[]> {
    const { database } = this;
    const clock = () => new Date();
    const { embedder, distiller, aroundModel = (activities) => activities } = models;
    const capture = createCaptureActivities({
      database,
      clock,
      embedder,
      distiller: distiller === null ? 'fallback' : 'model',
    });
    const embed = createEmbedActivities({ database, clock, embedder });
    const model = createModelActivities({ database, clock, distiller, secretKey: LANE_SECRET });
    const inbound = sanitizingInterceptor(pino({ level: 'silent' }));
    const interceptors = { activity: [() => ({ inbound })] };
    return await Promise.all([
      createWorker(this.env, { taskQueue: TASK_QUEUES.workflows, activities: { ...capture }, interceptors }),
      createWorker(this.env, {
        workflows: false,
        taskQueue: TASK_QUEUES.db,
        activities: { ...capture, ...embed },
        interceptors,
      }),
      createWorker(this.env, {
        workflows: false,
        taskQueue: TASK_QUEUES.model,
        activities: { ...aroundModel(model) },
        interceptors,
      }),
    ]);
  }
}
