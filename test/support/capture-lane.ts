import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { MockActivityEnvironment, type TestWorkflowEnvironment } from '@temporalio/testing';
import type { Worker } from '@temporalio/worker';
import pino from 'pino';
import { createCaptureActivities } from '../../src/activities/capture';
import {
  type ConsolidationActivities,
  createConsolidationActivities,
} from '../../src/activities/consolidation';
import { createConsolidationModelActivities } from '../../src/activities/consolidation-model';
import { createEmbedActivities } from '../../src/activities/embed';
import { createModelActivities, type ModelActivities } from '../../src/activities/model';
import { createPassActivities } from '../../src/activities/pass';
import {
  createRecalibrationActivities,
  type RecalibrationActivities,
} from '../../src/activities/recalibration';
import { createRedistillActivities } from '../../src/activities/redistill';
import { createReembedActivities } from '../../src/activities/reembed';
import {
  createReflectionActivities,
  type ReflectionActivities,
} from '../../src/activities/reflection';
import { createReflectionModelActivities } from '../../src/activities/reflection-model';
import { createRescanActivities } from '../../src/activities/rescan';
import {
  createRetentionActivities,
  type RetentionActivities,
} from '../../src/activities/retention';
import { sanitizingInterceptor } from '../../src/activities/sanitize';
import { createSealActivities } from '../../src/activities/seal';
import { spendingInterceptor } from '../../src/activities/spending';
import { createSweepActivities } from '../../src/activities/sweep';
import type { Clock } from '../../src/contracts/clock';
import type { EventItem, SettledEvent } from '../../src/contracts/event';
import type { CapturedAtOnce, CaptureInput, CaptureResult } from '../../src/contracts/messages';
import { TASK_QUEUES } from '../../src/contracts/task-queues';
import { captureWorkflowId } from '../../src/contracts/workflow-ids';
import { Intake } from '../../src/intake/intake';
import type { Distiller } from '../../src/models/distiller';
import type { Embedder } from '../../src/models/embedder';
import { createHashedEmbedder } from '../../src/models/hashed-embedder';
import type { Reflector } from '../../src/models/reflector';
import type { WisdomWriter } from '../../src/models/wisdom-writer';
import { Database } from '../../src/store/database';
import type { capture } from '../../src/workflows/capture';
import { withDatabase } from './admin';
import { createTestDatabase, type TestDatabase } from './database';
import {
  createDevServerEnv,
  createTimeSkippingEnv,
  createWorker,
  type DevServerEnvOptions,
  runWorkers,
} from './temporal';

const systemClock: Clock = () => new Date();

export const LANE_SECRET = 'a key of the tests, of at least 32 characters';

/** What a runtime is answered, item by item. */
async function reportAsRuntime(
  database: Database,
  workspace: string,
  events: readonly SettledEvent[],
  clock: Clock = systemClock,
): Promise<EventItem[]> {
  const intake = new Intake({ database, clock, secretKey: LANE_SECRET });
  const principal = { kind: 'runtime', id: 'runtime', role: null, bootstrap: false } as const;
  return await intake.record({ workspace, principal }, events);
}

/** Records events as a runtime would report them; all have to be accepted. */
export async function recordAsRuntime(
  database: Database,
  workspace: string,
  events: readonly SettledEvent[],
  clock?: Clock,
): Promise<CaptureInput[]> {
  const items = await reportAsRuntime(database, workspace, events, clock);
  return items.map(({ status, event_id, operation_id, reason }) => {
    if (status !== 'accepted' || event_id === undefined || operation_id === undefined) {
      throw new Error(`not accepted: ${JSON.stringify(reason)}`);
    }
    return { workspace, event_id, operation_id };
  });
}

export type UpkeepActivities = RetentionActivities & RecalibrationActivities;

