import { createHash, randomBytes } from 'node:crypto';
import { type WorkflowHandle, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import pino from 'pino';
import { createInsightActivities, type InsightActivities } from '../../src/activities/insight';
import { sanitizingInterceptor } from '../../src/activities/sanitize';
import { type Followed, insightFollower } from '../../src/api/insight-follower';
import {
  type ActionStatus,
  type FollowUpAnswer,
  type FollowUpRequest,
  type InsightResult,
  MEASURE_NOW,
  type MetricSnapshot,
  type OutcomeResult,
} from '../../src/contracts/insight';
import type { FollowUpOrder } from '../../src/contracts/insight-messages';
import type { PolicyPatch } from '../../src/contracts/policy';
import { STATE_QUERY } from '../../src/contracts/proposal-messages';
import { TASK_QUEUES } from '../../src/contracts/task-queues';
import { insightWorkflowId } from '../../src/contracts/workflow-ids';
import { normalizedAction } from '../../src/domain/insights/action-text';
import { followUpSeal } from '../../src/intake/follow-up-seal';
import { insertCard, type NewCard } from '../../src/store/card-writes';
import type { Database } from '../../src/store/database';
import { newId } from '../../src/store/ids';
import { openFollowUpRun } from '../../src/store/insight-follow-up-runs';
import { type OutcomeReport, type Reported, reportOutcome } from '../../src/store/insight-outcomes';
import { type Taken, type Taking, takeAction } from '../../src/store/insight-taking';
import { insertInsight, type NewInsight } from '../../src/store/insights';
import { pushSnapshots } from '../../src/store/metric-snapshots';
import type { insight } from '../../src/workflows/insight';
import { sendOnly } from './outbox';
import { plainCard } from './plain-card';
import { isAtRest, ProposalLane, until } from './proposal-lane';
import { createWorker, type DevServerEnvOptions, runWorkers } from './temporal';

export const REVIEWER = { kind: 'person', id: 'reviewer' } as const;
export const SCOUT = { kind: 'agent', id: 'scout' } as const;
/** Brings numbers, which an agent's key may not push. */
const TILL = { kind: 'runtime', id: 'till' } as const;

/** Of the installation, whose API seals what it asks. */
export const SECRET_KEY = randomBytes(32).toString('hex');

/** Words that may stand in Postgres alone. */
export const FOUND = 'PLANTED labor runs high on Tuesdays';
export const ACTION = 'PLANTED cut the Tuesday double shift';

export type InsightHandle = WorkflowHandle<typeof insight>;

/** An insight of `scout`, with the follow-up that it has or will have. */
export interface Saved {
  workspace: string;
  id: string;
  card: string;
  /** Ids, in their order. */
  actions: string[];
  handle: InsightHandle;
}

export interface ActionStanding {
  status: ActionStatus;
  taken_at: string | null;
  measure_at: string | null;
  ended_code: string | null;
  result: OutcomeResult | null;
  size: number | null;
  metric: string | null;
  baseline: number | null;
  value: number | null;
  channel: string | null;
  by_kind: string | null;
  by_id: string | null;
  card_id: string | null;
}

export interface SavedFields {
  actions?: string[];
  metrics?: Partial<MetricSnapshot>[];
  card?: Partial<NewCard>;
  insight?: Partial<NewInsight>;
}

/** What a test does to the activities, to see one from inside or to break it. */
export type AroundInsight = (activities: InsightActivities) => InsightActivities;

/**
 * Insights on a real Postgres and their follow-ups as real workflows, without the API: saved and taken as the store
 * does it, started by the outbox. Time is the server's, which may have jumped.
 */
export class InsightLane {
  private readonly handles = new Map<string, InsightHandle>();

  private constructor(readonly lane: ProposalLane) {}

  static async start(
    server: 'time-skipping' | 'dev' | DevServerEnvOptions = 'time-skipping',
  ): Promise<InsightLane> {
    return new InsightLane(await ProposalLane.start(server));
  }

  get env(): TestWorkflowEnvironment {
    return this.lane.env;
  }

  get database(): Database {
    return this.lane.database;
  }

  get databaseUrl(): string {
    return this.lane.databaseUrl;
  }

  async stop(): Promise<void> {
    await this.lane.stop();
  }

  async now(): Promise<Date> {
    return await this.lane.now();
  }

  async workspace(policy: PolicyPatch = {}): Promise<string> {
    return await this.lane.workspace(policy);
  }

  /** By default one action and `labor_percent` at 34, of which less is better. */
  async saved(workspace: string, fields: SavedFields = {}): Promise<Saved> {
    const at = await this.now();
    const { actions = [ACTION], metrics = [{}] } = fields;
    const card = plainCard(`${FOUND}. Overtime is PLANTED too.`, at, {
      kind: 'insight',
      team: 'support',
      ...fields.card,
    });
    const id = newId('ins', at);
    const made = actions.map((text) => ({ id: newId('act', at), hash: hashOf(text), text }));
    await this.database.inWorkspace(workspace, async (tx) => {
      await insertCard(tx, card, null, []);
      await insertInsight(tx, {
        ...{ id, cardId: card.id, origin: 'automated_run', title: FOUND, finding: FOUND },
        ...{ domain: 'labor', severity: 'high', followUp: 'P14D', owner: SCOUT, at },
        urgency: {
          ...{ score: 0, severity: 0, dollars: 0, velocity: 0, time_sensitivity: 0 },
          basis: { dollars: null, velocity: null, domain: 'labor' },
        },
        baseline: metrics.map((metric) => labor(34, at, metric)),
        actions: made,
        writer: TILL,
        ...fields.insight,
      });
    });
    const handle = this.handle(workspace, id);
    return { workspace, id, card: card.id, actions: made.map((action) => action.id), handle };
  }

  /** Numbers of the workspace, as a runtime pushes them; by default of `labor_percent`. */
  async push(
    { workspace }: Pick<Saved, 'workspace'>,
    value: number,
    metric: Partial<MetricSnapshot> = {},
  ): Promise<void> {
    const now = await this.now();
    await this.database.inWorkspace(workspace, (tx) =>
      pushSnapshots(tx, [labor(value, now, metric)], TILL, now),
    );
  }

  /** The first action, now, unless told otherwise; its workflow is started. @throws where it is not */
  async take(saved: Saved, fields: Partial<Taking> = {}): Promise<string> {
    const { measureAt } = await this.takeOnly(saved, fields);
    await this.deliver();
    return measureAt;
  }

  /** The same, but what starts it stays in the outbox. */
  async takeOnly(saved: Saved, fields: Partial<Taking>): Promise<Extract<Taken, { ok: true }>> {
    const now = await this.now();
    const taken = await this.database.inWorkspace(saved.workspace, (tx) =>
      takeAction(tx, {
        ...{ insightId: saved.id, actionId: saved.actions[0] ?? '', at: now, isDated: false },
        ...{ window: null, by: SCOUT, channel: 'api', now },
        ...fields,
      }),
    );
    if (!taken.ok) throw new Error(`it is not taken: ${taken.code}`);
    return taken;
  }

  async report(saved: Saved, fields: Partial<OutcomeReport> = {}): Promise<Reported> {
    const now = await this.now();
    const reported = await this.database.inWorkspace(saved.workspace, (tx) =>
      reportOutcome(tx, {
        ...{ insightId: saved.id, actionId: saved.actions[0] ?? '', result: 'improved' },
        ...{ size: null, note: null, by: REVIEWER, channel: 'api', now },
        ...fields,
      }),
    );
    await this.deliver();
    return reported;
  }

  /** Sends what the outbox holds of follow-ups, as a server does. */
  async deliver(): Promise<void> {
    const { client } = this.env;
    await sendOnly('start_insight', this.database, client, 1_000, await this.now());
  }

  handle(workspace: string, id: string): InsightHandle {
    const workflowId = insightWorkflowId(workspace, id);
    const handle = this.env.client.workflow.getHandle<typeof insight>(workflowId);
    this.handles.set(workflowId, handle);
    return handle;
  }

  /** Runs `work` with the workers that follow-ups need; they stop once nothing is in hand (`ProposalLane.working`). */
  async working<T>(work: () => Promise<T>, around: AroundInsight = (same) => same): Promise<T> {
    const inbound = sanitizingInterceptor(pino({ level: 'silent' }));
    const interceptors = { activity: [() => ({ inbound })] };
    const activities = createInsightActivities({ database: this.database, secretKey: SECRET_KEY });
    const workers = await Promise.all([
      createWorker(this.env, { taskQueue: TASK_QUEUES.workflows }),
      createWorker(this.env, {
        workflows: false,
        taskQueue: TASK_QUEUES.db,
        activities: { ...around(activities) },
        interceptors,
      }),
    ]);
    return await runWorkers(workers, async () => {
      const result = await work();
      for (const handle of this.handles.values()) {
        if (await isThere(handle)) await until(() => isAtRest(handle));
      }
      return result;
    });
  }

  /** By Update, as the reviewer, of the first action. @returns the answer, or the code of the refusal */
  async order(
    { handle, actions: [first] }: Pick<Saved, 'handle' | 'actions'>,
    order: FollowUpOrder = MEASURE_NOW,
    request: unknown = {},
    updateId?: string,
  ): Promise<FollowUpAnswer | string> {
    const said = { action_id: first, by: REVIEWER, ...(request as object) };
    try {
      return await handle.executeUpdate<FollowUpAnswer, [FollowUpRequest]>(order, {
        args: [said as FollowUpRequest],
        ...(updateId === undefined ? {} : { updateId }),
      });
    } catch (error) {
      if (!(error instanceof WorkflowUpdateFailedError)) throw error;
      const { cause } = error;
      if (!(cause instanceof ApplicationFailure) || !cause.type) throw error;
      return cause.type;
    }
  }

  /** As the API does, which starts the workflow where none runs. */
  async ask(saved: Saved, order: FollowUpOrder, request: object = {}): Promise<Followed> {
    const { workspace, id, card: cardId, actions } = saved;
    const now = await this.now();
    const operation_id = await this.database.inWorkspace(workspace, (tx) =>
      openFollowUpRun(tx, { insightId: id, cardId, agent: SCOUT.id }, now),
    );
    const ids = { workspace, insight_id: id, operation_id };
    const said = { action_id: actions[0] ?? '', by: REVIEWER, ...request };
    const seal = followUpSeal(SECRET_KEY, ids, order, said);
    return await insightFollower(this.env.client).order(ids, order, operation_id, {
      ...said,
      seal,
    });
  }

  /** Waits until its workflow knows how it stands. */
  async begun({ handle }: Pick<Saved, 'handle'>): Promise<void> {
    await until(async () => {
      const record = await handle.query<InsightResult, []>(STATE_QUERY).catch(() => null);
      return record !== null && record.card_id !== null;
    });
  }

  async until(time: Date | string | number): Promise<void> {
    await this.lane.until(time);
  }

  async standing({ workspace, id, actions }: Saved, nth = 0): Promise<ActionStanding> {
    const [row] = await this.rows<ActionStanding>(
      workspace,
      `SELECT a.status, a.taken_at, a.measure_at, a.ended_code, o.result, o.size, o.metric, o.baseline, o.value,
              o.channel, o.by_kind, o.by_id, o.card_id
         FROM insight_actions a
         LEFT JOIN action_outcomes o
           ON o.workspace_id = a.workspace_id AND o.insight_id = a.insight_id AND o.action_id = a.id
        WHERE a.insight_id = $1 AND a.id = $2`,
      [id, actions[nth]],
    );
    if (row === undefined) throw new Error('there is no such action');
    return row;
  }

  /** Cards that tell an outcome, the oldest first. */
  async outcomeCards(workspace: string): Promise<OutcomeCardRow[]> {
    return await this.rows<OutcomeCardRow>(
      workspace,
      `SELECT c.id, c.kind, c.sign, c.status, c.summary, c.confidence, c.trust, c.visibility, c.subject, c.flags,
              c.scope_type || '/' || c.scope_id AS scope, c.valid_from
         FROM cards c WHERE c.writer_kind = 'system' AND c.writer_id = 'follow_up' ORDER BY c.recorded_at, c.id`,
    );
  }

  async card(workspace: string, id: string): Promise<CardStanding> {
    const [row] = await this.rows<CardStanding>(
      workspace,
      'SELECT c.status, c.confidence, c.version, c.validated_at FROM cards c WHERE c.id = $1',
      [id],
    );
    if (row === undefined) throw new Error(`there is no card ${id}`);
    return row;
  }

  /** `type to`, of the edges of a card. */
  async edges(workspace: string, from: string): Promise<string[]> {
    const rows = await this.rows<{ type: string; to_card: string }>(
      workspace,
      'SELECT type, to_card FROM edges WHERE from_card = $1 ORDER BY type, to_card',
      [from],
    );
    return rows.map(({ type, to_card }) => `${type} ${to_card}`);
  }

  async audit({ workspace, id }: Pick<Saved, 'workspace' | 'id'>): Promise<string[]> {
    return await this.lane.audit(workspace, id);
  }

  async rows<Row>(workspace: string, statement: string, values: unknown[] = []): Promise<Row[]> {
    return await this.lane.rows<Row>(workspace, statement, values);
  }
}

export interface OutcomeCardRow {
  id: string;
  kind: string;
  sign: string;
  status: string;
  summary: string;
  confidence: number;
  trust: string;
  visibility: string;
  subject: string | null;
  flags: string[];
  scope: string;
  valid_from: string;
}

export interface CardStanding {
  status: string;
  confidence: number;
  version: number;
  validated_at: string | null;
}

export function hashOf(action: string): string {
  return createHash('sha256').update(normalizedAction(action)).digest('hex');
}

function labor(value: number, at: Date, metric: Partial<MetricSnapshot>): MetricSnapshot {
  const name = 'labor_percent';
  return { name, value, unit: '%', at: at.toISOString(), goal: 'down', ...metric };
}

async function isThere(handle: InsightHandle): Promise<boolean> {
  return await handle.describe().then(
    () => true,
    () => false,
  );
}
