import type { Tx } from './database';

/** How the passes of one workspace do; what one did within another is not counted twice. */
export interface PassFlow {
  /** Asked for or begun, and not ended. */
  running: number;
  oldestAt: string | null;
  /** Ended failed or partial within a day. */
  failed: number;
}

const DAY_MS = 86_400_000;

export async function passFlow(tx: Tx, now: Date): Promise<PassFlow> {
  return await tx.one<PassFlow>(
    `SELECT count(*) FILTER (WHERE r.state IN ('pending', 'running')) AS running,
            min(r.created_at) FILTER (WHERE r.state IN ('pending', 'running')) AS "oldestAt",
            count(*) FILTER (WHERE r.state = 'failed' OR r.result ->> 'status' = 'partial') AS failed
       FROM runs r
      WHERE r.workspace_id = $1 AND r.day IS NOT NULL AND r.parent_id IS NULL
        AND (r.state IN ('pending', 'running') OR (r.state IN ('failed', 'completed') AND r.finished_at > $2))`,
    [tx.workspace, new Date(now.getTime() - DAY_MS)],
  );
}
