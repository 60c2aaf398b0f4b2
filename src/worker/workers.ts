import { Client } from '@temporalio/client';
import {
  type NativeConnection,
  Worker,
  type WorkerDeploymentOptions,
  type WorkerOptions,
} from '@temporalio/worker';
import { createCaptureActivities } from '../activities/capture';
import { createCompactionActivities } from '../activities/compaction';
import { createCompactionModelActivities } from '../activities/compaction-model';
import { createConsolidationActivities } from '../activities/consolidation';
import { createConsolidationModelActivities } from '../activities/consolidation-model';
import { createEmbedActivities } from '../activities/embed';
import { createErasureActivities } from '../activities/erasure';
import { erasureVerifying } from '../activities/erasure-verifying';
import { createImportActivities } from '../activities/import';
import { createInsightActivities } from '../activities/insight';
import { createLearnActivities } from '../activities/learn';
import { createLearnModelActivities } from '../activities/learn-model';
import { createModelActivities } from '../activities/model';
import { createPassActivities } from '../activities/pass';
import { createProposalActivities } from '../activities/proposal';
import { createProposalDraftActivities } from '../activities/proposal-draft';
import { createRecalibrationActivities } from '../activities/recalibration';
import { createRedistillActivities } from '../activities/redistill';
import { createReembedActivities } from '../activities/reembed';
import { createReflectionActivities } from '../activities/reflection';
import { createReflectionModelActivities } from '../activities/reflection-model';
import { createRescanActivities } from '../activities/rescan';
import { createRetentionActivities } from '../activities/retention';
import { sanitizingInterceptor } from '../activities/sanitize';
import { createSealActivities } from '../activities/seal';
import { spendingInterceptor } from '../activities/spending';
import { createSweepActivities } from '../activities/sweep';
import type { Clock } from '../contracts/clock';
import { TASK_QUEUES, WORKER_DEPLOYMENT } from '../contracts/task-queues';
import type { Distiller } from '../models/distiller';
import type { Embedder } from '../models/embedder';
import type { FactExtractor } from '../models/fact-extractor';
import type { FailureReflector } from '../models/failure-reflector';
import type { FixDrafter } from '../models/fix-drafter';
import type { Reflector } from '../models/reflector';
import type { SkillWriter } from '../models/skill-writer';
import type { SummaryWriter } from '../models/summary-writer';
import type { WisdomWriter } from '../models/wisdom-writer';
import type { Database } from '../store/database';
import type { DurableFiles } from '../store/erasure-places';
import { TemporalHistories } from '../store/temporal-histories';
import type { Log } from '../telemetry/logger';
import type { WorkerMeter } from '../telemetry/worker-meter';

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
  /** Null where no model is configured: fixes have the template's words. */
  drafter: FixDrafter | null;
  /** Null or absent where no model is configured: the rules word the notes of the night. */
  wisdom?: WisdomWriter | null;
  /** Null or absent where no model is configured: the rules find what cards have in common. */
  reflector?: Reflector | null;
  /** Null or absent where no model is configured: a skill comes from its steps. */
  skillWriter?: SkillWriter | null;
  /** Null or absent where no model is configured: a failed task has the advice for its error. */
  failureReflector?: FailureReflector | null;
  /** Null or absent where no model is configured: the rules write summaries of conversations. */
  summaryWriter?: SummaryWriter | null;
  /** Null or absent where no model is configured: the rules find facts in conversations. */
  factExtractor?: FactExtractor | null;
  /** Of the embedded database, in which an erasure looks too; absent where Postgres is a server of its own. */
  files?: DurableFiles;
  secretKey: string;
  /** Of Postgres, in this process. */
  connections: number;
  /** Worker versioning: what Temporal knows this process's code as. Absent: none. */
  buildId?: string;
  /** Told of every activity that failed. */
  meter?: WorkerMeter;
}

/**
 * What is in hand may end within it: every step of Postgres, and a model call of the usual few seconds. One
 * that takes longer, 60 s at most, is cancelled and tried again elsewhere.
 */
const SHUTDOWN_GRACE = '20s';
/** Ten seconds to hear of it; then the process ends as it is, and Temporal gives its tasks to others. */
const SHUTDOWN_FORCE = '30s';
/** A cached capture weighs about 270 KiB; captures are short, so few need to stay. */
const CACHED_WORKFLOWS = 300;
/** One machine's share of a small provider quota; raise it with the quota. */
const MODEL_CALLS = 4;

/**
 * Local steps at once, each of which holds a connection for its few statements: as many as connections,
 * since one more would only wait for its turn.
 */
const CAPTURES = 10;
/**
 * Workflow tasks in hand for each step that runs: the others are on their way to or from Temporal, or wait
 * for their turn, a few tenths of a second of the 6 s that they have. With one for each a fifth of the
 * machine stands idle (measured: 47 captures a second, not 58).
 */
const TASKS_A_STEP = 4;
/** The embedded database is one session: a few steps at once, so that one computes while one writes. */
const CAPTURES_ON_ONE_SESSION = 4;
/**
 * Long polls that keep the ten supplied. Twice as many as a queue of Temporal has partitions by default, so
 * that each partition has one: what lies in one without a poller is handed over slowly.
 */
const CAPTURE_POLLERS = 8;

/** The workers of one process, one a queue. */
export class Workers {
  private constructor(
    private readonly workers: readonly Worker[],
    private readonly runs: Promise<void>,
  ) {}

