import type { Tx } from './database';

/** A card that a pass changed, with the version it has now. */
export interface ChangedCard {
  id: string;
  version: number;
}

/** What all of these rows say alike. */
export interface CardsAudited {
  at: Date;
  /** The pass: `retention` or the like. */
  by: string;
  action: string;
  changed: readonly string[];
  workflowId: string;
}

/** One content-free row for each card, of what a pass did to many at once. */
export async function auditCards(
  tx: Tx,
  { at, by, action, changed, workflowId }: CardsAudited,
  cards: readonly ChangedCard[],
): Promise<void> {
  if (cards.length === 0) return;
  await tx.query(
    `INSERT INTO audit_log (workspace_id, at, actor_kind, actor_id, action, target_type, target_id, changed,
                            versions, hashes, channel, workflow_id)
     SELECT $1, $2, 'system', surrogate_of($1, 'system', $3), $4, 'card', c.id, $5,
            ARRAY[c.version - 1, c.version], '{}', 'workflow', $6
       FROM jsonb_to_recordset($7::jsonb) AS c (id text, version int)
      ORDER BY c.id`,
    [tx.workspace, at, by, action, changed, workflowId, JSON.stringify(cards)],
  );
}
