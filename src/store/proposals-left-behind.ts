import { durationMs } from '../domain/durations';
import { FIX_LAPSES_AFTER } from '../domain/proposal';
import { PROPOSAL_BEGINS_WITHIN_MS, PROPOSAL_MOVES_WITHIN_MS } from '../domain/upkeep';
import type { Tx } from './database';
import { policyOf } from './settings';

/** Of one workspace at one sweep, the oldest first: the next sweep comes in minutes. */
const MOST_RESTARTS = 500;

const before = (now: Date, ms: number): Date => new Date(now.getTime() - ms);

/**
 * Sends the start of proposals once more that never began, or that should have reminded of themselves or been
 * closed by now: their workflow was terminated, cancelled, or lost with Temporal's data. The start itself leaves one alone that still runs.
 * The condition on the status is that of the index that holds only proposals which are not over.
 * @returns how many
 */
export async function restartProposals(tx: Tx, now: Date): Promise<number> {
  const { proposals } = await policyOf(tx);
  const rows = await tx.query(
    `INSERT INTO outbox (workspace_id, action, workflow_id, arguments, next_at, created_at)
     SELECT p.workspace_id, 'start_proposal', p.workflow_id,
            jsonb_build_object('workspace', p.workspace_id, 'proposal_id', p.id), $2, $2
       FROM proposals p
       LEFT JOIN config_fixes f
         ON f.workspace_id = p.workspace_id AND f.proposal_id = p.id AND f.status IN ('approved', 'applied')
      WHERE p.workspace_id = $1
        AND (p.status IN ('open', 'reopened') OR (p.type = 'config_fix' AND p.status IN ('approved', 'applied')))
        AND ((p.run_id IS NULL AND p.created_at < $3)
          OR (p.status IN ('open', 'reopened') AND (p.expires_at < $4 OR EXISTS (
                SELECT 1
                  FROM unnest($7::float8[]) AS reminder (ms)
                 CROSS JOIN LATERAL (SELECT p.opened_at + reminder.ms * interval '1 millisecond' AS at) due
                 WHERE due.at < $4 AND due.at < p.expires_at AND (p.reminded_for IS NULL OR p.reminded_for < due.at))))
          OR COALESCE(f.applied_at, f.approved_at) < $5)
        AND NOT EXISTS (SELECT 1 FROM outbox o
                         WHERE o.workspace_id = $1 AND o.workflow_id = p.workflow_id)
      ORDER BY p.created_at
      LIMIT $6
     RETURNING id`,
    [
      tx.workspace,
      now,
      before(now, PROPOSAL_BEGINS_WITHIN_MS),
      before(now, PROPOSAL_MOVES_WITHIN_MS),
      before(now, durationMs(FIX_LAPSES_AFTER) + PROPOSAL_MOVES_WITHIN_MS),
      MOST_RESTARTS,
      proposals.reminders.map(durationMs),
    ],
  );
  return rows.length;
}
