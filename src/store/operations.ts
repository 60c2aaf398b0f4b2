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

export interface OperationReader {
  /** Only this agent's operations; null for whoever may see all. */
  agent: string | null;
  /** Only operations on events about this subject; null for whoever is no member. */
  subject: string | null;
}

/** An operation together with the agent whose work it is about. */
export type OwnedOperation = Operation & { agent_id: string | null };

/** @returns null where there is no such operation that this reader may see. */
export async function readOperation(
  tx: Tx,
  id: string,
  reader: OperationReader,
): Promise<OwnedOperation | null> {
  const [row] = await tx.query<OwnedOperation>(
    `SELECT r.id, r.type, r.state, CASE WHEN r.result <> '{}' THEN r.result END AS result, r.error,
            r.workflow_id, r.run_id, r.started_at, r.finished_at, r.agent_id
       FROM runs r
      WHERE r.workspace_id = $1 AND r.id = $2
        AND ($3::text IS NULL OR r.agent_id = $3)
        AND ($4::text IS NULL OR EXISTS (
              SELECT 1
                FROM captures c
                JOIN events e ON e.workspace_id = c.workspace_id AND e.event_id = c.event_id
               WHERE c.workspace_id = $1 AND c.operation_id = r.id AND e.payload ->> 'subject' = $4))`,
    [tx.workspace, id, reader.agent, reader.subject],
  );
  return row ?? null;
}
