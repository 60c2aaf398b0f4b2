import type { Tx } from './database';

/** To Temporal. `restart_capture` is that of one which was terminated or lost. */
export const START_ACTIONS = [
  'start_capture',
  'restart_capture',
  'start_embed',
  'start_redistill',
  'start_reembed',
  'start_proposal',
  'signal_proposal',
  'start_seal',
  'start_pass',
  'signal_pass',
  'cancel_pass',
  'start_learn',
  'start_compaction',
  'start_rescan',
  'start_insight',
  'start_import',
  'start_erasure',
] as const;
export type StartAction = (typeof START_ACTIONS)[number];

/** Each lane has its own sender: `deliver_webhook` goes to anybody's server, and may take as long as that does. */
export const OUTBOX_ACTIONS = [...START_ACTIONS, 'deliver_webhook'] as const;
export type OutboxAction = (typeof OUTBOX_ACTIONS)[number];

/** A start to send; `arguments` holds ids only. */
export interface OutboxItem {
  workspace_id: string;
  id: number;
  action: StartAction;
  workflow_id: string;
  arguments: Record<string, string>;
  attempts: number;
}

/**
 * Takes the starts that are due and nobody else holds, oldest first. A lease that runs out makes an item due again,
 * so a sender that dies costs a delay and nothing else.
 */
export async function leaseOutbox(
  tx: Tx,
  now: Date,
  leaseMs: number,
  limit: number,
): Promise<OutboxItem[]> {
  const items = await tx.query<OutboxItem>(
    `UPDATE outbox o
        SET leased_until = $2, attempts = o.attempts + 1
       FROM (SELECT workspace_id, id
               FROM outbox
              WHERE webhook_id IS NULL
                AND next_at <= $1 AND (leased_until IS NULL OR leased_until <= $1)
              ORDER BY next_at, id
              LIMIT $3
                FOR UPDATE SKIP LOCKED) due
      WHERE o.workspace_id = due.workspace_id AND o.id = due.id
      RETURNING o.workspace_id, o.id, o.action, o.workflow_id, o.arguments, o.attempts`,
    [now, new Date(now.getTime() + leaseMs), limit],
  );
  return items.sort((a, b) => a.id - b.id);
}

/** What was sent leaves the table: an empty outbox is a sent one. */
export async function removeSent(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.query('DELETE FROM outbox WHERE id = ANY ($1)', [ids]);
}

/** `reason` is a code; the next try waits. */
export async function postpone(
  tx: Tx,
  ids: readonly number[],
  nextAt: Date,
  reason: string,
): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(
    'UPDATE outbox SET leased_until = NULL, next_at = $2, last_error = $3 WHERE id = ANY ($1)',
    [ids, nextAt, reason],
  );
}
