import type { PolicyPatch } from '../contracts/policy';
import type { Tx } from './database';

/** What a workspace set itself; defaults are laid under it when it is read. Version 0 is none. */
export interface StoredPolicy {
  version: number;
  document: PolicyPatch;
}

export async function readPolicy(tx: Tx): Promise<StoredPolicy> {
  const [row] = await tx.query<StoredPolicy>(
    `SELECT version, document FROM policies WHERE workspace_id = $1 ORDER BY version DESC LIMIT 1`,
    [tx.workspace],
  );
  return row ?? { version: 0, document: {} };
}

/**
 * Stores the version after `expected`, if that is still the latest.
 * @returns false where somebody was faster.
 */
export async function insertPolicy(
  tx: Tx,
  expected: number,
  document: PolicyPatch,
  now: Date,
): Promise<boolean> {
  const made = await tx.query(
    `WITH made AS (
       INSERT INTO policies (workspace_id, version, document, created_at)
       SELECT $1, $2::int + 1, $3, $4
        WHERE $2 = (SELECT COALESCE(max(version), 0) FROM policies WHERE workspace_id = $1)
       ON CONFLICT DO NOTHING
       RETURNING version
     ),
     stale AS (
       UPDATE workspaces SET schedules_stale = true WHERE workspace_id = $1 AND EXISTS (SELECT 1 FROM made)
     )
     SELECT version FROM made`,
    [tx.workspace, expected, JSON.stringify(document), now],
  );
  return made.length > 0;
}
