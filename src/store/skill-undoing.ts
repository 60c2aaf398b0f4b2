import type { Tx } from './database';
import { setCurrent } from './skills';

/** Where a run put a version of a skill in use, the one before it is in use again. It is named by its operation or its workflow. */
export async function skillVersionBefore(tx: Tx, cardId: string, runId: string): Promise<void> {
  const [before] = await tx.query<{ version: number }>(
    `SELECT max(b.version) AS version
       FROM skill_versions made
       JOIN skill_versions b ON b.workspace_id = made.workspace_id AND b.card_id = made.card_id
                            AND b.version < made.version AND b.status = 'retired'
      WHERE made.workspace_id = $1 AND made.card_id = $2 AND made.status = 'current'
        AND made.run_id IN ($3, (SELECT r.run_id FROM runs r WHERE r.workspace_id = $1 AND r.id = $3))
     HAVING max(b.version) IS NOT NULL`,
    [tx.workspace, cardId, runId],
  );
  if (before !== undefined) await setCurrent(tx, cardId, before.version);
}
