import type { Disposition } from '../contracts/names';
import type { Operation } from '../contracts/run';
import type { Tx } from './database';

export interface CaptureOperation {
  id: string;
  disposition: Disposition;
  card_id: string | null;
}

/** What became of these captures so far. */
export async function readOperations(tx: Tx, ids: readonly string[]): Promise<CaptureOperation[]> {
  return await tx.query<CaptureOperation>(
    `SELECT operation_id AS id, disposition, card_id
       FROM captures
      WHERE workspace_id = $1 AND operation_id = ANY ($2)`,
    [tx.workspace, ids],
  );
}

/** @returns null where there is no such operation, or it is another agent's. */
export async function readOperation(
  tx: Tx,
  id: string,
  agent: string | null,
): Promise<Operation | null> {
  const [row] = await tx.query<Operation>(
    `SELECT id, type, state, CASE WHEN result <> '{}' THEN result END AS result, error, workflow_id, run_id,
            started_at, finished_at
       FROM runs
      WHERE workspace_id = $1 AND id = $2 AND ($3::text IS NULL OR agent_id = $3)`,
    [tx.workspace, id, agent],
  );
  return row ?? null;
}
