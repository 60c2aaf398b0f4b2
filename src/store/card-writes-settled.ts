import { HELD_FOR } from './card-holding';
import type { Tx } from './database';

const DISPOSITION = `CASE c.status WHEN 'quarantined' THEN 'quarantined' ELSE 'carded' END`;

/**
 * Settles captures that wait while the card of their event is there: it came in with a file, or another try filed it.
 * @param eventIds of which; null looks at all that wait
 * @returns how many
 */
export async function settleByCards(
  tx: Tx,
  eventIds: readonly string[] | null,
  now: Date,
): Promise<number> {
  const rows = await tx.query(
    `WITH settled AS (
       UPDATE captures k
          SET disposition = ${DISPOSITION}, reason = CASE c.status WHEN 'quarantined' THEN '${HELD_FOR}' END, card_id = c.id, settled_at = $3, needs_distill = false
         FROM cards c
        WHERE k.workspace_id = $1 AND k.disposition = 'pending' AND ($2::text[] IS NULL OR k.event_id = ANY ($2))
          AND c.workspace_id = $1 AND c.event_id = k.event_id
          AND NOT EXISTS (SELECT 1 FROM captures t
                           WHERE t.workspace_id = $1 AND t.dedupe_hash = k.dedupe_hash
                             AND t.disposition IN ('carded', 'quarantined'))
       RETURNING k.operation_id, k.event_id, k.disposition, k.reason, c.id AS card_id, c.kind, c.sign, c.distilled_by
     ),
     dropped AS (
       DELETE FROM capture_drafts d USING settled s WHERE d.workspace_id = $1 AND d.event_id = s.event_id
     )
     UPDATE runs r
        SET state = 'completed', started_at = COALESCE(r.started_at, $3), finished_at = $3, error = NULL,
            result = jsonb_build_object('event_id', s.event_id, 'operation_id', s.operation_id,
                                        'disposition', s.disposition, 'reason', s.reason, 'card_id', s.card_id,
                                        'kind', s.kind, 'sign', s.sign, 'edges', '[]'::jsonb,
                                        'distilled_by', s.distilled_by, 'embedded', false, 'strikes', NULL)
       FROM settled s
      WHERE r.workspace_id = $1 AND r.id = s.operation_id
     RETURNING r.id`,
    [tx.workspace, eventIds, now],
  );
  return rows.length;
}
