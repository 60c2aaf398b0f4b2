import type { EdgeType } from '../contracts/names';
import { openContradictions } from './card-writes-contradicted';
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

/** As SQL: but for conflicts that a person has called none, inserts the edges of a JSON list, at a time; both are parameters. */
export const EDGES_FROM = (rows: string, at: string) => `
     INSERT INTO edges (workspace_id, id, type, from_card, to_card, confidence, reason, created_at)
     SELECT $1, e.id, e.type, e."from", e."to", e.confidence, e.reason, ${at}
       FROM jsonb_to_recordset(${rows}::jsonb)
         AS e (id text, type text, "from" text, "to" text, confidence float8, reason text)
      WHERE e.type <> 'conflicts' OR NOT EXISTS (
              SELECT 1 FROM dismissed_conflicts d
               WHERE d.workspace_id = $1
                 AND d.one_card = LEAST(e."from", e."to") AND d.other_card = GREATEST(e."from", e."to"))
     ON CONFLICT (workspace_id, from_card, to_card, type) DO NOTHING
     RETURNING id, type, from_card, to_card, confidence`;

/** What `EDGES_FROM` reads. */
export function edgeRows(edges: readonly NewEdge[], now: Date): string {
  return JSON.stringify(edges.map((edge) => ({ id: newId('edge', now), ...edge })));
}

/**
 * An edge that is there already stays as it is; a contradiction that no rule settles is a person's. @returns those that were new. */
export async function insertEdges(
  tx: Tx,
  edges: readonly NewEdge[],
  now: Date,
): Promise<WrittenEdge[]> {
  if (edges.length === 0) return [];
  const written = await tx.query<WrittenEdge>(EDGES_FROM('$2', '$3'), [
    tx.workspace,
    edgeRows(edges, now),
    now,
  ]);
  await openContradictions(tx, written, now);
  return written;
}
