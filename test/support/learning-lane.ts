import type { WorkflowHandle } from '@temporalio/client';
import pino from 'pino';
import { createLearnActivities, type LearnActivities } from '../../src/activities/learn';
import {
  createLearnModelActivities,
  type LearnModelActivities,
} from '../../src/activities/learn-model';
import { createPassActivities } from '../../src/activities/pass';
import { sanitizingInterceptor } from '../../src/activities/sanitize';
import type { SettledEvent } from '../../src/contracts/event';
import type { LearnRecord, LearnResult } from '../../src/contracts/learning';
import type { CaptureResult } from '../../src/contracts/messages';
import type { PolicyPatch } from '../../src/contracts/policy';
import type { SkillDocument } from '../../src/contracts/skill';
import { TASK_QUEUES } from '../../src/contracts/task-queues';
import type { Embedder } from '../../src/models/embedder';
import type { FailureReflector } from '../../src/models/failure-reflector';
import { createHashedEmbedder } from '../../src/models/hashed-embedder';
import type { SkillWriter } from '../../src/models/skill-writer';
import type { OutboxItem } from '../../src/store/outbox';
import type { learn } from '../../src/workflows/learn';
import { startApi, type TestApi } from './api';
import { CaptureLane, LANE_SECRET } from './capture-lane';
import { sendOnly } from './outbox';
import { createWorker, runWorkers } from './temporal';

/** A call of a task: `service.operation`, and what is to be known of it besides. */
export type Call = readonly [call: string, fields?: Partial<SettledEvent>];

export interface PlannedTask {
  task: string;
  calls: readonly Call[];
  outcome?: SettledEvent['outcome'];
  agent?: string;
  session?: string;
  /** RFC 3339; each call and the end are a minute later than what was before. */
  at?: string;
  /** Of the event that ends it. */
  end?: Partial<SettledEvent>;
}

/** A task that was filed. */
export interface FiledTask {
  calls: CaptureResult[];
  end: CaptureResult;
}

export interface LearningModels {
  embedder?: Embedder;
  skillWriter?: SkillWriter | null;
  failureReflector?: FailureReflector | null;
  around?: (activities: LearnActivities) => LearnActivities;
  aroundModel?: (activities: LearnModelActivities) => LearnModelActivities;
}

/** A skill as the tables have it. */
export interface SkillRow {
  card_id: string;
  name: string;
  status: string;
  current_version: number | null;
  latest_version: number;
  document: SkillDocument;
  test_result: { passed: number; failed: number } | null;
}

/** Tasks in, loops run, on a real Postgres and a server whose clock jumps: started by the outbox, as in production. */
export class LearningLane {
  private count = 0;

  private constructor(readonly captures: CaptureLane) {}

  static async start(): Promise<LearningLane> {
    return new LearningLane(await CaptureLane.start());
  }

  async stop(): Promise<void> {
    await this.captures.stop();
  }

  /** The API over the same database, with the workspace `default`; whoever asks for it closes it. */
  async api(): Promise<TestApi> {
    const { databaseUrl: url, database } = this.captures;
    const kind = database.isOneSession ? 'pglite' : 'native';
    return await startApi({ testDatabase: { url, kind, drop: async () => undefined } });
  }

  async workspace(policy: PolicyPatch = {}): Promise<string> {
    const id = await this.captures.workspace();
    await this.rows(
      id,
      'INSERT INTO policies (workspace_id, version, document, created_at) VALUES ($1, 1, $2, now())',
      [id, JSON.stringify(policy)],
    );
    return id;
  }

  /** Files a task's calls and the event that ends it, without a worker. */
  async file(workspace: string, planned: PlannedTask): Promise<FiledTask> {
    const { task, calls, outcome = 'worked', agent = 'scout', session, end = {} } = planned;
    const start = Date.parse(planned.at ?? '2026-03-02T08:00:00Z');
    const common = { agent, task, ...(session === undefined ? {} : { session }) };
    const minute = (at: number) => new Date(start + at * 60_000).toISOString();
    const events = calls.map(([call, fields = {}], at): SettledEvent => {
      const [service = '', operation = ''] = call.split('.');
      const worked = fields.outcome === undefined || fields.outcome === 'worked';
      return {
        ...{ event_id: this.nextId(), kind: 'service_call', service, operation },
        ...common,
        ...{ outcome: 'worked', occurred_at: minute(at) },
        ...(worked ? { output: { ok: true, at: minute(at) } } : {}),
        ...fields,
      };
    });
    const last: SettledEvent = {
      ...{ event_id: this.nextId(), kind: 'observation', ...common, outcome },
      ...{ occurred_at: minute(calls.length), final: true },
      text: `Was to handle ${task}.`,
      ...end,
    };
    const filed = [];
    for (const input of await this.captures.record(workspace, [...events, last])) {
      filed.push(await this.captures.fileAgain(input));
    }
    const ending = filed.pop();
    if (ending === undefined) throw new Error('nothing was filed');
    return { calls: filed, end: ending };
  }

  private nextId(): string {
    this.count += 1;
    return `step-${this.count}`;
  }