  static async start(deps: WorkerDependencies): Promise<Workers> {
    const {
      database,
      clock,
      log,
      embedder,
      distiller,
      drafter,
      wisdom = null,
      reflector = null,
      skillWriter = null,
      failureReflector = null,
      summaryWriter = null,
      factExtractor = null,
      secretKey,
    } = deps;
    const capture = createCaptureActivities({
      database,
      clock,
      embedder,
      distiller: distiller === null ? 'fallback' : 'model',
    });
    const embed = createEmbedActivities({ database, clock, embedder });
    const redistill = createRedistillActivities({ database, clock, embedder });
    const reembed = createReembedActivities({ database, clock, embedder });
    const proposal = createProposalActivities({ database, clock, hasModel: drafter !== null });
    const pass = createPassActivities({
      database,
      clock,
      models: { words: distiller === null ? 'fallback' : 'model', vectors: embedder.id },
    });
    const consolidation = createConsolidationActivities({
      database,
      clock,
      embedder,
      hasModel: wisdom !== null,
    });
    const reflection = createReflectionActivities({
      database,
      clock,
      embedder,
      hasModel: reflector !== null,
      secretKey,
    });
    const learn = createLearnActivities({
      database,
      clock,
      embedder,
      hasModel: skillWriter !== null,
    });
    const compaction = createCompactionActivities({
      database,
      clock,
      embedder,
      hasModel: summaryWriter !== null && factExtractor !== null,
    });
    const imports = createImportActivities({ database, clock, secretKey });
    const { connection, namespace, files = null } = deps;
    const histories = new TemporalHistories(new Client({ connection, namespace }));
    const erasure = createErasureActivities({
      ...{ database, clock, embedder, secretKey },
      verifying: erasureVerifying({ database, histories, files, secretKey }),
    });
    const recalibration = createRecalibrationActivities({ database, clock });
    const retention = createRetentionActivities({ database, clock });
    const rescan = createRescanActivities({ database, clock, secretKey });
    const insight = createInsightActivities({ database, secretKey });
    const seal = createSealActivities({ database, clock });
    const sweep = createSweepActivities({
      database,
      clock,
      embedder,
      hasModel: distiller !== null,
    });
    const common: Pick<
      WorkerOptions,
      | 'connection'
      | 'namespace'
      | 'shutdownGraceTime'
      | 'shutdownForceTime'
      | 'interceptors'
      | 'workerDeploymentOptions'
    > = {
      connection: deps.connection,
      namespace: deps.namespace,
      shutdownGraceTime: SHUTDOWN_GRACE,
      shutdownForceTime: SHUTDOWN_FORCE,
      ...(deps.buildId === undefined ? {} : { workerDeploymentOptions: versionOf(deps.buildId) }),
      interceptors: {
        activity: [
          () => ({
            inbound: sanitizingInterceptor(log, (activity, type) =>
              deps.meter?.activityFailed(activity, type),
            ),
          }),
          () => ({ inbound: spendingInterceptor(database, clock, log) }),
        ],
      },
    };
    const steps =
      deps.connections === 1 ? CAPTURES_ON_ONE_SESSION : Math.min(CAPTURES, deps.connections);
    const workers = [
      await Worker.create({
        ...common,
        taskQueue: TASK_QUEUES.workflows,
        workflowBundle: { codePath: deps.workflowBundle },
        activities: { ...capture },
        maxCachedWorkflows: CACHED_WORKFLOWS,
        maxConcurrentLocalActivityExecutions: steps,
        maxConcurrentWorkflowTaskExecutions: steps * TASKS_A_STEP,
        workflowTaskPollerBehavior: {
          type: 'simple-maximum',
          maximum: Math.min(CAPTURE_POLLERS, steps),
        },
      }),
      await Worker.create({
        ...common,
        taskQueue: TASK_QUEUES.db,
        activities: {
          ...capture,
          ...embed,
          ...redistill,
          ...reembed,
          ...sweep,
          ...proposal,
          ...seal,
          ...pass,
          ...recalibration,
          ...retention,
          ...rescan,
          ...consolidation,
          ...reflection,
          ...learn,
          ...compaction,
          ...imports,
          ...erasure,
          ...insight,
        },
        maxConcurrentActivityTaskExecutions: steps,
      }),
    ];
    if (distiller !== null) {
      const model = createModelActivities({ database, clock, distiller, secretKey });
      const drafts = createProposalDraftActivities({ database, drafter, secretKey });
      const reflections = createReflectionModelActivities({
        database,
        clock,
        reflector,
        secretKey,
      });
      const lessons = createLearnModelActivities({
        database,
        clock,
        skillWriter,
        failureReflector,
        secretKey,
      });
      const notes = createConsolidationModelActivities({
        database,
        clock,
        writer: wisdom,
        secretKey,
      });
      const conversations = createCompactionModelActivities({
        database,
        clock,
        summaryWriter,
        factExtractor,
        secretKey,
      });
      workers.push(
        await Worker.create({
          ...common,
          taskQueue: TASK_QUEUES.model,
          activities: {
            ...model,
            ...drafts,
            ...reflections,
            ...notes,
            ...lessons,
            ...conversations,
          },
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

/**
 * All queues of a process are one version, so that the activities of a pinned workflow are done by its own.
 * Pinned: a workflow ends on the version that it began on. Those that may run for as long as an outage
 * lasts say otherwise themselves (`setWorkflowOptions` in `src/workflows`).
 */
function versionOf(buildId: string): WorkerDeploymentOptions {
  return {
    version: { deploymentName: WORKER_DEPLOYMENT, buildId },
    useWorkerVersioning: true,
    defaultVersioningBehavior: 'PINNED',
  };
}
