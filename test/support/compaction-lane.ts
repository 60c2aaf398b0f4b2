import type { WorkflowHandle } from '@temporalio/client';
import pino from 'pino';
import {
  type CompactionActivities,
  createCompactionActivities,
} from '../../src/activities/compaction';
import {
  type CompactionModelActivities,
  createCompactionModelActivities,
} from '../../src/activities/compaction-model';
import { sanitizingInterceptor } from '../../src/activities/sanitize';
import type { CompactionResult, NewMessage } from '../../src/contracts/conversation';
import type { PolicyPatch } from '../../src/contracts/policy';
import { TASK_QUEUES } from '../../src/contracts/task-queues';
import type { FactExtractor } from '../../src/models/fact-extractor';
import { createHashedEmbedder } from '../../src/models/hashed-embedder';
import type { SummaryWriter } from '../../src/models/summary-writer';
import type { compact } from '../../src/workflows/compact';
import { startApi, type TestApi } from './api';
import { CaptureLane, LANE_SECRET } from './capture-lane';
import { Talk, type Talking } from './conversations';
import { sendOnly } from './outbox';
import { createWorker, runWorkers } from './temporal';

export interface CompactionModels {
  summaryWriter?: SummaryWriter | null;
  factExtractor?: FactExtractor | null;
  around?: (activities: CompactionActivities) => CompactionActivities;
  aroundModel?: (activities: CompactionModelActivities) => CompactionModelActivities;
}

export const WORKSPACE = 'default';

/** Conversations over HTTP, and their compactions as the outbox would start them, on a server whose clock jumps. */
export class CompactionLane {
  private constructor(
    readonly captures: CaptureLane,
    readonly api: TestApi,
  ) {}

  static async start(server: 'time-skipping' | 'dev' = 'time-skipping'): Promise<CompactionLane> {
    const captures = await CaptureLane.start(server);
    const { databaseUrl: url, database } = captures;
    const kind = database.isOneSession ? 'pglite' : 'native';
    const api = await startApi({ testDatabase: { url, kind, drop: async () => undefined } });
    return new CompactionLane(captures, api);
  }

  async stop(): Promise<void> {
    await this.api.close();
    await this.captures.stop();
  }

  async policy(patch: PolicyPatch): Promise<void> {
    const { headers } = await this.api.call('GET', '/v1/policy');
    const { status, text } = await this.api.call('PUT', '/v1/policy', {
      body: patch,
      headers: { 'if-match': headers.get('etag') ?? '"0"' },
    });
    if (status >= 300) throw new Error(`the policy was refused: ${text}`);
  }

  /** A conversation with a subject of its own, unless another is named. */
  async talk(
    id: string,
    body: Record<string, unknown> = {},
    who: Partial<Talking> = {},
  ): Promise<Talk> {
    return await new Talk(this.api, { id, agent: 'scout', ...who }).start({
      subject: `subject-of-${id}`,
      ...body,
    });
  }

  /** Sends messages in parts of at most 500. */
  async tell(
    talk: Talk,
    messages: readonly (Omit<NewMessage, 'at'> & { at?: string })[],
  ): Promise<void> {
    for (let from = 0; from < messages.length; from += PART) {
      const { status, text } = await talk.send(messages.slice(from, from + PART));
      if (status >= 300) throw new Error(`the messages were refused: ${text}`);
    }
  }

  /** Starts what the outbox has of compactions; all else stays unsent. */
  async send(): Promise<Map<string, WorkflowHandle<typeof compact>>> {
    const { database, env } = this.captures;
    return await sendOnly<typeof compact>('start_compaction', database, env.client);
  }

  /** Runs what the outbox has, and what that asks for, until nothing is left. */
  async drain(models: CompactionModels = {}): Promise<CompactionResult[]> {
    return await this.working(models, async () => {
      const results: CompactionResult[] = [];
      for (;;) {
        const handles = [...(await this.send()).values()];
        if (handles.length === 0) return results;
        for (const handle of handles) results.push(await handle.result());
      }
    });
  }

  async working<T>(models: CompactionModels, work: () => Promise<T>): Promise<T> {
    const { database, env } = this.captures;
    const clock = () => new Date();
    const { summaryWriter = null, factExtractor = null } = models;
    const { around = (same) => same, aroundModel = (same) => same } = models;
    const compaction = createCompactionActivities({
      ...{ database, clock, embedder: createHashedEmbedder() },
      hasModel: summaryWriter !== null || factExtractor !== null,
    });
    const model = createCompactionModelActivities({
      ...{ database, clock, summaryWriter, factExtractor },
      secretKey: LANE_SECRET,
    });
    const inbound = sanitizingInterceptor(pino({ level: 'silent' }));
    const interceptors = { activity: [() => ({ inbound })] };
    const queue = (taskQueue: string, activities: object) =>
      createWorker(env, { workflows: false, taskQueue, activities, interceptors });
    return await runWorkers(
      await Promise.all([
        createWorker(env, { taskQueue: TASK_QUEUES.workflows }),
        queue(TASK_QUEUES.db, { ...around(compaction) }),
        queue(TASK_QUEUES.model, { ...aroundModel(model) }),
      ]),
      work,
    );
  }

  async rows<Row>(statement: string, values: unknown[] = []): Promise<Row[]> {
    return await this.captures.rows<Row>(WORKSPACE, statement, values);
  }

  async conversation(id: string): Promise<{
    summary: string | null;
    summary_version: number;
    summary_by: string | null;
    summarized_through: number;
    facts_through: number;
    compacting: string | null;
    compactions: number;
  }> {
    const [row] = await this.rows<Awaited<ReturnType<CompactionLane['conversation']>>>(
      `SELECT summary, summary_version, summary_by, summarized_through, facts_through, compacting, compactions
         FROM conversations WHERE id = $1`,
      [id],
    );
    if (row === undefined) throw new Error(`there is no conversation ${id}`);
    return row;
  }

  async facts(
    subject: string,
  ): Promise<{ id: string; summary: string; status: string; confidence: number }[]> {
    return await this.rows(
      `SELECT c.id, c.summary, c.status, c.confidence, c.scope_type || '/' || c.scope_id AS scope, c.trust, c.kind,
              c.distilled_by, c.workflow_id, c.model, c.prompt_version
         FROM cards c WHERE c.subject = $1 ORDER BY c.recorded_at, c.id`,
      [subject],
    );
  }
}

const PART = 500;

/** Talk that is worth telling: a person, an amount, a place, a number a turn. */
export function chatter(
  turns: number,
  from = 1,
): { role: 'user' | 'assistant'; content: string }[] {
  return Array.from({ length: turns }, (_, index) => {
    const n = from + index;
    return index % 2 === 0
      ? {
          role: 'user' as const,
          content: `Order ${7000 + n} went to the depot for ${n * 3 + 100}.50 EUR today.`,
        }
      : {
          role: 'assistant' as const,
          content: `Noted: parcel PX-${n} weighs ${n + 20} kg and waits at gate ${n}.`,
        };
  });
}
