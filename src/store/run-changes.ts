import type { RunChange } from '../contracts/passes';
import type { Tx } from './database';

export type NewRunChange = Pick<RunChange, 'change'> & Partial<Omit<RunChange, 'change'>>;

/**
 * Adds lines to a run's diff, in the transaction of the changes themselves: what is not noted cannot be taken
 * back. Lines of a dry run say what would be.
 */
export async function noteChanges(
  tx: Tx,
  operationId: string,
  changes: readonly NewRunChange[],
  now: Date,
): Promise<void> {
  if (changes.length === 0) return;
  await tx.query(
    `INSERT INTO run_changes (workspace_id, run_id, n, change, card_id, version_before, version_after, related,
                              reason, at)
     SELECT $1, $2, last.n + c.position, c.change, c.card_id, c.version_before, c.version_after, c.related,
            c.reason, $4
       FROM (SELECT COALESCE(max(n), 0) AS n FROM run_changes WHERE workspace_id = $1 AND run_id = $2) last,
            ROWS FROM (jsonb_to_recordset($3::jsonb) AS (
              change text, card_id text, version_before int, version_after int, related text[], reason text))
            WITH ORDINALITY AS c (change, card_id, version_before, version_after, related, reason, position)`,
    [
      tx.workspace,
      operationId,
      JSON.stringify(
        changes.map((change) => ({
          card_id: null,
          version_before: null,
          version_after: null,
          related: [],
          reason: null,
          ...change,
        })),
      ),
      now,
    ],
  );
}
