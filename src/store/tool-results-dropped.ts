import { CLEARED_ABOVE_TOKENS } from '../domain/conversation/appending';
import type { DroppedResult, OldResult } from '../domain/conversation/dropped-result';
import { auditDropped } from './audit-dropped';
import type { RetentionPass } from './card-writes-expired';
import { insertDetails } from './conversation-messages';
import type { Tx } from './database';

/**
 * Drops the raw text of the next long results of tools that were recorded before `since`, used or not: what
 * `dropped` makes of each stays. They are held until then, so that an answer that comes meanwhile waits.
 * @returns which, as `<conversation>/<n>`, at most `limit`
 */
export async function dropToolResults(
  tx: Tx,
  { since, limit }: { since: Date; limit: number },
  pass: RetentionPass,
  dropped: (result: OldResult) => DroppedResult,
): Promise<string[]> {
  if (pass.dryRun) return [];
  const due = await tx.query<OldResult>(
    `SELECT m.conversation_id, m.n, m.name, m.at, m.extracted,
            CASE WHEN m.extracted IS NULL THEN m.content END AS content
       FROM messages m
      WHERE m.workspace_id = $1 AND m.recorded_at <= $2 AND m.role = 'tool' AND m.content IS NOT NULL
        AND (m.extracted IS NOT NULL OR m.tokens > ${CLEARED_ABOVE_TOKENS})
        AND NOT is_held($1, 'conversation', m.conversation_id)
      ORDER BY m.recorded_at, m.conversation_id, m.n
      LIMIT $3
        FOR UPDATE`,
    [tx.workspace, since, limit],
  );
  if (due.length === 0) return [];
  const rest = due.map((result) => ({ result, ...dropped(result) }));
  await tx.query(
    `UPDATE messages m SET content = NULL, extracted = d.extracted, extracted_tokens = d.tokens
       FROM jsonb_to_recordset($2::jsonb) AS d (conversation_id text, n int, extracted text, tokens int)
      WHERE m.workspace_id = $1 AND m.conversation_id = d.conversation_id AND m.n = d.n`,
    [
      tx.workspace,
      JSON.stringify(
        rest.map(({ result: { conversation_id, n }, extracted, tokens }) => {
          return { conversation_id, n, extracted, tokens };
        }),
      ),
    ],
  );
  for (const { result, details } of rest) {
    await insertDetails(tx, result.conversation_id, details);
  }
  await auditDropped(tx, pass, {
    action: 'conversation.tool_results_dropped',
    changed: ['content'],
    hashes: { messages: due.length },
  });
  return due.map(({ conversation_id, n }) => `${conversation_id}/${n}`);
}