export interface LaneModels {
  embedder: Embedder;
  /** Null: the stand-in distills. */
  distiller: Distiller | null;
  /** Null or absent: the rules word the notes of the night. */
  wisdom?: WisdomWriter | null;
  /** Wraps the model activity, to see each attempt from inside. */
  aroundModel?: (activities: ModelActivities) => ModelActivities;
  /** Null or absent: the rules find what cards have in common. */
  reflector?: Reflector | null;
  /** The same for the steps of a reflection. */
  aroundReflection?: (activities: ReflectionActivities) => ReflectionActivities;
  /** The same for the steps of a consolidation. */
  aroundNight?: (activities: ConsolidationActivities) => ConsolidationActivities;
  /** The same for the batches of retention and recalibration. */
  aroundUpkeep?: (activities: UpkeepActivities) => UpkeepActivities;
  /** Workflows that differ from those of today in a number, from `olderBundle`. Absent: those that would ship. */
  bundle?: string;
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
    private readonly clock: Clock,
  ) {}

  /**
   * @param server the time-skipping one may jump over a workflow task while its local steps run, so
   *   what does not wait for time asks for the dev server.
   * @param clock of what is recorded and filed without a worker
   */
  static async start(
    server: 'time-skipping' | 'dev' | DevServerEnvOptions = 'time-skipping',
    clock: Clock = systemClock,
  ): Promise<CaptureLane> {
    const [env, testDatabase] = await Promise.all([
      server === 'time-skipping'
        ? createTimeSkippingEnv()
        : createDevServerEnv(server === 'dev' ? {} : server),
      createTestDatabase(),
    ]);
    const database = new Database({
      url: testDatabase.url,
      connections: testDatabase.kind === 'pglite' ? 1 : 8,
      acquireTimeoutMs: 20_000,
      onIdleError: () => undefined,
    });
    return new CaptureLane(env, database, testDatabase, clock);
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
      tx.query('INSERT INTO workspaces (workspace_id, name, created_at) VALUES ($1, $1, now())', [
        id,
      ]),
    );
    return id;
  }

  async record(workspace: string, events: readonly SettledEvent[]): Promise<CaptureInput[]> {
    return await recordAsRuntime(this.database, workspace, events, this.clock);
  }

  /** The same, whatever is answered. */
  async report(workspace: string, events: readonly SettledEvent[]): Promise<EventItem[]> {
    return await reportAsRuntime(this.database, workspace, events, this.clock);
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

  /** The last step once more, as after a commit that its worker never heard of. */
  async fileAgain(input: CaptureInput): Promise<CaptureResult> {
    const activities = createCaptureActivities({
      database: this.database,
      clock: this.clock,
      embedder: createHashedEmbedder(),
      distiller: 'fallback',
    });
    const again = () => activities.captureAtOnce({ ...input, stand_in: false });
    const { filed } = (await new MockActivityEnvironment().run(again)) as CapturedAtOnce;
    if (filed === null) throw new Error('nothing was filed');
    return filed;
  }

  modelActivities(distiller: Distiller | null): ModelActivities {
    const { database } = this;
    return createModelActivities({
      database,
      clock: () => new Date(),
      distiller,
      secretKey: LANE_SECRET,
    });
  }

  /** For a session of one's own. */
  get databaseUrl(): string {
    return this.testDatabase.url;
  }

  /** As the role that owns the tables: for what a test does to the database itself. */
  async asOwner(statement: string): Promise<void> {
    await withDatabase(this.testDatabase.url, statement);
  }

  async rows<Row>(workspace: string, statement: string, values: unknown[] = []): Promise<Row[]> {
    return await this.database.inWorkspace(workspace, (tx) => tx.query<Row>(statement, values));
  }

  private async workers(models: LaneModels): Promise<Worker[]> {
    const { database } = this;
    const clock = () => new Date();
    const { embedder, distiller, wisdom = null, reflector = null } = models;
    const { aroundModel = (activities) => activities } = models;
    const { aroundNight = (activities) => activities } = models;
    const { aroundReflection = (activities) => activities } = models;
    const { aroundUpkeep = (activities) => activities } = models;
    const capture = createCaptureActivities({
      database,
      clock,
      embedder,
      distiller: distiller === null ? 'fallback' : 'model',
    });
    const embed = createEmbedActivities({ database, clock, embedder });
    const redistill = createRedistillActivities({ database, clock, embedder });
    const reembed = createReembedActivities({ database, clock, embedder });
    const seal = createSealActivities({ database, clock });
    const rescan = createRescanActivities({ database, clock, secretKey: LANE_SECRET });
    const sweep = createSweepActivities({
      database,
      clock,
      embedder,
      hasModel: distiller !== null,
    });
    const pass = createPassActivities({
      database,
      clock,
      models: { words: distiller === null ? 'fallback' : 'model', vectors: embedder.id },
    });
    const night = createConsolidationActivities({
      database,
      clock,
      embedder,
      hasModel: wisdom !== null,
    });
    const upkeep: UpkeepActivities = {
      ...createRetentionActivities({ database, clock }),
      ...createRecalibrationActivities({ database, clock }),
    };
    const notes = createConsolidationModelActivities({
      database,
      clock,
      writer: wisdom,
      secretKey: LANE_SECRET,
    });
    const reflection = createReflectionActivities({
      database,
      clock,
      embedder,
      hasModel: reflector !== null,
      secretKey: LANE_SECRET,
    });
    const findings = createReflectionModelActivities({
      database,
      clock,
      reflector,
      secretKey: LANE_SECRET,
    });
    const model = this.modelActivities(distiller);
    const silent = pino({ level: 'silent' });
    const inbound = sanitizingInterceptor(silent);
    const counting = spendingInterceptor(database, clock, silent);
    const interceptors = { activity: [() => ({ inbound }), () => ({ inbound: counting })] };
    return await Promise.all([
      createWorker(this.env, {
        ...(models.bundle === undefined ? {} : { bundle: models.bundle }),
        taskQueue: TASK_QUEUES.workflows,
        activities: { ...capture },
        interceptors,
      }),
      createWorker(this.env, {
        workflows: false,
        taskQueue: TASK_QUEUES.db,
        activities: {
          ...capture,
          ...embed,
          ...redistill,
          ...reembed,
          ...sweep,
          ...seal,
          ...rescan,
          ...pass,
          ...aroundNight(night),
          ...aroundReflection(reflection),
          ...aroundUpkeep(upkeep),
        },
        interceptors,
      }),
      createWorker(this.env, {
        workflows: false,
        taskQueue: TASK_QUEUES.model,
        activities: { ...aroundModel(model), ...notes, ...findings },
        interceptors,
      }),
    ]);
  }
}
