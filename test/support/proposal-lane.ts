import type { WorkflowHandle } from '@temporalio/client';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import pino from 'pino';
import { createProposalActivities, type ProposalActivities } from '../../src/activities/proposal';
import { sanitizingInterceptor } from '../../src/activities/sanitize';
import { workflowStarter } from '../../src/api/workflow-starter';
import type { SettledEvent } from '../../src/contracts/event';
import type { CaptureResult } from '../../src/contracts/messages';
import type { PolicyPatch } from '../../src/contracts/policy';
import type { DecideAnswer, DecideRequest } from '../../src/contracts/proposal-messages';
import { DECIDE, STATE_QUERY } from '../../src/contracts/proposal-messages';
import { TASK_QUEUES } from '../../src/contracts/task-queues';
import { proposalWorkflowId } from '../../src/contracts/workflow-ids';
import { insertCard, type NewCard } from '../../src/store/card-writes';
import type { Database } from '../../src/store/database';
import { leaseOutbox, removeSent } from '../../src/store/outbox';
import { type NewProposal, openProposalFor } from '../../src/store/proposal-opening';
import type { proposal } from '../../src/workflows/proposal';
import { CaptureLane } from './capture-lane';
import { failedCall } from './distilling';
import { plainCard } from './plain-card';
import { createWorker, type DevServerEnvOptions, runWorkers } from './temporal';

/** One of each role that matters here, by that name; `second` is another reviewer. */
const PEOPLE = { owner: 'owner', reviewer: 'reviewer', second: 'reviewer', operator: 'operator' };
const TEAM = 'support';
const SECONDS_OF_A_LEASE = 60;

export type Handle = WorkflowHandle<typeof proposal>;

/** A proposal whose workflow runs. */
export interface Waiting {
  workspace: string;
  id: string;
  /** Of the promotion or the contradiction; none for a fix. */
  cards: string[];
  handle: Handle;
}

export interface StandingProposal {
  status: string;
  version: number;
  reminders: number;
  opened_at: string;
  expires_at: string;
  closed_at: string | null;
  evidence: string[];
  change: Record<string, unknown>;
}

/** A row of what was heard. */
export interface HeardRow {
  by_person: string;
  decision: string;
  outcome: string;
  version: number;
  channel: string;
}

/** What a test does to the activities, to see one from inside or to break it. */
export type Around = (activities: ProposalActivities) => ProposalActivities;

/**
 * Proposals on a real Postgres and a real workflow, without the API: opened as the store opens them, started by
 * the outbox, decided by Update and Signal. Time is the server's, which may have jumped.
 */
export class ProposalLane {
  private constructor(
    readonly captures: CaptureLane,
    private readonly time: { ahead: number },
  ) {}

  static async start(
    server: 'time-skipping' | 'dev' | DevServerEnvOptions = 'time-skipping',
  ): Promise<ProposalLane> {
    const time = { ahead: 0 };
    const captures = await CaptureLane.start(server, () => new Date(Date.now() + time.ahead));
    return new ProposalLane(captures, time);
  }

  get env(): TestWorkflowEnvironment {
    return this.captures.env;
  }

  get database(): Database {
    return this.captures.database;
  }

  get databaseUrl(): string {
    return this.captures.databaseUrl;
  }

  async stop(): Promise<void> {
    await this.captures.stop();
  }

  /** The server's time, which the lane writes by from now on. */
  async now(): Promise<Date> {
    if (this.env.supportsTimeSkipping) {
      this.time.ahead = (await this.env.currentTimeMs()) - Date.now();
    }
    return new Date(Date.now() + this.time.ahead);
  }

  /** Jumps there; timers on the way go off. */
  async until(time: Date | string | number): Promise<void> {
    const left = new Date(time).getTime() - (await this.now()).getTime();
    if (left > 0) await this.env.sleep(left);
    await this.now();
  }

  /** A fresh one with its people, and `scout` in its team. */
  async workspace(policy: PolicyPatch = {}): Promise<string> {
    const id = await this.captures.workspace();
    await this.rows(
      id,
      `WITH persons AS (
         INSERT INTO people (workspace_id, id, name, role, created_at)
         SELECT $1, p.key, p.key, p.value, now() FROM jsonb_each_text($2) p
       ),
       team AS (
         INSERT INTO teams (workspace_id, id, name, created_at) VALUES ($1, $3, $3, now())
       )
       INSERT INTO policies (workspace_id, version, document, created_at) VALUES ($1, 1, $4, now())`,
      [id, JSON.stringify({ ...PEOPLE, member: 'member' }), TEAM, JSON.stringify(policy)],
    );
    await this.agent(id, 'scout');
    return id;
  }

  async agent(workspace: string, id: string, team: string = TEAM): Promise<void> {
    await this.rows(
      workspace,
      `INSERT INTO agents (workspace_id, id, team_id, registered_by, created_at)
       VALUES ($1, $2, $3, 'person', now())`,
      [workspace, id, team],
    );
  }

