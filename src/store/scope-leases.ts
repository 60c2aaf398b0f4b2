import type { CardScope } from '../contracts/card';
import type { Tx } from './database';

/** Who works on a scope, as a lease names it. */
export interface ScopeHolder {
  operationId: string;
  workflowId: string;
}

/**
 * Takes a scope for one pass, or keeps it: one pass works on a scope at a time, and a row that ran out is
 * anybody's. What a pass writes is compare-and-set all the same: the lease saves double work, and decides nothing.
 * @returns null where it is taken, else who has it
 */
export async function takeScope(
  tx: Tx,
  scope: CardScope,
  holder: ScopeHolder,
  { now, forMs }: { now: Date; forMs: number },
): Promise<ScopeHolder | null> {
  const taken = await tx.query(
    `INSERT INTO scope_leases AS l (workspace_id, scope_type, scope_id, run_id, workflow_id, until)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (workspace_id, scope_type, scope_id)
     DO UPDATE SET run_id = EXCLUDED.run_id, workflow_id = EXCLUDED.workflow_id, until = EXCLUDED.until
      WHERE l.run_id = EXCLUDED.run_id OR l.until <= $7
     RETURNING run_id`,
    [
      tx.workspace,
      scope.type,
      scope.id,
      holder.operationId,
      holder.workflowId,
      new Date(now.getTime() + forMs),
      now,
    ],
  );
  if (taken.length > 0) return null;
  const [other] = await tx.query<{ run_id: string; workflow_id: string }>(
    `SELECT run_id, workflow_id FROM scope_leases
      WHERE workspace_id = $1 AND scope_type = $2 AND scope_id = $3`,
    [tx.workspace, scope.type, scope.id],
  );
  // It was given back between the two looks: the next try takes it.
  if (other === undefined) return holder;
  return { operationId: other.run_id, workflowId: other.workflow_id };
}

/** Gives the scope back; somebody else's stays. */
export async function leaveScope(tx: Tx, scope: CardScope, operationId: string): Promise<void> {
  await tx.query(
    `DELETE FROM scope_leases
      WHERE workspace_id = $1 AND scope_type = $2 AND scope_id = $3 AND run_id = $4`,
    [tx.workspace, scope.type, scope.id, operationId],
  );
}
