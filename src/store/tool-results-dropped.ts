import { auditDropped } from './audit-dropped';
import type { RetentionPass } from './card-writes-expired';
import type { Tx } from './database';

/**
 * Drops the raw text of tools' results that were recorded before `since` and answered from: what was taken of each
 * stays. One that nobody has answered from yet is still in use.
 * @returns how many
 */
export async function dropToolResults(tx: Tx, since: Date, pass: RetentionPass): Promise<number> {
  if (pass.dryRun) return 0;
  const { dropped } = await tx.one<{ dropped: number }>(
    `WITH dropped AS (
       UPDATE messages m SET content = NULL
        WHERE m.workspace_id = $1 AND m.recorded_at <= $2
          AND m.role = 'tool' AND m.extracted IS NOT NULL AND m.content IS NOT NULL
          AND NOT is_held($1, 'conversation', m.conversation_id)
        RETURNING 1
     )
     SELECT count(*) AS dropped FROM dropped`,
    [tx.workspace, since],
  );
  if (dropped === 0) return 0;
  await auditDropped(tx, pass, {
    action: 'conversation.tool_results_dropped',
    changed: ['content'],
    hashes: { messages: dropped },
  });
  return dropped;
}
