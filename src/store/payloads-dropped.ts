import { auditDropped } from './audit-dropped';
import type { Batch } from './card-writes-evicted';
import type { RetentionPass } from './card-writes-expired';
import { type DueRule, EVENT_IS_DUE, rulesAsJson } from './card-writes-forgotten';
import type { Tx } from './database';
import { expirePendingWrites } from './pending-writes';

/**
 * Drops the payloads of the next events that were recorded before `since`, and drafts that were made from them;
 * id, agent, outcome, times and hashes stay. One whose capture is still under way keeps its payload until that has
 * ended: it is all that its card will be made from. Those that a rule forgets go at the rule's time.
 * @returns the ids of the events
 */
export async function dropPayloads(
  tx: Tx,
  { after, limit }: Batch,
  { since, forget }: { since: Date; forget: readonly DueRule[] },
  pass: RetentionPass,
): Promise<string[]> {
  const isDue =
    forget.length === 0 ? 'e.recorded_at <= $2' : `(e.recorded_at <= $2 OR ${EVENT_IS_DUE('$5')})`;
  const due = await tx.query<{ event_id: string }>(
    `SELECT e.event_id
       FROM events e
      WHERE e.workspace_id = $1 AND e.payload IS NOT NULL AND ${isDue} AND e.event_id > $3
        AND NOT EXISTS (SELECT 1 FROM captures k
                         WHERE k.workspace_id = $1 AND k.event_id = e.event_id AND k.disposition = 'pending')
        AND NOT is_held($1, 'event', e.event_id)
      ORDER BY e.event_id
      LIMIT $4`,
    [tx.workspace, since, after, limit, ...(forget.length === 0 ? [] : [rulesAsJson(forget)])],
  );
  const ids = due.map(({ event_id }) => event_id);
  if (pass.dryRun || ids.length === 0) return ids;
  await tx.query(
    `WITH drafts AS (
       DELETE FROM capture_drafts WHERE workspace_id = $1 AND event_id = ANY ($2)
     )
     UPDATE events SET payload = NULL WHERE workspace_id = $1 AND event_id = ANY ($2)`,
    [tx.workspace, ids],
  );
  await auditDropped(tx, pass, {
    action: 'event.payload_dropped',
    changed: ['payload'],
    hashes: { events: ids.length },
  });
  return ids;
}

/** Drops drafts of runs, made from cards, that are older than `since`. @returns how many */
export async function dropOldDrafts(tx: Tx, since: Date): Promise<number> {
  const { dropped } = await tx.one<{ dropped: number }>(
    `WITH dropped AS (
       DELETE FROM run_drafts WHERE workspace_id = $1 AND created_at <= $2 RETURNING 1
     )
     SELECT count(*) AS dropped FROM dropped`,
    [tx.workspace, since],
  );
  return dropped;
}

/** What restricted agents posted and nobody decided: its text goes, and one row of the audit says how many. */
export async function expireUndecided(
  tx: Tx,
  { now, pendingSince }: { now: Date; pendingSince: Date },
  { workflowId }: Pick<RetentionPass, 'workflowId'>,
): Promise<void> {
  const expired = await expirePendingWrites(tx, pendingSince, now);
  if (expired === 0) return;
  await auditDropped(
    tx,
    { now, workflowId },
    {
      action: 'pending_write.expired',
      changed: ['content'],
      hashes: { pending_writes: expired },
    },
  );
}
