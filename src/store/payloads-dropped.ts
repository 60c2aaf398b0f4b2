import { writeAudit } from './audit';
import type { Batch } from './card-writes-evicted';
import { BY_RETENTION, type RetentionPass } from './card-writes-expired';
import type { Tx } from './database';
import { expirePendingWrites } from './pending-writes';

/**
 * Drops the payloads of the next events that were recorded before `since`, and drafts that were made from them;
 * id, agent, outcome, times and hashes stay. One whose capture is still under way keeps its payload until that has
 * ended: it is all that its card will be made from.
 * @returns the ids of the events
 */
export async function dropPayloads(
  tx: Tx,
  { after, limit }: Batch,
  since: Date,
  { now, workflowId, dryRun }: RetentionPass,
): Promise<string[]> {
  const due = await tx.query<{ event_id: string }>(
    `SELECT e.event_id
       FROM events e
      WHERE e.workspace_id = $1 AND e.payload IS NOT NULL AND e.recorded_at <= $2 AND e.event_id > $3
        AND NOT EXISTS (SELECT 1 FROM captures k
                         WHERE k.workspace_id = $1 AND k.event_id = e.event_id AND k.disposition = 'pending')
        AND NOT is_held($1, 'event', e.event_id)
      ORDER BY e.event_id
      LIMIT $4`,
    [tx.workspace, since, after, limit],
  );
  const ids = due.map(({ event_id }) => event_id);
  if (dryRun || ids.length === 0) return ids;
  await tx.query(
    `WITH drafts AS (
       DELETE FROM capture_drafts WHERE workspace_id = $1 AND event_id = ANY ($2)
     )
     UPDATE events SET payload = NULL WHERE workspace_id = $1 AND event_id = ANY ($2)`,
    [tx.workspace, ids],
  );
  await writeAudit(tx, {
    at: now,
    actor: { kind: 'system', id: BY_RETENTION },
    action: 'event.payload_dropped',
    target: { type: 'workspace', id: tx.workspace },
    changed: ['payload'],
    hashes: { events: ids.length },
    channel: 'workflow',
    workflowId,
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
  await writeAudit(tx, {
    at: now,
    actor: { kind: 'system', id: BY_RETENTION },
    action: 'pending_write.expired',
    target: { type: 'workspace', id: tx.workspace },
    changed: ['content'],
    hashes: { pending_writes: expired },
    channel: 'workflow',
    workflowId,
  });
}
