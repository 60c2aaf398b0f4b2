import type { Disposition } from '../contracts/names';
import type { Database, Tx } from './database';
import { outboxBacklog } from './outbox';

/** What flows through the installation, over all workspaces. */
export interface Flow {
  dispositions: Partial<Record<Disposition, number>>;
  oldestPendingAt: string | null;
  unsent: number;
  oldestUnsentAt: string | null;
  toEmbed: number;
  toDistill: number;
}

interface FlowRow {
  disposition: Disposition;
  captures: number;
  oldest_at: string;
  to_embed: number;
  to_distill: number;
}

/** One statement a workspace: row-level security lets none look at two. */
export async function readFlow(database: Database): Promise<Flow> {
  const { workspaces, backlog } = await database.acrossWorkspaces(async (tx) => ({
    workspaces: await tx.query<{ id: string }>('SELECT workspace_id AS id FROM workspaces'),
    backlog: await outboxBacklog(tx),
  }));
  const flow: Flow = {
    dispositions: {},
    oldestPendingAt: null,
    unsent: backlog.unsent,
    oldestUnsentAt: backlog.oldest_at,
    toEmbed: 0,
    toDistill: 0,
  };
  for (const { id } of workspaces) {
    for (const row of await database.inWorkspace(id, capturesOf)) add(flow, row);
  }
  return flow;
}

async function capturesOf(tx: Tx): Promise<FlowRow[]> {
  return await tx.query<FlowRow>(
    `SELECT disposition, count(*) AS captures, min(created_at) AS oldest_at,
            count(*) FILTER (WHERE needs_embed) AS to_embed,
            count(*) FILTER (WHERE needs_distill) AS to_distill
       FROM captures
      WHERE workspace_id = $1
      GROUP BY disposition`,
    [tx.workspace],
  );
}

function add(flow: Flow, row: FlowRow): void {
  flow.dispositions[row.disposition] = (flow.dispositions[row.disposition] ?? 0) + row.captures;
  flow.toEmbed += row.to_embed;
  flow.toDistill += row.to_distill;
  if (row.disposition !== 'pending') return;
  if (flow.oldestPendingAt === null || row.oldest_at < flow.oldestPendingAt) {
    flow.oldestPendingAt = row.oldest_at;
  }
}
