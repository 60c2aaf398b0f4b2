import type { Models } from '../contracts/overview';
import { reembedWorkflowId } from '../contracts/workflow-ids';
import type { Tx } from './database';
import { idPart } from './ids';
import { servedModels } from './served-models';

/** How many cards have a vector of each model; an index alone answers, and reads an entry a vector. */
export async function vectorsByModel(tx: Tx): Promise<Models['vectors']> {
  return await tx.query<Models['vectors'][number]>(
    `SELECT e.model AS embedder, count(DISTINCT e.card_id) AS cards
       FROM card_embeddings e
      WHERE e.workspace_id = $1
      GROUP BY e.model
      ORDER BY 2 DESC, 1`,
    [tx.workspace],
  );
}

/** The run of the model under way; null while none is, and for the moment until its run has begun. */
export async function reembeddingRun(tx: Tx): Promise<string | null> {
  const { shadow } = await servedModels(tx);
  if (shadow === null) return null;
  const [run] = await tx.query<{ id: string }>(
    `SELECT r.id
       FROM runs r
      WHERE r.workspace_id = $1 AND r.workflow_id = $2 AND r.type = 'reembed' AND r.state = 'running'
      ORDER BY r.created_at DESC
      LIMIT 1`,
    [tx.workspace, reembedWorkflowId(tx.workspace, idPart(shadow))],
  );
  return run?.id ?? null;
}
