import type { Disposition } from '../contracts/names';
import { AT_MODEL_FOR_MS, STUCK_AFTER_MS } from '../domain/upkeep';
import { waitingForSeal } from './audit-seal-starts';
import type { Database, Tx } from './database';
import { countWithoutVector } from './filing-left-behind';
import { countShadowed } from './filing-reembedded';
import type { OutboxAction } from './outbox';
import { type PassFlow, passFlow } from './pass-flow';

/** What flows through the installation, over all workspaces. */
export interface Flow {
  dispositions: Partial<Record<Disposition, number>>;
  oldestPendingAt: string | null;
  /** Pending for longer than a capture takes (`STUCK_AFTER_MS`). */
  stuck: number;
  /** Waiting for their model, within the time that its tries may take. */
  atModel: number;
  outbox: Backlog[];
  toEmbed: number;
  /** Cards that no vector finds, whoever wrote them. */
  withoutVector: number;
  toDistill: number;
  /** Cards that another model is under way for and has not reached yet. */
  toReembed: number;
  /** Since when the first row of a log waits to be sealed. */
  unsealedSince: string | null;
  /** What changes memory on its own accord. */
  passes: PassFlow;
}

/** What of one kind was committed and not yet sent. */
export interface Backlog {
  action: OutboxAction;
  /** To be sent now. */
  due: number;
  /** To be tried again later. */
  waiting: number;
  oldest_at: string;
}

interface FlowRow {
  disposition: Disposition;
  captures: number;
  oldest_at: string;
  stuck: number;
  at_model: number;
  to_embed: number;
  to_distill: number;
}

/** Statements of one workspace each: row-level security lets none look at two. */
export async function readFlow(database: Database, now: Date): Promise<Flow> {
  const { workspaces, outbox } = await database.acrossWorkspaces(async (tx) => ({
    workspaces: await tx.query<{ id: string }>('SELECT workspace_id AS id FROM workspaces'),
    outbox: await backlogOf(tx, now),
  }));
  const flow: Flow = {
    dispositions: {},
    oldestPendingAt: null,
    stuck: 0,
    atModel: 0,
    outbox,
    toEmbed: 0,
    withoutVector: 0,
    toDistill: 0,
    toReembed: 0,
    unsealedSince: null,
    passes: { running: 0, oldestAt: null, failed: 0 },
  };
  for (const { id } of workspaces) {
    const { rows, without, shadowed, unsealed, passes } = await database.inWorkspace(
      id,
      async (tx) => ({
        rows: await capturesOf(tx, now),
        without: await countWithoutVector(tx),
        shadowed: await countShadowed(tx, now),
        unsealed: (await waitingForSeal(tx)).since,
        passes: await passFlow(tx, now),
      }),
    );
    flow.passes = {
      running: flow.passes.running + passes.running,
      oldestAt: earlier(flow.passes.oldestAt, passes.oldestAt),
      failed: flow.passes.failed + passes.failed,
    };
    flow.withoutVector += without;
    flow.toReembed += shadowed;
    flow.unsealedSince = earlier(flow.unsealedSince, unsealed);
    for (const row of rows) add(flow, row);
  }
  return flow;
}

async function backlogOf(tx: Tx, now: Date): Promise<Backlog[]> {
  return await tx.query<Backlog>(
    `SELECT action, count(*) FILTER (WHERE next_at <= $1) AS due,
            count(*) FILTER (WHERE next_at > $1) AS waiting, min(created_at) AS oldest_at
       FROM outbox
      GROUP BY action`,
    [now],
  );
}

/** Its model has been asked, and may still answer or be given up. */
const AT_MODEL = `EXISTS (SELECT 1 FROM runs r
                           WHERE r.workspace_id = $1 AND r.id = captures.operation_id
                             AND r.state = 'running' AND r.started_at > $3)`;

async function capturesOf(tx: Tx, now: Date): Promise<FlowRow[]> {
  return await tx.query<FlowRow>(
    `SELECT disposition, count(*) AS captures, min(created_at) AS oldest_at,
            count(*) FILTER (WHERE disposition = 'pending' AND created_at < $2
                               AND NOT ${AT_MODEL}) AS stuck,
            count(*) FILTER (WHERE disposition = 'pending' AND ${AT_MODEL}) AS at_model,
            count(*) FILTER (WHERE needs_embed) AS to_embed,
            count(*) FILTER (WHERE needs_distill) AS to_distill
       FROM captures
      WHERE workspace_id = $1
      GROUP BY disposition`,
    [
      tx.workspace,
      new Date(now.getTime() - STUCK_AFTER_MS),
      new Date(now.getTime() - AT_MODEL_FOR_MS),
    ],
  );
}

function add(flow: Flow, row: FlowRow): void {
  flow.dispositions[row.disposition] = (flow.dispositions[row.disposition] ?? 0) + row.captures;
  flow.stuck += row.stuck;
  flow.atModel += row.at_model;
  flow.toEmbed += row.to_embed;
  flow.toDistill += row.to_distill;
  if (row.disposition !== 'pending') return;
  flow.oldestPendingAt = earlier(flow.oldestPendingAt, row.oldest_at);
}

function earlier(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}
