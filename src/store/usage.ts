import type { SettledEvent } from '../contracts/event';
import { CONFIDENCE_PER_PROVEN_USE } from '../domain/confidence';
import type { Tx } from './database';

/**
 * A session's final event that worked proves the cards that were recalled in it before, each once
 * however often it was injected (design §7, proven use). An injection by itself proves nothing, so
 * asking again must not count either.
 */
export async function proveUse(tx: Tx, event: SettledEvent): Promise<void> {
  const isFinal = event.final === true || (event.kind === 'delegation' && event.task !== undefined);
  if (!isFinal || event.session === undefined) return;
  await tx.query(
    `WITH ended AS (
       UPDATE sessions
          SET final_at = $3, final_outcome = $4
        WHERE workspace_id = $1 AND id = $2 AND (final_at IS NULL OR final_at < $3)
     ),
     proven AS (
       UPDATE recall_cards rc
          SET proven_at = $3
         FROM recalls r
        WHERE $4 = 'worked'
          AND r.workspace_id = $1 AND r.session = $2 AND r.at <= $3
          AND rc.workspace_id = $1 AND rc.recall_id = r.id AND rc.proven_at IS NULL
       RETURNING rc.card_id
     ),
     used AS (
       SELECT DISTINCT card_id FROM proven
     ),
     surer AS (
       UPDATE cards c
          SET confidence = LEAST(1, c.confidence + ${CONFIDENCE_PER_PROVEN_USE})
         FROM used
        WHERE c.workspace_id = $1 AND c.id = used.card_id
     )
     INSERT INTO card_usage AS u (workspace_id, card_id, use_count, last_used_at)
     SELECT $1, card_id, 1, $3 FROM used
     ON CONFLICT (workspace_id, card_id) DO UPDATE
        SET use_count = u.use_count + 1,
            last_used_at = GREATEST(u.last_used_at, EXCLUDED.last_used_at)`,
    [tx.workspace, event.session, event.occurred_at, event.outcome],
  );
}