  /** A card of `scout` that no rule wrote. */
  async card(workspace: string, fields: Partial<NewCard> = {}): Promise<string> {
    const now = await this.now();
    const card = plainCard(`Channel ${now.getTime()} is where releases are told.`, now, {
      team: TEAM,
      ...fields,
    });
    await this.database.inWorkspace(workspace, (tx) => insertCard(tx, card, null, []));
    return card.id;
  }

  /** A card that is to belong to its team. */
  async promotion(workspace: string, fields: Partial<NewProposal> = {}): Promise<Waiting> {
    const card = await this.card(workspace);
    const from = { type: 'agent', id: 'scout' };
    return await this.open(workspace, [card], {
      type: 'promotion',
      matter: `promotion:${card}`,
      change: { card_id: card, card_version: 1, from, to: { type: 'team', id: TEAM } },
      ...fields,
    });
  }

  /** Two cards of which the first shows meanwhile. */
  async contradiction(workspace: string): Promise<Waiting> {
    const cards = [await this.card(workspace), await this.card(workspace)];
    const [winner, loser] = cards;
    return await this.open(workspace, cards, {
      type: 'contradiction',
      matter: `contradiction:${cards.join('/')}`,
      change: { winner, loser, card_versions: [1, 1] },
      proposedBy: { kind: 'system', id: 'cairn' },
    });
  }

  private async open(
    workspace: string,
    cards: string[],
    fields: Partial<NewProposal> & Pick<NewProposal, 'type' | 'matter' | 'change'>,
  ): Promise<Waiting> {
    const now = await this.now();
    const { id } = await this.database.inWorkspace(workspace, (tx) =>
      openProposalFor(tx, {
        team: TEAM,
        title: 'To be decided',
        summary: 'PLANTED words of a proposal',
        draftedBy: 'person',
        evidence: cards,
        proposedBy: { kind: 'agent', id: 'scout' },
        channel: 'api',
        now,
        ...fields,
      }),
    );
    await this.deliver();
    return { workspace, id, cards, handle: this.handle(workspace, id) };
  }

  /** The fix that filing has proposed in that workspace, its workflow started. */
  async proposed(workspace: string): Promise<Waiting> {
    const [row, ...more] = await this.rows<{ id: string }>(
      workspace,
      "SELECT id FROM proposals WHERE type = 'config_fix' AND closed_at IS NULL",
    );
    if (row === undefined || more.length > 0) throw new Error('not one fix waits');
    await this.deliver();
    return { workspace, id: row.id, cards: [], handle: this.handle(workspace, row.id) };
  }

  private readonly handles = new Map<string, Handle>();

  handle(workspace: string, id: string): Handle {
    const workflowId = proposalWorkflowId(workspace, id);
    const handle = this.env.client.workflow.getHandle<typeof proposal>(workflowId);
    this.handles.set(workflowId, handle);
    return handle;
  }

  /** Sends what the outbox holds, as a server does. */
  async deliver(): Promise<void> {
    const send = workflowStarter(this.env.client, false);
    const now = new Date((await this.now()).getTime() + SECONDS_OF_A_LEASE * 1_000);
    await this.database.acrossWorkspaces(async (tx) => {
      for (const item of await leaseOutbox(tx, now, 1, 1_000)) {
        if (item.action === 'start_proposal' || item.action === 'signal_proposal') await send(item);
        await removeSent(tx, [item.id]);
      }
    });
  }

