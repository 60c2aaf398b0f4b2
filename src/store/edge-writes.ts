import type { EdgeType } from '../contracts/names';
import type { Tx } from './database';
import { newId } from './ids';

/** An edge runs from the newer card. */
export interface NewEdge {
  type: EdgeType;
  from: string;
  to: string;
  confidence: number;
  reason: string;
}

export interface WrittenEdge {
  id: string;
  type: EdgeType;
  from_card: string;
  to_card: string;
  confidence: number;
}

/** An edge that is there already stays as it is. @returns those that were new. */
export async function insertEdges(
  tx: Tx,
  edges: readonly NewEdge[],
  now: Date,
): Promise<WrittenEdge[]> {
  if (edges.length === 0) return [];
  const rows = edges.map((edge) => ({ id: newId('edge', now), ...edge }));
  return await tx.query<WrittenEdge>(
    `INSERT INTO edges (workspace_id, id, type, from_card, to_card, confidence, reason, created_at)
     SELECT $1, e.id, e.type, e."from", e."to", e.confidence, e.reason, $3
       FROM jsonb_to_recordset($2::jsonb)
         AS e (id text, type text, "from" text, "to" text, confidence float8, reason text)
     ON CONFLICT (workspace_id, from_card, to_card, type) DO NOTHING
     RETURNING id, type, from_card, to_card, confidence`,
    [tx.workspace, JSON.stringify(rows), now],
  );
}