  /** What the outbox would start, and starts no more. */
  async queued(workspace: string): Promise<OutboxItem[]> {
    return await this.rows<OutboxItem>(
      workspace,
      `SELECT workspace_id, id, action, workflow_id, arguments, attempts FROM outbox WHERE action = 'start_learn'
        ORDER BY id`,
    );
  }

  /** Runs what the outbox has, one loop after the other: what the clock of the server can bear. */
  async drain(models: LearningModels = {}): Promise<LearnRecord[]> {
    return await this.working(models, async () => {
      const records: LearnRecord[] = [];
      for (;;) {
        const [handle] = [...(await this.send(1)).values()];
        if (handle === undefined) return records;
        records.push(await handle.result());
      }
    });
  }

  /** Starts what the outbox has. @returns the loops, by their ids */
  async send(most = 1_000): Promise<Map<string, WorkflowHandle<typeof learn>>> {
    const { database, env } = this.captures;
    return await sendOnly<typeof learn>('start_learn', database, env.client, most);
  }

  /** Files a task and lets the loop run. @returns the record of its ending */
  async teach(
    workspace: string,
    planned: PlannedTask,
    models: LearningModels = {},
  ): Promise<FiledTask & { result: LearnResult; handle: WorkflowHandle<typeof learn> }> {
    const filed = await this.file(workspace, planned);
    const { record, handle } = await this.run(models);
    if (record.last === null) throw new Error('no ending was looked at');
    return { ...filed, result: record.last, handle };
  }

  /** Runs what the outbox has; the record is that of the last loop. */
  async run(
    models: LearningModels = {},
  ): Promise<{ record: LearnRecord; handle: WorkflowHandle<typeof learn> }> {
    return await this.working(models, async () => {
      let last: { record: LearnRecord; handle: WorkflowHandle<typeof learn> } | null = null;
      for (const handle of (await this.send()).values()) {
        last = { record: await handle.result(), handle };
      }
      if (last === null) throw new Error('no loop was started');
      return last;
    });
  }

  async working<T>(models: LearningModels, work: () => Promise<T>): Promise<T> {
    const { database, env } = this.captures;
    const clock = () => new Date();
    const {
      embedder = createHashedEmbedder(),
      skillWriter = null,
      failureReflector = null,
    } = models;
    const { around = (same) => same, aroundModel = (same) => same } = models;
    const hasModel = skillWriter !== null || failureReflector !== null;
    const learning = createLearnActivities({ database, clock, embedder, hasModel });
    const pass = createPassActivities({
      database,
      clock,
      models: { words: 'fallback', vectors: embedder.id },
    });
    const model = createLearnModelActivities({
      ...{ database, clock, skillWriter, failureReflector },
      secretKey: LANE_SECRET,
    });
    const inbound = sanitizingInterceptor(pino({ level: 'silent' }));
    const interceptors = { activity: [() => ({ inbound })] };
    const queue = (taskQueue: string, activities: object) =>
      createWorker(env, { workflows: false, taskQueue, activities, interceptors });
    const workers = await Promise.all([
      createWorker(env, { taskQueue: TASK_QUEUES.workflows }),
      queue(TASK_QUEUES.db, { ...pass, ...around(learning) }),
      queue(TASK_QUEUES.model, { ...aroundModel(model) }),
    ]);
    return await runWorkers(workers, work);
  }

  /** By name, with the document of the version in use, else of the latest. */
  async skills(workspace: string): Promise<SkillRow[]> {
    return await this.rows<SkillRow>(
      workspace,
      `SELECT s.card_id, s.name, s.status, s.current_version, s.latest_version, v.document, v.test_result
         FROM skills s
         JOIN skill_versions v ON v.workspace_id = s.workspace_id AND v.card_id = s.card_id
                              AND v.version = COALESCE(s.current_version, s.latest_version)
        ORDER BY s.name, s.card_id`,
    );
  }

  async card(
    workspace: string,
    id: string | null,
  ): Promise<{ summary: string; version: number; status: string; scope: string }> {
    const [row] = await this.rows<{
      summary: string;
      version: number;
      status: string;
      scope: string;
    }>(
      workspace,
      `SELECT c.summary, c.version, c.status, c.scope_type || '/' || c.scope_id AS scope FROM cards c WHERE c.id = $1`,
      [id],
    );
    if (row === undefined) throw new Error(`there is no card ${id}`);
    return row;
  }

  async rows<Row>(workspace: string, statement: string, values: unknown[] = []): Promise<Row[]> {
    return await this.captures.rows<Row>(workspace, statement, values);
  }
}

/** A booking that did not go through until its payment was right: novel, and with trouble on the way. */
export const BOOKING: readonly Call[] = [
  ['flights.search_flights', { input: { from: 'OSL', to: 'TRD' } }],
  [
    'booking.book_reservation',
    {
      outcome: 'failed',
      input: { flight: 'HAT-12', payment_amount: 304 },
      error: 'ValueError: payment amount does not add up, total price is 608',
    },
  ],
  ['booking.book_reservation', { input: { flight: 'HAT-12', payment_amount: 608 } }],
  ['mailer.send_receipt', { input: { reservation: 'R-1' } }],
];
