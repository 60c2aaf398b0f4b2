import type { Policy } from '../contracts/policy';
import type { Tx } from './database';
import { readPolicy } from './policies';
import { policyOf } from './settings';

/**
 * Workspaces whose Schedules do not follow the policy yet, in the order of their ids; with `anew` all of them.
 * Read across workspaces.
 */
export async function schedulesToSet(
  tx: Tx,
  { after, limit, anew }: { after: string; limit: number; anew: boolean },
): Promise<string[]> {
  const rows = await tx.query<{ workspace_id: string }>(
    `SELECT w.workspace_id
       FROM workspaces w
      WHERE w.workspace_id > $1 AND ($3 OR w.schedules_stale)
      ORDER BY w.workspace_id
      LIMIT $2`,
    [after, limit, anew],
  );
  return rows.map((row) => row.workspace_id);
}

/** The policy that holds, defaults included, and which one it is. */
export async function policyToFollow(tx: Tx): Promise<{ policy: Policy; version: number }> {
  const { version } = await readPolicy(tx);
  return { policy: await policyOf(tx), version };
}

/** The Schedules follow the policy of this version; one that was set meanwhile is not followed yet. */
export async function markSchedules(tx: Tx, version: number): Promise<void> {
  await tx.query(
    `UPDATE workspaces SET schedules_stale = false
      WHERE workspace_id = $1
        AND $2 = (SELECT COALESCE(max(p.version), 0) FROM policies p WHERE p.workspace_id = $1)`,
    [tx.workspace, version],
  );
}
