import type { Disposition } from '../contracts/names';
import type { Tx } from './database';

export interface Settlement {
  eventId: string;
  disposition: Exclude<Disposition, 'pending' | 'carded'>;
  reason: string | null;
  /** Of the workflow that settles it. */
  runId: string | null;
  now: Date;
}

/**
 * Records why an event has no card, once; the run is completed with it and a draft left behind goes. What
 * is not to be remembered leaves no payload either, as if it had been known when the event came.
 */
export async function settleCapture(tx: Tx, settlement: Settlement): Promise<void> {
  await tx.query(
    `WITH settled AS (
       UPDATE captures
          SET disposition = $3, reason = $4, settled_at = $5, needs_distill = false, needs_embed = false
        WHERE workspace_id = $1 AND event_id = $2 AND disposition = 'pending'
       RETURNING operation_id
     ),
     dropped AS (
       DELETE FROM capture_drafts WHERE workspace_id = $1 AND event_id = $2
     ),
     forgotten AS (
       UPDATE events e SET payload = NULL
         FROM settled
        WHERE e.workspace_id = $1 AND e.event_id = $2
          AND $3 IN ('mode_off', 'mode_manual', 'transient', 'sensitive')
     )
     UPDATE runs r
        SET state = CASE $3 WHEN 'failed' THEN 'failed' ELSE 'completed' END,
            error = CASE $3 WHEN 'failed' THEN $4 END, finished_at = $5, started_at = COALESCE(r.started_at, $5),
            run_id = COALESCE(r.run_id, $6),
            result = jsonb_build_object('event_id', $2::text, 'disposition', $3::text, 'reason', $4::text)
       FROM settled s
      WHERE r.workspace_id = $1 AND r.id = s.operation_id`,
    [
      tx.workspace,
      settlement.eventId,
      settlement.disposition,
      settlement.reason,
      settlement.now,
      settlement.runId,
    ],
  );
}
