import type { CardScope } from '../contracts/card';
import type { JsonObject } from '../contracts/event';
import type { Run } from '../contracts/run';
import type { Tx } from './database';
import { countCapped, type Slice } from './paging';

export interface RunFilter {
  type: string | null;
  status: Run['status'] | null;
  /** Runs for this agent only. */
  agent: string | null;
  /** The units of this run only. */
  parent?: string | null;
  scope?: CardScope | null;
}

export interface RunRow extends Run {
  created_at: string;
}

// A pass that could not do all is completed, and says so in its result.
const STATUS = `CASE WHEN r.state IN ('pending', 'running') THEN 'running'
                     WHEN r.state IN ('failed', 'cancelled') THEN 'failed'
                     WHEN r.result ->> 'status' = 'partial' THEN 'partial'
                     ELSE 'completed' END`;

const SELECT = `SELECT r.id, r.type, r.counts, r.cost, r.workflow_id, r.run_id, r.created_at, r.started_at,
                       r.finished_at, ${STATUS} AS status, r.error, r.dry_run, r.budget, r.versions, r.parent_id,
                       r.day, r.paused, r.asked_by, r.undone_at,
                       CASE WHEN r.scope_type IS NOT NULL
                            THEN jsonb_build_object('type', r.scope_type, 'id', r.scope_id) END AS scope
                  FROM runs r
                 WHERE r.workspace_id = $1 AND ($2::text IS NULL OR r.agent_id = $2)`;

/** What a run ended with; null while it runs, and where it has nothing to say. */
export async function readResult(tx: Tx, id: string): Promise<JsonObject | null> {
  const [row] = await tx.query<{ result: JsonObject | null }>(
    "SELECT NULLIF(r.result, '{}') AS result FROM runs r WHERE r.workspace_id = $1 AND r.id = $2",
    [tx.workspace, id],
  );
  return row?.result ?? null;
}

export async function readRun(tx: Tx, id: string, agent: string | null): Promise<Run | null> {
  const [row] = await tx.query<Run>(`${SELECT} AND r.id = $3`, [tx.workspace, agent, id]);
  return row ?? null;
}

/** Newest first. `runs_by_creation` is read as it lies: by time downwards, by id upwards. */
export async function listRuns(
  tx: Tx,
  filter: RunFilter,
  page: { after: readonly [string, string] | null; limit: number },
): Promise<Slice<RunRow>> {
  const matching = `${SELECT} AND ($3::text IS NULL OR r.type = $3)
                              AND ($4::text IS NULL OR ${STATUS} = $4)
                              AND ($5::text IS NULL OR r.parent_id = $5)
                              AND ($6::text IS NULL OR (r.scope_type = $6 AND r.scope_id = $7))`;
  const { parent = null, scope = null } = filter;
  const values = [
    tx.workspace,
    filter.agent,
    filter.type,
    filter.status,
    parent,
    scope?.type ?? null,
    scope?.id ?? null,
  ];
  const rows = await tx.query<RunRow>(
    `${matching}
       AND ($8::timestamptz IS NULL OR r.created_at <= $8)
       AND ($8::timestamptz IS NULL OR r.created_at < $8 OR r.id > $9)
     ORDER BY r.created_at DESC, r.id
     LIMIT $10`,
    [...values, page.after?.[0] ?? null, page.after?.[1] ?? null, page.limit + 1],
  );
  return { rows, total: await countCapped(tx, matching, values) };
}
