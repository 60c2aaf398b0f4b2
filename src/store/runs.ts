import type { Run } from '../contracts/run';
import type { Tx } from './database';
import { countCapped, type Slice } from './paging';

export interface RunFilter {
  type: string | null;
  status: Run['status'] | null;
  /** Runs for this agent only. */
  agent: string | null;
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
                       r.finished_at, ${STATUS} AS status,
                       CASE WHEN r.scope_type IS NOT NULL
                            THEN jsonb_build_object('type', r.scope_type, 'id', r.scope_id) END AS scope
                  FROM runs r
                 WHERE r.workspace_id = $1 AND ($2::text IS NULL OR r.agent_id = $2)`;

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
                              AND ($4::text IS NULL OR ${STATUS} = $4)`;
  const values = [tx.workspace, filter.agent, filter.type, filter.status];
  const rows = await tx.query<RunRow>(
    `${matching}
       AND ($5::timestamptz IS NULL OR r.created_at <= $5)
       AND ($5::timestamptz IS NULL OR r.created_at < $5 OR r.id > $6)
     ORDER BY r.created_at DESC, r.id
     LIMIT $7`,
    [...values, page.after?.[0] ?? null, page.after?.[1] ?? null, page.limit + 1],
  );
  return { rows, total: await countCapped(tx, matching, values) };
}