  /**
   * Runs `work` with the workers that proposals need. They stop once nothing is in hand: the time-skipping
   * server waits for ever for a task that it has handed to a worker which is gone.
   */
  async working<T>(work: () => Promise<T>, around: Around = (same) => same): Promise<T> {
    const inbound = sanitizingInterceptor(pino({ level: 'silent' }));
    const interceptors = { activity: [() => ({ inbound })] };
    const activities = createProposalActivities({
      database: this.database,
      clock: () => new Date(),
      hasModel: false,
    });
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
      for (const handle of this.handles.values()) await until(() => isAtRest(handle));
      return result;
    });
  }

  /** By Update. @returns how it stands now, or the code of the refusal */
  async decide(
    { handle }: Pick<Waiting, 'handle'>,
    request: unknown,
    updateId?: string,
  ): Promise<DecideAnswer | string> {
    try {
      return await handle.executeUpdate<DecideAnswer, [DecideRequest]>(DECIDE, {
        args: [request as DecideRequest],
        ...(updateId === undefined ? {} : { updateId }),
      });
    } catch (error) {
      if (!(error instanceof WorkflowUpdateFailedError)) throw error;
      const { cause } = error;
      if (!(cause instanceof ApplicationFailure) || !cause.type) throw error;
      return cause.type;
    }
  }

  async signal({ handle }: Pick<Waiting, 'handle'>, ...args: unknown[]): Promise<void> {
    await handle.signal<unknown[]>(DECIDE, ...args);
  }

  /** A settled call of `scout`, filed without a worker; by default one that failed. */
  async file(workspace: string, fields: Partial<SettledEvent> = {}): Promise<CaptureResult> {
    const now = await this.now();
    const [result] = await this.fileAtOnce(workspace, [
      { occurred_at: now.toISOString(), ...fields },
    ]);
    if (result === undefined) throw new Error('nothing was filed');
    return result;
  }

  /** Recorded one after the other, and filed at the same moment. */
  async fileAtOnce(workspace: string, events: Partial<SettledEvent>[]): Promise<CaptureResult[]> {
    const inputs = await this.captures.record(
      workspace,
      events.map((fields) => this.event(fields)),
    );
    return await Promise.all(inputs.map((input) => this.captures.fileAgain(input)));
  }

  private filed = 0;

  /** Each is other work: what is the same is carded once. */
  private event(fields: Partial<SettledEvent>): SettledEvent {
    this.filed += 1;
    const id = `call-${this.filed}`;
    const { error, ...call } = failedCall({ event_id: id, input: { channel: id } });
    const failed = fields.outcome === undefined || fields.outcome === 'failed';
    return { ...call, ...(failed ? { error: `${error} (${id})` } : { output: id }), ...fields };
  }

  async standing({ workspace, id }: Pick<Waiting, 'workspace' | 'id'>): Promise<StandingProposal> {
    const [row] = await this.rows<StandingProposal>(
      workspace,
      `SELECT status, version, reminders, opened_at, expires_at, closed_at, evidence, change
         FROM proposals WHERE id = $1`,
      [id],
    );
    if (row === undefined) throw new Error(`there is no proposal ${id}`);
    return row;
  }

  /** Waits until its workflow knows how it stands: before that it lets every decision in. */
  async begun({ handle }: Pick<Waiting, 'handle'>): Promise<void> {
    const asks = () => handle.query(STATE_QUERY);
    await until(() =>
      asks().then(
        () => true,
        () => false,
      ),
    );
  }

  /** Waits until that many decisions stand in its rows: nobody answers a signal. */
  async heard(waiting: Pick<Waiting, 'workspace' | 'id'>, count: number): Promise<void> {
    await until(async () => (await this.decisions(waiting)).length >= count);
  }

  /** What was heard, in order. */
  async decisions({ workspace, id }: Pick<Waiting, 'workspace' | 'id'>): Promise<HeardRow[]> {
    return await this.rows(
      workspace,
      `SELECT by_person, decision, outcome, version, channel
         FROM proposal_decisions WHERE proposal_id = $1 ORDER BY at, id`,
      [id],
    );
  }

  /** Actions on a proposal or a card, in order, with what changed. */
  async audit(workspace: string, id: string): Promise<string[]> {
    const rows = await this.rows<{ action: string; changed: string[] }>(
      workspace,
      'SELECT action, changed FROM audit_log WHERE target_id = $1 ORDER BY seq',
      [id],
    );
    return rows.map(({ action, changed }) => [action, ...changed].join(' '));
  }

  /** How often its card moved, and where it is now. */
  async scope(workspace: string, card: string): Promise<{ scope: string; version: number }> {
    const [row] = await this.rows<{ scope: string; version: number }>(
      workspace,
      `SELECT c.scope_type || '/' || c.scope_id AS scope, c.version FROM cards c WHERE c.id = $1`,
      [card],
    );
    if (row === undefined) throw new Error(`there is no card ${card}`);
    return row;
  }

  async rows<Row>(workspace: string, statement: string, values: unknown[] = []): Promise<Row[]> {
    return await this.captures.rows<Row>(workspace, statement, values);
  }
}

const { EventType } = temporal.api.enums.v1;
const BEGINNINGS = [
  EventType.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED,
  EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED,
];
const ENDINGS = [
  EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED,
  EventType.EVENT_TYPE_WORKFLOW_TASK_FAILED,
  EventType.EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT,
  EventType.EVENT_TYPE_ACTIVITY_TASK_COMPLETED,
  EventType.EVENT_TYPE_ACTIVITY_TASK_FAILED,
  EventType.EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT,
  EventType.EVENT_TYPE_ACTIVITY_TASK_CANCELED,
];

/** Nobody has a task of it in hand, or is about to. */
export async function isAtRest(
  handle: Pick<WorkflowHandle, 'describe' | 'fetchHistory'>,
): Promise<boolean> {
  const { status } = await handle.describe();
  if (status.name !== 'RUNNING') return true;
  const types = (await handle.fetchHistory()).events?.map(({ eventType }) => eventType) ?? [];
  const count = (some: readonly unknown[]) => types.filter((type) => some.includes(type)).length;
  return count(BEGINNINGS) === count(ENDINGS);
}

export async function until(check: () => Promise<boolean>, within = 60_000): Promise<void> {
  const deadline = Date.now() + within;
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error('it did not come to pass in time');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
