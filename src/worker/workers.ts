import { type NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { createCaptureActivities } from '../activities/capture';
import { createEmbedActivities } from '../activities/embed';
import { createModelActivities } from '../activities/model';
import { sanitizingInterceptor } from '../activities/sanitize';
import type { Clock } from '../contracts/clock';
import { TASK_QUEUES } from '../contracts/task-queues';
import type { Distiller } from '../models/distiller';
import type { Embedder } from '../models/embedder';
import type { Database } from '../store/database';
import type { Log } from '../telemetry/logger';

export interface WorkerDependencies {
  connection: NativeConnection;
  namespace: string;
  /** The compiled bundle of `src/workflows`. */
  workflowBundle: string;
  database: Database;
  clock: Clock;
  log: Log;
  embedder: Embedder;
  /** Null where no model is configured: the stand-in distills. */
  distiller: Distiller | null;
  secretKey: string;
  /** Of Postgres, in this process. */
  connections: number;
}

/** A model call may take a minute; what is not done by then goes on elsewhere. */
const SHUTDOWN_GRACE = '20s';
const SHUTDOWN_FORCE = '30s';
/** A cached capture weighs about 270 KiB; captures are short, so few need to stay. */
const CACHED_WORKFLOWS = 300;
/** One machine's share of a small provider quota; raise it with the quota. */
const MODEL_CALLS = 4;

/**
 * The SDK's own default. Fewer where there are few connections: a task whose local steps only wait for
 * their turn uses up their 3 s, and the capture takes the slow path.
 */
const WORKFLOW_TASKS = 40;

/** The workers of one process, one a queue. */
export class Workers {
  private constructor(
    private readonly workers: readonly Worker[],
    private readonly runs: Promise<void>,
  ) {}

  static async start(deps: WorkerDependencies): Promise<Workers> {
    const { database, clock, log, embedder, distiller, secretKey } = deps;
    const capture = createCaptureActivities({
      database,
      clock,
      embedder,
      distiller: distiller === null ? 'fallback' : 'model',
    });
    const embed = createEmbedActivities({ database, clock, embedder });
    const common: Pick<
      WorkerOptions,
      'connection' | 'namespace' | 'shutdownGraceTime' | 'shutdownForceTime' | 'interceptors'
    > = {
      connection: deps.connection,
      namespace: deps.namespace,
      shutdownGraceTime: SHUTDOWN_GRACE,
      shutdownForceTime: SHUTDOWN_FORCE,
      interceptors: { activity: [() => ({ inbound: sanitizingInterceptor(log) })] },
    };
    // Local steps hold a connection each: more of them than connections would only queue.
    const steps = Math.max(4, deps.connections * 2);
    const workers = [
      await Worker.create({
        ...common,
        taskQueue: TASK_QUEUES.workflows,
        workflowBundle: { codePath: deps.workflowBundle },
        activities: { ...capture },
        maxCachedWorkflows: CACHED_WORKFLOWS,
        maxConcurrentLocalActivityExecutions: steps,
        maxConcurrentWorkflowTaskExecutions: Math.min(WORKFLOW_TASKS, steps * 2),
      }),
      await Worker.create({
        ...common,
        taskQueue: TASK_QUEUES.db,
        activities: { ...capture, ...embed },
        maxConcurrentActivityTaskExecutions: steps,
      }),
    ];
    if (distiller !== null) {
      const model = createModelActivities({ database, clock, distiller, secretKey });
      workers.push(
        await Worker.create({
          ...common,
          taskQueue: TASK_QUEUES.model,
          activities: { ...model },
          maxConcurrentActivityTaskExecutions: MODEL_CALLS,
        }),
      );
    }
    const runs = Promise.all(workers.map((worker) => worker.run())).then(() => {});
    // A worker that ends by itself is seen through `done`; until somebody asks, it is not unhandled.
    runs.catch(() => {});
    return new Workers(workers, runs);
  }

  /** Settles when the workers have ended; rejects when one of them failed. */
  async done(): Promise<void> {
    await this.runs;
  }

  running(): boolean {
    return this.workers.every((worker) => worker.getState() === 'RUNNING');
  }

  /** Takes no more work and waits for what is in hand, within the grace time. */
  async stop(): Promise<void> {
    for (const worker of this.workers) {
      if (worker.getState() === 'RUNNING') worker.shutdown();
    }
    await this.runs.catch(() => {});
  }
}
